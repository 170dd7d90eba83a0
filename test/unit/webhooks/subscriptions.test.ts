import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openState } from '../../../src/state/open-state.js';
import { createSecretBox, SecretBoxError } from '../../../src/state/secret-box.js';
import type { StateStore } from '../../../src/state/store.js';
import { deadLetterRecords, NO_STATUS, replayRecords, statusRecords } from '../../../src/webhooks/delivery-records.js';
import { NotStoredError } from '../../../src/webhooks/not-stored-error.js';
import { subscriptionRecords } from '../../../src/webhooks/subscription.js';
import {
  createSubscriptions,
  MAX_ACTIVE_SUBSCRIPTIONS,
  MAX_SUBSCRIPTIONS,
  type SubscriptionInput,
  type Subscriptions,
} from '../../../src/webhooks/subscriptions.js';
import { fillDisk } from '../../support/failing-disk.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const NOW = new Date('2024-05-06T07:08:09.010Z');
const INPUT: SubscriptionInput = { url: 'https://example.org/hook', events: ['data.updated'] };
const SECRET = 'a-secret-that-nobody-may-read';

let directory: string;
let state: StateStore;
let subscriptions: Subscriptions;

function subscriptionsOver(opened: StateStore): Subscriptions {
  const policy = { httpsOnly: false, allowedHosts: new Set<string>() };
  return createSubscriptions({ state: opened, secrets: createSecretBox(Buffer.alloc(32, 1)), policy, now: () => NOW });
}

beforeEach(async () => {
  directory = temporaryDirectory();
  state = await openState(directory);
  subscriptions = subscriptionsOver(state);
  return () => state.close();
});

async function createdId(owner: string, input = INPUT): Promise<number> {
  const result = await subscriptions.create(owner, input);
  if (!result.ok) throw new Error(result.code);
  return result.subscription.id;
}

test('a new subscription is told with all its fields and without its secret', async () => {
  expect(await subscriptions.create('owner', { ...INPUT, secret: SECRET })).toEqual({
    ok: true,
    subscription: {
      id: 1,
      url: 'https://example.org/hook',
      events: ['data.updated'],
      filters: {},
      active: true,
      created_at: '2024-05-06T07:08:09.010+00:00',
    },
  });
});

test('a bare number as a threshold means more than that; the other filters are kept as they are', async () => {
  const filters = {
    state_fips: ['27'],
    geoids: ['27053026200'],
    thresholds: { poverty_rate: 20, median_age: { operator: '<=' as const, value: 40.5 } },
  };
  const id = await createdId('owner', { ...INPUT, filters });
  expect((await subscriptions.get('owner', id))?.filters).toEqual({
    state_fips: ['27'],
    geoids: ['27053026200'],
    thresholds: { poverty_rate: { operator: '>', value: 20 }, median_age: { operator: '<=', value: 40.5 } },
  });
});

test('an owner sees its own subscriptions, by id; nobody else does, or takes anything from them', async () => {
  const ids = [await createdId('a'), await createdId('a'), await createdId('b'), await createdId('a')];
  const [first = 0, second, foreign = 0, last] = ids;
  expect((await subscriptions.list('a')).map(({ id }) => id)).toEqual([first, second, last]);
  expect(await subscriptions.list('nobody')).toEqual([]);
  expect(await subscriptions.get('a', foreign)).toBeUndefined();
  await state.transact((transaction) => transaction.put(replayRecords, [foreign, 1], 'b'));
  expect(await subscriptions.remove('a', foreign)).toBeUndefined();
  expect(await state.read((view) => view.get(replayRecords, [foreign, 1]))).toBe('b');
  expect(await subscriptions.signingSecret('a', foreign)).toBeUndefined();
  expect((await subscriptions.get('b', foreign))?.id).toBe(foreign);
});

test('a removed subscription is gone, and its id is not given again', async () => {
  const id = await createdId('owner');
  expect((await subscriptions.remove('owner', id))?.id).toBe(id);
  expect(await subscriptions.get('owner', id)).toBeUndefined();
  expect(await subscriptions.remove('owner', id)).toBeUndefined();
  expect(await createdId('owner')).toBe(id + 1);
});

test('of a removed subscription neither dead letters nor status stay, and those of others do', async () => {
  const [id, other] = [await createdId('owner'), await createdId('owner')];
  const about = {
    event: 'data.updated',
    geoid: '10001040100',
    body: '{}',
    failedAt: '2026-01-02T03:04:05.678+00:00',
  } as const;
  await state.transact((transaction) => {
    for (const of of [id, other]) {
      transaction.put(statusRecords, [of], NO_STATUS);
      transaction.put(deadLetterRecords, [of, 1], { ...about, webhookId: 'msg', status: 500, failure: 'status' });
    }
  });
  await subscriptions.remove('owner', id);
  const left = await state.read((view) => [[...view.keys(deadLetterRecords)], [...view.keys(statusRecords)]]);
  expect(left).toEqual([[[other, 1]], [[other]]]);
});

test('of many that are created at the same time, ten are; removing one makes room for one', async () => {
  const results = await Promise.all(Array.from({ length: 25 }, () => subscriptions.create('owner', INPUT)));
  expect(results.filter(({ ok }) => ok)).toHaveLength(MAX_ACTIVE_SUBSCRIPTIONS);
  expect(results.filter(({ ok }) => !ok)).toEqual(
    Array.from({ length: 15 }, () => ({ ok: false, code: 'active-limit' })),
  );
  expect(await subscriptions.create('another', INPUT)).toMatchObject({ ok: true });
  const [first] = await subscriptions.list('owner');
  await subscriptions.remove('owner', first?.id ?? 0);
  expect(await subscriptions.create('owner', INPUT)).toMatchObject({ ok: true });
  expect(await subscriptions.create('owner', INPUT)).toEqual({ ok: false, code: 'active-limit' });
});

test('paused ones count to fifty in all, also where many are created at the same time', async () => {
  const pauseAll = () =>
    state.transact((transaction) => {
      for (const { key, value } of [...transaction.range(subscriptionRecords, { prefix: ['owner'] })]) {
        const subscription = { ...value.subscription, active: false };
        transaction.put(subscriptionRecords, key, { ...value, subscription });
      }
    });
  const createMany = (count: number) =>
    Promise.all(Array.from({ length: count }, () => subscriptions.create('owner', INPUT)));
  for (let count = 0; count < MAX_SUBSCRIPTIONS - 5; count += 5) {
    await createMany(5);
    await pauseAll();
  }
  const results = await createMany(8);
  expect(results.filter(({ ok }) => ok)).toHaveLength(5);
  expect(results.filter(({ ok }) => !ok)).toEqual(Array.from({ length: 3 }, () => ({ ok: false, code: 'limit' })));
  expect(await subscriptions.list('owner')).toHaveLength(50);
  expect(await subscriptions.create('another', INPUT)).toMatchObject({ ok: true });
  const [first] = await subscriptions.list('owner');
  await subscriptions.remove('owner', first?.id ?? 0);
  expect(await subscriptions.create('owner', INPUT)).toMatchObject({ ok: true });
});

test('the secret comes back for signing, and is in no file of the directory', async () => {
  const id = await createdId('owner', { ...INPUT, secret: SECRET });
  const without = await createdId('owner');
  await state.close();
  for (const name of readdirSync(directory)) {
    expect(readFileSync(join(directory, name)).includes(SECRET), name).toBe(false);
  }
  expect(readFileSync(join(directory, 'data.mdb')).includes(INPUT.url)).toBe(true);
  const reopened = await openState(directory);
  onTestFinished(() => reopened.close());
  expect(await subscriptionsOver(reopened).signingSecret('owner', id)).toBe(SECRET);
  expect(await subscriptionsOver(reopened).signingSecret('owner', without)).toBeNull();
});

test('a secret that is copied to another subscription opens there neither for its owner nor for another', async () => {
  const [id, own] = [await createdId('owner', { ...INPUT, secret: SECRET }), await createdId('owner')];
  const foreign = await createdId('another');
  await state.transact((transaction) => {
    const sealedSecret = transaction.get(subscriptionRecords, ['owner', id])?.sealedSecret ?? null;
    for (const key of [['owner', own] as [string, number], ['another', foreign] as [string, number]]) {
      const record = transaction.get(subscriptionRecords, key);
      if (record) transaction.put(subscriptionRecords, key, { ...record, sealedSecret });
    }
  });
  expect(await subscriptions.signingSecret('owner', id)).toBe(SECRET);
  await expect(subscriptions.signingSecret('owner', own)).rejects.toThrow(SecretBoxError);
  await expect(subscriptions.signingSecret('another', foreign)).rejects.toThrow(SecretBoxError);
});

test('a subscription can be removed on a disk that has no space for another', async () => {
  fillDisk(1);
  const ids: number[] = [];
  const fill = async (): Promise<void> => {
    for (let at = 0; ; at++) ids.push(await createdId(`owner ${at}`));
  };
  await expect(fill()).rejects.toThrow(NotStoredError);
  for (const [at, id] of ids.slice(0, 20).entries()) {
    expect((await subscriptions.remove(`owner ${at}`, id))?.id).toBe(id);
  }
  expect(await subscriptions.list('owner 0')).toEqual([]);
});
