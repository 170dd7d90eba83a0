import { rmSync, symlinkSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { readAudit } from '../../../src/audit/audit-log.js';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { deliveriesPrometheus } from '../../../src/http/metrics/deliveries-prometheus.js';
import { createKeyRegistry } from '../../../src/keys/key-registry.js';
import { createWebhookAdmin } from '../../../src/webhooks/admin/create-webhook-admin.js';
import { readDeliveryCounts } from '../../../src/webhooks/admin/delivery-counts.js';
import type { DeadLetter } from '../../../src/webhooks/attempt.js';
import {
  changeSetRecords,
  cursorRecords,
  deadLetterRecords,
  NO_STATUS,
  replayRecords,
  START,
  statusRecords,
} from '../../../src/webhooks/delivery-records.js';
import { createOwners } from '../../../src/webhooks/owners.js';
import { ACTOR, OWNER, prepareDeliveries } from '../../support/deliveries.js';
import { startFakeServer } from '../../support/fake-server.js';
import { KEY_SETTINGS } from '../../support/keys.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

const URL_OF_NOBODY = 'http://127.0.0.1:1/a-secret-path';
const DEAD_LETTER: DeadLetter = {
  webhookId: 'msg_1',
  event: 'data.updated',
  geoid: '27001000100',
  body: '{}',
  failedAt: '2026-03-01T12:00:00.000+00:00',
  status: 400,
  failure: 'status',
};

test('a list holds all subscriptions by id, or one key’s, without any secret', async () => {
  const { admin, subscribe } = await prepareDeliveries();
  const first = await subscribe(URL_OF_NOBODY, { secret: 'geheim' });
  const other = await subscribe(URL_OF_NOBODY, {}, 'another');
  const last = await subscribe(URL_OF_NOBODY);
  expect((await admin.list()).map(({ id }) => id)).toEqual([first, other, last]);
  expect((await admin.list({ owner: OWNER })).map(({ id, hasSecret }) => [id, hasSecret])).toEqual([
    [first, true],
    [last, false],
  ]);
  expect(JSON.stringify(await admin.list())).not.toContain('geheim');
});

test('how many tracts wait is told once all updates have begun, and their lag is never negative', async () => {
  const { admin, subscribe, state } = await prepareDeliveries();
  const id = await subscribe(URL_OF_NOBODY);
  const wait = (changeSetId: number, waitingTracts: number | null): Promise<void> =>
    state.transact((transaction) => {
      // Announced by a clock that was ahead.
      transaction.put(changeSetRecords, [changeSetId], { from: null, to: 'a', at: '2999-01-01T00:00:00+00:00' });
      transaction.put(cursorRecords, [id, changeSetId], { owner: OWNER, position: START, waitingTracts });
    });
  for (const [first, second, expected] of [
    [3, 4, 7],
    [3, null, null],
    [null, 4, null],
  ] as const) {
    await wait(1, first);
    await wait(2, second);
    const told = { waitingUpdates: 2, waitingTracts: expected, lagSeconds: 0 };
    expect(await admin.list()).toMatchObject([told]);
  }
});

test('a subscription that nothing is sent to now is not told as resting', async () => {
  const { admin, subscribe, state } = await prepareDeliveries();
  const registry = createKeyRegistry({ state, now: () => new Date() });
  const { id: owner } = await registry.issue(KEY_SETTINGS, ACTOR);
  const id = await subscribe(URL_OF_NOBODY, {}, owner);
  const until = '2999-01-01T00:00:00+00:00';
  await state.transact((transaction) =>
    transaction.put(statusRecords, [id], { ...NO_STATUS, rest: { until, failedAttempts: {} } }),
  );
  expect(await admin.list()).toMatchObject([{ state: 'active', restsUntil: until }]);
  await registry.update(owner, { disabled: true }, ACTOR);
  expect(await admin.list()).toMatchObject([{ state: 'silenced', restsUntil: null }]);
});

test('pause and resume are told in the audit log, once each, and change nothing twice', async () => {
  const { admin, subscribe, state } = await prepareDeliveries();
  const id = await subscribe(URL_OF_NOBODY);
  for (const state_ of ['paused', 'paused'] as const)
    expect(await admin.pause(id, ACTOR)).toMatchObject({ state: state_ });
  for (let count = 0; count < 2; count++) expect(await admin.resume(id, ACTOR)).toMatchObject({ state: 'active' });
  const entries = await state.read((view) => readAudit(view, { limit: 10 }));
  expect(entries.map(({ action, target, actor, after }) => [action, target, actor.name, after])).toEqual([
    ['webhooks.resume', String(id), ACTOR.name, { active: true }],
    ['webhooks.pause', String(id), ACTOR.name, { active: false }],
  ]);
});

test('a key has no more than ten active subscriptions, also by resuming', async () => {
  const { admin, subscribe, state } = await prepareDeliveries();
  const first = await subscribe(URL_OF_NOBODY);
  await admin.pause(first, ACTOR);
  for (let count = 0; count < 9; count++) await subscribe(URL_OF_NOBODY);
  const tenth = await subscribe(URL_OF_NOBODY);
  await expect(admin.resume(first, ACTOR)).rejects.toMatchObject({ name: 'WebhookError', code: 'limit' });
  // One that is active already, and merely rests, is none more.
  const rest = { until: '2999-01-01T00:00:00+00:00', failedAttempts: {} };
  await state.transact((transaction) => transaction.put(statusRecords, [tenth], { ...NO_STATUS, rest }));
  expect(await admin.resume(tenth, ACTOR)).toMatchObject({ state: 'active', restsUntil: null });
});

test('what a revoked key has left is removed with all that waited for it, and that is in the audit log', async () => {
  const { admin, subscribe, announce, state, datasetsDir } = await prepareDeliveries();
  const registry = createKeyRegistry({ state, now: () => new Date() });
  const { id: owner } = await registry.issue(KEY_SETTINGS, ACTOR);
  const [gone, kept] = [await subscribe(URL_OF_NOBODY, {}, owner), await subscribe(URL_OF_NOBODY)];
  await announce(publishTinyDataset(datasetsDir));
  await registry.revoke(owner, ACTOR);
  expect(await admin.remove(gone, ACTOR)).toMatchObject({ id: gone, owner, state: 'silenced' });
  expect((await admin.list()).map(({ id }) => id)).toEqual([kept]);
  const waiting = await state.read((view) => Array.from(view.range(cursorRecords), ({ key: [id] }) => id));
  expect(waiting).toEqual([kept]);
  const owners = createOwners([OWNER]);
  const counts = await readDeliveryCounts({ state, owners, now: () => new Date() });
  expect(counts.map(({ id }) => id)).toEqual([kept]);
  const [entry] = await state.read((view) => readAudit(view, { limit: 1 }));
  expect(entry).toMatchObject({
    action: 'webhooks.delete',
    target: String(gone),
    actor: { name: ACTOR.name },
    before: { owner, events: ['data.updated'], state: 'silenced' },
    after: null,
  });
});

test('a replay for a revoked key is refused with advice, and queues nothing', async () => {
  const { admin, subscribe, state } = await prepareDeliveries();
  const registry = createKeyRegistry({ state, now: () => new Date() });
  const { id: owner } = await registry.issue(KEY_SETTINGS, ACTOR);
  const id = await subscribe(URL_OF_NOBODY, {}, owner);
  await state.transact((transaction) => transaction.put(deadLetterRecords, [id, 1], DEAD_LETTER));
  await registry.update(owner, { disabled: true }, ACTOR);
  // Its key may be enabled again.
  expect(await admin.replay(id, { actor: ACTOR })).toEqual({ replayed: 1 });
  await state.transact((transaction) => transaction.remove(replayRecords, [id, 1]));
  await registry.revoke(owner, ACTOR);
  await expect(admin.replay(id, { actor: ACTOR })).rejects.toMatchObject({
    code: 'silenced',
    message: expect.stringMatching(/was revoked; .*`webhooks delete 1`/),
  });
  expect((await admin.attempts(id)).deadLetters).toMatchObject([{ id: 1, replaying: false }]);
  const [entry] = await state.read((view) => readAudit(view, { limit: 1 }));
  expect(entry).toMatchObject({ action: 'keys.revoke' });
});

test('a subscription that is removed before its secret is read gets no ping', async () => {
  const { subscribe, subscriptions, state, datasetsDir } = await prepareDeliveries();
  const id = await subscribe(URL_OF_NOBODY, { secret: 'geheim' });
  const send = vi.fn();
  const admin = createWebhookAdmin({
    state,
    datasetsDir,
    subscriptions: {
      signingSecret: async (owner, subscription) => {
        await subscriptions.remove(owner, subscription);
        return await subscriptions.signingSecret(owner, subscription);
      },
    },
    sender: { send, close: () => {} },
    owners: createOwners([OWNER]),
    now: () => new Date(),
    changed: () => {},
  });
  await expect(admin.test(id)).rejects.toMatchObject({ code: 'unknown-subscription' });
  expect(send).not.toHaveBeenCalled();
});

test.each(['attempts', 'replay', 'test', 'pause', 'resume', 'remove'] as const)(
  '%s of what does not exist is told so',
  async (name) => {
    const { admin } = await prepareDeliveries();
    const call = {
      attempts: () => admin.attempts(7),
      replay: () => admin.replay(7, { actor: ACTOR }),
      test: () => admin.test(7),
      pause: () => admin.pause(7, ACTOR),
      resume: () => admin.resume(7, ACTOR),
      remove: () => admin.remove(7, ACTOR),
    }[name];
    await expect(call()).rejects.toMatchObject({ code: 'unknown-subscription' });
  },
);

test('a test sends a signed ping at once, in one attempt, and tells what came of it', async () => {
  const { admin, subscribe } = await prepareDeliveries();
  let status = 204;
  const receiver = await startFakeServer((response) => void response.writeHead(status).end());
  const id = await subscribe(receiver.url, { secret: 'geheim' });
  await admin.pause(id, ACTOR);
  const result = await admin.test(id);
  expect(result).toMatchObject({ arrived: true, status: 204, failure: null });
  const [request] = receiver.requests;
  expect(request?.headers['webhook-id']).toBe(result.webhookId);
  expect(request?.headers['x-webhook-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
  expect(JSON.parse(request?.body ?? '')).toEqual({ event: 'ping', timestamp: expect.any(String), data: {} });
  status = 500;
  expect(await admin.test(id)).toMatchObject({ arrived: false, status: 500, failure: 'status' });
  expect(receiver.requests).toHaveLength(2);
});

test('a preview counts the events of a change for each subscription that would get any', async () => {
  const { admin, subscribe, datasetsDir } = await prepareDeliveries();
  const [first, second] = [0, 100].map((people) => publishTinyDataset(datasetsDir, people));
  const all = await subscribe(URL_OF_NOBODY);
  await subscribe(URL_OF_NOBODY, { filters: { state_fips: ['55'] } });
  const thresholds = { total_population: { operator: '>=' as const, value: 1100 } };
  const both = await subscribe(URL_OF_NOBODY, {
    events: ['data.updated', 'threshold.exceeded'],
    filters: { thresholds },
  });
  expect(await admin.preview(first ?? '', second ?? '')).toEqual([
    { id: all, owner: OWNER, state: 'active', events: { 'data.updated': 1, 'threshold.exceeded': 0 } },
    { id: both, owner: OWNER, state: 'active', events: { 'data.updated': 1, 'threshold.exceeded': 1 } },
  ]);
  expect(await admin.preview(null, second ?? '')).toHaveLength(3);
});

test('a preview tells whose events would wait, and leaves out those that nobody would ever hear of', async () => {
  const { admin, subscribe, state, datasetsDir } = await prepareDeliveries();
  const registry = createKeyRegistry({ state, now: () => new Date() });
  const [disabled, revoked] = await Promise.all([0, 1].map(async () => (await registry.issue(KEY_SETTINGS, ACTOR)).id));
  const [active, paused] = [await subscribe(URL_OF_NOBODY), await subscribe(URL_OF_NOBODY)];
  await admin.pause(paused, ACTOR);
  const silenced = await subscribe(URL_OF_NOBODY, {}, disabled);
  await subscribe(URL_OF_NOBODY, {}, revoked);
  await registry.update(disabled ?? '', { disabled: true }, ACTOR);
  await registry.revoke(revoked ?? '', ACTOR);
  const previews = await admin.preview(null, publishTinyDataset(datasetsDir));
  expect(previews.map(({ id, state: now }) => [id, now])).toEqual([
    [active, 'active'],
    [paused, 'paused'],
    [silenced, 'silenced'],
  ]);
});

test('a preview of a change whose generations cannot be read says so', async () => {
  const { admin, subscribe, datasetsDir } = await prepareDeliveries();
  const [first = '', second = ''] = [0, 100].map((people) => publishTinyDataset(datasetsDir, people));
  await subscribe(URL_OF_NOBODY);
  const directory = generationPath(datasetsDir, first);
  rmSync(directory, { recursive: true });
  // A link in a circle fails for whoever runs the tests; permissions do not for root.
  symlinkSync(first, directory);
  await expect(admin.preview(first, second)).rejects.toMatchObject({
    name: 'CatalogError',
    code: 'unreadable',
    message: expect.stringContaining(`generation ${first} cannot be read at the moment`),
  });
});

test('the metrics name subscriptions by their number alone', async () => {
  const { subscribe, state } = await prepareDeliveries();
  const id = await subscribe(URL_OF_NOBODY, { secret: 'geheim' });
  const owners = createOwners([OWNER]);
  const text = deliveriesPrometheus(await readDeliveryCounts({ state, owners, now: () => new Date() }));
  expect(text).toContain(`tract_context_webhook_deliveries_total{subscription="${id}",outcome="arrived"} 0\n`);
  expect(text).toContain(`tract_context_webhook_state{subscription="${id}",state="active"} 1\n`);
  expect(text).toContain(`tract_context_webhook_last_attempt_status{subscription="${id}"} 0\n`);
  for (const hidden of ['a-secret-path', 'geheim', OWNER]) expect(text).not.toContain(hidden);
});
