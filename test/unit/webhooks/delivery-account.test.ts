import { expect, test } from 'vitest';
import { createDeliveryAccount } from '../../../src/webhooks/delivery/delivery-account.js';
import { NO_STATUS } from '../../../src/webhooks/delivery-records.js';

const MESSAGE = { event: 'data.updated', geoid: '27053011001', webhookId: 'msg_1', body: '{}' } as const;

test('counts are due once a second, also after the clock was set back', () => {
  const times = ['12:00:00.000', '12:00:00.500', '10:00:00.000', '10:00:00.500', '10:00:01.000'];
  let at = '';
  const account = createDeliveryAccount(NO_STATUS, () => new Date(`2026-03-01T${at}Z`));
  const due = times.map((time) => {
    at = time;
    account.attempted(MESSAGE, 1, { status: 204, failure: null, durationMs: 1 });
    account.arrived();
    return account.take()?.status?.delivered;
  });
  expect(due).toEqual([1, undefined, 3, undefined, 5]);
});

const ARRIVED = { status: 204, failure: null, durationMs: 1 } as const;
const FAILED = { status: 500, failure: 'status', durationMs: 1 } as const;

/** An account whose clock shows so many milliseconds after noon, and which has just stored all there was. */
function accountAt(timeMs: () => number) {
  const account = createDeliveryAccount(NO_STATUS, () => new Date(Date.parse('2026-03-01T12:00:00Z') + timeMs()));
  account.attempted(MESSAGE, 1, ARRIVED);
  account.arrived();
  const taken = account.take();
  if (taken) account.saved(taken);
  return account;
}

test('a failed attempt is recorded at once, as it comes before the next second; the 20 newest are kept', () => {
  let atMs = 0;
  const account = accountAt(() => atMs);
  for (let attempt = 1; attempt <= 30; attempt++) {
    atMs = attempt;
    account.attempted(MESSAGE, attempt, FAILED);
    expect(account.take()?.status?.recent[0]).toMatchObject({ attempt, status: 500 });
  }
  expect(account.status().recent.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 20 }, (_, at) => 30 - at));
  expect(account.status()).toMatchObject({
    lastSuccessAt: '2026-03-01T12:00:00.000+00:00',
    lastAttemptAt: '2026-03-01T12:00:00.030+00:00',
  });
});

test('a rest, and an arrival that ends it, are stored at once', () => {
  let atMs = 1;
  const account = accountAt(() => atMs);
  account.rests(1000, { msg_1: 1 });
  expect(account.isUnsaved()).toBe(true);
  const rest = { until: '2026-03-01T12:00:01.001+00:00', failedAttempts: { msg_1: 1 } };
  expect(account.take()?.status).toMatchObject({ rest });
  atMs = 2;
  account.attempted(MESSAGE, 2, ARRIVED);
  account.arrived();
  const { status } = account.take() ?? {};
  expect(status).toMatchObject({ delivered: 2, lastSuccessAt: '2026-03-01T12:00:00.002+00:00' });
  expect(status).not.toHaveProperty('rest');
});

test('an event that was given up is as little stored as one that arrived, until it is', () => {
  const account = accountAt(() => 0);
  account.gaveUp(MESSAGE, FAILED);
  account.arrived();
  expect(account.unsavedEvents()).toBe(2);
  const taken = account.take();
  expect([account.unsavedEvents(), account.isUnsaved()]).toEqual([2, true]);
  if (taken) account.saved(taken);
  expect([account.unsavedEvents(), account.isUnsaved()]).toEqual([0, false]);
  account.progressed(1, 'finished');
  expect([account.unsavedEvents(), account.isUnsaved()]).toEqual([0, true]);
});

test('counts that could wait are handed over with the end of a change set, with a replay, or at last, and only once', () => {
  const account = accountAt(() => 1);
  const arrive = (): void => {
    account.attempted(MESSAGE, 1, ARRIVED);
    account.arrived();
  };
  arrive();
  account.progressed(1, { position: { geoid: 1, eventsDone: 0 }, waitingTracts: 1 });
  expect(account.take()).toMatchObject({ events: 1, status: undefined });
  account.progressed(1, 'finished');
  expect(account.take()).toMatchObject({ events: 0, status: { delivered: 2 } });
  arrive();
  account.replayed(1, 'arrived');
  expect(account.take()).toMatchObject({ status: { delivered: 3 } });
  arrive();
  expect(account.take()?.status).toBeUndefined();
  expect(account.take()).toBeUndefined();
  expect(account.take({ last: true })).toMatchObject({ events: 0, status: { delivered: 4 } });
  expect(account.take({ last: true })).toBeUndefined();
});
