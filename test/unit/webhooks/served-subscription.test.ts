import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/webhooks/attempt.js';
import { DELIVERY_LIMITS } from '../../../src/webhooks/delivery/delivery-limits.js';
import { createLedger } from '../../../src/webhooks/delivery/ledger.js';
import { readPending } from '../../../src/webhooks/delivery/pending-deliveries.js';
import type { Sender } from '../../../src/webhooks/delivery/sender.js';
import { type ServingDependencies, serveSubscription } from '../../../src/webhooks/delivery/served-subscription.js';
import {
  type DeliveryStatus,
  deadLetterRecords,
  NO_STATUS,
  replayRecords,
  statusRecords,
} from '../../../src/webhooks/delivery-records.js';
import { createChangeLibrary } from '../../../src/webhooks/events/change-library.js';
import type { Subscriptions } from '../../../src/webhooks/subscriptions.js';
import { ACTOR, type Deliveries, OWNER, prepareDeliveries } from '../../support/deliveries.js';
import { publishTinyDataset, TINY_TRACTS } from '../../support/tiny-dataset.js';

const NOW = new Date('2026-03-01T12:00:00Z');

function serve(
  { state, subscriptions, datasetsDir }: Deliveries,
  id: number,
  before: Partial<ServingDependencies> = {},
) {
  const now = (): Date => NOW;
  return serveSubscription(id, OWNER, {
    state,
    subscriptions,
    sender: { send: () => Promise.reject(new Error('nothing is to be sent')), close: () => {} },
    ledger: createLedger({
      state,
      now,
      intervalMs: 1,
      onFailure: () => {},
      onFull: () => {},
      fullRetryMs: 1,
      stopping: new AbortController().signal,
    }),
    library: createChangeLibrary(datasetsDir),
    limits: DELIVERY_LIMITS,
    now,
    onAbandoned: () => {},
    settled: () => Promise.resolve(),
    ...before,
  });
}

test('a subscription that is removed before its secret is read gets no event, and none unsigned', async () => {
  const deliveries = await prepareDeliveries();
  const { subscriptions } = deliveries;
  const open = async (signingSecret: Subscriptions['signingSecret']) => {
    const id = await deliveries.subscribe('http://127.0.0.1:1/', { secret: 'geheim' });
    return await serve(deliveries, id, { subscriptions: { get: subscriptions.get, signingSecret } });
  };
  expect(await open(subscriptions.signingSecret)).toBeDefined();
  const removed = await open(async (owner, id) => {
    await subscriptions.remove(owner, id);
    return await subscriptions.signingSecret(owner, id);
  });
  expect(removed).toBeUndefined();
});

test('a subscription that was paused before it is served gets no event', async () => {
  const deliveries = await prepareDeliveries();
  const id = await deliveries.subscribe('http://127.0.0.1:1/');
  await deliveries.admin.pause(id, ACTOR);
  expect(await serve(deliveries, id)).toBeUndefined();
});

test('the ports of a host are served apart', async () => {
  const deliveries = await prepareDeliveries();
  const id = await deliveries.subscribe('http://127.0.0.1:8443/hook');
  expect((await serve(deliveries, id))?.lane.host).toBe('127.0.0.1:8443');
});

test.each<[string, Partial<DeliveryStatus>, number]>([
  ['what is left of it', { rest: { until: '2026-03-01T12:00:00.700+00:00', failedAttempts: {} } }, 700],
  ['nothing where it is over', { rest: { until: '2026-03-01T11:59:59.700+00:00', failedAttempts: {} } }, 0],
  // The clock was set back by a day.
  ['a retry’s delay at most', { rest: { until: '2026-03-02T12:00:00.000+00:00', failedAttempts: { a: 1 } } }, 2000],
  [
    'a cool-down at most where it had several failures',
    { failuresInARow: 4, rest: { until: '2026-03-02T12:00:00.000+00:00', failedAttempts: {} } },
    40_000,
  ],
])('of a stored rest a subscription waits for %s', async (_, status, restMs) => {
  const deliveries = await prepareDeliveries();
  const id = await deliveries.subscribe('http://127.0.0.1:1/');
  await deliveries.state.transact((transaction) => transaction.put(statusRecords, [id], { ...NO_STATUS, ...status }));
  const served = await serve(deliveries, id);
  expect(await served?.lane.run()).toEqual(restMs === 0 ? 'idle' : { afterMs: restMs });
});

const LETTER = {
  webhookId: 'msg_1',
  event: 'data.updated',
  geoid: '27001000100',
  body: '{}',
  failedAt: '2026-03-01T11:00:00.000+00:00',
  status: 422,
  failure: 'status',
} as const;

/** A sender whose every attempt ends as told, and the `webhook-id` of each. */
function senderOf(outcome: Outcome) {
  const sent: string[] = [];
  const send: Sender['send'] = (_url, headers) => {
    sent.push(String(headers['webhook-id']));
    return Promise.resolve(outcome);
  };
  return { sender: { send, close: () => {} }, sent };
}

test('however often a subscription is told what is pending, it sends it once', async () => {
  const deliveries = await prepareDeliveries();
  const { state } = deliveries;
  const id = await deliveries.subscribe('http://127.0.0.1:1/');
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  await state.transact((transaction) => {
    transaction.put(deadLetterRecords, [id, 1], LETTER);
    transaction.put(replayRecords, [id, 1], OWNER);
  });
  const { sender, sent } = senderOf({ status: 204, failure: null, durationMs: 1 });
  const served = await serve(deliveries, id, { sender, limits: { ...DELIVERY_LIMITS, sliceMs: 60_000 } });
  const pending = await state.read((view) => readPending(view).get(id));
  for (let told = 0; told < 3; told++) if (pending) served?.take(pending);
  expect(await served?.lane.run()).toBe('idle');
  expect(sent).toHaveLength(1 + TINY_TRACTS.length);
  expect(sent[0]).toBe('msg_1');
  expect(new Set(sent).size).toBe(sent.length);
});

test('after each event it is known how far the changes were delivered, and how many tracts wait', async () => {
  const deliveries = await prepareDeliveries();
  const id = await deliveries.subscribe('http://127.0.0.1:1/');
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const { sender } = senderOf({ status: 204, failure: null, durationMs: 1 });
  const served = await serve(deliveries, id, { sender, limits: { ...DELIVERY_LIMITS, sliceMs: -1 } });
  const pending = await deliveries.state.read((view) => readPending(view).get(id));
  if (pending) served?.take(pending);
  for (const [at, { geoid }] of TINY_TRACTS.entries()) {
    await served?.lane.run();
    const [progress] = served?.lane.takeUnsaved()?.progress.values() ?? [];
    const position = { geoid: Number(geoid), eventsDone: 1 };
    expect(progress).toEqual({ position, waitingTracts: TINY_TRACTS.length - at });
  }
});

test('the dead letters that a subscription has count towards its pause, those of others do not', async () => {
  const deliveries = await prepareDeliveries();
  const id = await deliveries.subscribe('http://127.0.0.1:1/');
  await deliveries.announce(publishTinyDataset(deliveries.datasetsDir));
  const { state } = deliveries;
  await state.transact((transaction) => {
    for (const subscriptionId of [id, id, id + 1, id + 1, id + 1]) {
      const key: [number, number] = [subscriptionId, transaction.nextId(deadLetterRecords.name)];
      transaction.put(deadLetterRecords, key, LETTER);
    }
  });
  const { sender, sent } = senderOf({ status: 422, failure: 'status', durationMs: 1 });
  const limits = { ...DELIVERY_LIMITS, deadLettersMax: 4, coolDownMs: 0 };
  const served = await serve(deliveries, id, { sender, limits });
  const pending = await state.read((view) => readPending(view).get(id));
  if (pending) served?.take(pending);
  await served?.lane.run();
  expect(sent).toHaveLength(2);
  expect(served?.lane.isStopped()).toBe(true);
});
