import { expect, onTestFinished, test } from 'vitest';
import { openDeliveryCounts } from '../../../src/compose/webhooks.js';
import { loadConfig } from '../../../src/config.js';
import { type KeyRecord, keyRecords } from '../../../src/keys/key-record.js';
import type { StateStore } from '../../../src/state/store.js';
import { createDeliveryCounts, readDeliveryCounts } from '../../../src/webhooks/admin/delivery-counts.js';
import { summarizeAll } from '../../../src/webhooks/admin/summaries.js';
import {
  changeSetRecords,
  cursorRecords,
  deadLetterRecords,
  NO_STATUS,
  START,
  statusRecords,
} from '../../../src/webhooks/delivery-records.js';
import { createOwners } from '../../../src/webhooks/owners.js';
import { subscriptionRecords } from '../../../src/webhooks/subscription.js';
import { OWNER, prepareDeliveries } from '../../support/deliveries.js';
import { KEY } from '../../support/keys.js';

const AT = '2026-03-01T00:00:00.000+00:00';
const NOW = new Date('2026-03-01T00:01:40Z');
const REVOKED = KEY.id;
const REVOKED_KEY: KeyRecord = { ...KEY, revokedAt: '2020-01-01T00:00:00Z', secrets: [] };
const owners = createOwners([OWNER]);

/** More subscriptions than are read at a time, of all kinds, some of a key that opens nothing any more. */
async function storeMany(state: StateStore, count: number): Promise<void> {
  await state.transact((transaction) => {
    transaction.put(keyRecords, [REVOKED], REVOKED_KEY);
    transaction.put(changeSetRecords, [1], { from: null, to: 'x', at: AT });
    for (let id = 1; id <= count; id++) {
      const owner = id % 7 === 0 ? REVOKED : OWNER;
      const subscription = {
        id,
        url: 'https://example.org',
        events: [],
        filters: {},
        active: id % 3 !== 0,
        created_at: AT,
      };
      transaction.put(subscriptionRecords, [owner, id], { subscription, sealedSecret: null });
      if (id % 2 === 0) transaction.put(cursorRecords, [id, 1], { owner, position: START, waitingTracts: 3 });
      if (id % 5 === 0) continue;
      const failed = { event: 'data.updated' as const, geoid: '27001000100', status: 500, failure: 'status' as const };
      const attempt = { ...failed, at: AT, webhookId: 'x', attempt: 1, durationMs: id };
      const recent = Array.from({ length: id % 4 }, (_, at) => ({ ...attempt, durationMs: id + at }));
      const status = { ...NO_STATUS, delivered: id, retried: 2 * id, failed: 3 * id, lastSuccessAt: AT, recent };
      transaction.put(statusRecords, [id], status);
      const letter = { ...failed, webhookId: 'x', body: '', failedAt: AT };
      for (let number = 1; number <= id % 3; number++) transaction.put(deadLetterRecords, [id, number], letter);
    }
  });
}

/** Counts how often a state is read. */
function counting(state: StateStore) {
  const reads = { count: 0, failing: false };
  const read: StateStore['read'] = (work) => {
    reads.count++;
    return reads.failing ? Promise.reject(new Error('the disk is gone')) : state.read(work);
  };
  return { state: { read }, reads };
}

test('the counts are what maintainers are told of each subscription', async () => {
  const { state, admin } = await prepareDeliveries();
  await storeMany(state, 250);
  const counts = await readDeliveryCounts({ state, owners, now: () => NOW });
  const told = [];
  for (const { id, state: condition, delivered, retried, failed, deadLetters, lastSuccessAt } of await admin.list()) {
    const [newest] = (await admin.attempts(id)).recent;
    const lastAttempt = newest ? { at: newest.at, status: newest.status, durationMs: newest.durationMs } : null;
    const lagSeconds = id % 2 === 0 && id % 7 !== 0 ? 100 : 0;
    // A revoked key's can be seen, but not sent any more: no alert is to tell of them.
    const counted = id % 7 === 0 ? 0 : deadLetters;
    const fields = { delivered, retried, failed, deadLetters: counted, lastSuccessAt, lagSeconds, lastAttempt };
    told.push({ id, state: condition, ...fields });
  }
  expect(counts).toEqual(told);
  expect(new Set(counts.map(({ state: condition }) => condition))).toEqual(new Set(['active', 'paused', 'silenced']));
});

test('however many ask within a second, the state is read once, a hundred subscriptions at a time', async () => {
  const deliveries = await prepareDeliveries();
  await storeMany(deliveries.state, 250);
  const { state, reads } = counting(deliveries.state);
  let elapsed = 0;
  const counts = createDeliveryCounts({ state, owners, now: () => NOW, elapsedMs: () => elapsed });
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, counts));
  expect(first).toHaveLength(250);
  for (const other of others) expect(other).toBe(first);
  elapsed = 999;
  expect(await counts()).toBe(first);
  expect(reads.count).toBe(3);
  elapsed = 1000;
  const [second, ...sharing] = await Promise.all(Array.from({ length: 5 }, counts));
  expect(second).not.toBe(first);
  for (const other of sharing) expect(other).toBe(second);
  expect(reads.count).toBe(6);
});

const DEPENDENCIES = { owners, now: () => NOW };

test.each([
  ['counted', (state: StateStore) => createDeliveryCounts({ state, ...DEPENDENCIES, elapsedMs: () => 0 })()],
  ['listed', (state: StateStore) => summarizeAll({ state, ...DEPENDENCIES })],
  ['listed of one key', (state: StateStore) => summarizeAll({ state, ...DEPENDENCIES }, OWNER)],
])('between a hundred subscriptions that are %s and the next others have their turn', async (_, ask) => {
  const { state } = await prepareDeliveries();
  await storeMany(state, 250);
  let turn = 0;
  let next: NodeJS.Immediate;
  const count = (): void => {
    turn++;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  onTestFinished(() => clearImmediate(next));
  const turns: number[] = [];
  const read: StateStore['read'] = (work) => {
    turns.push(turn);
    return state.read(work);
  };
  await ask({ ...state, read });
  expect(turns).toHaveLength(3);
  expect(new Set(turns).size).toBe(3);
});

test('a reading that fails is not remembered', async () => {
  const deliveries = await prepareDeliveries();
  const { state, reads } = counting(deliveries.state);
  const counts = createDeliveryCounts({ state, owners, now: () => NOW, elapsedMs: () => 0 });
  reads.failing = true;
  await expect(counts()).rejects.toThrow('the disk is gone');
  reads.failing = false;
  expect(await counts()).toEqual([]);
});

test('/metrics is given counts that are read once a second', async () => {
  const { state } = await prepareDeliveries();
  const counts = openDeliveryCounts(state, loadConfig({ argv: [], env: {} }).config);
  expect(await counts()).toBe(await counts());
});
