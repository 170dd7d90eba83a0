import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAdmission } from '../../../src/pool/admission.js';
import { type BatchesOptions, createBatches } from '../../../src/pool/batches.js';
import { createExpectedTimes } from '../../../src/pool/expected-times.js';
import { type Batch, LENT, type Task } from '../../../src/pool/protocol.js';
import type { OpenRequest } from '../../../src/pool/request.js';
import type { Waiter } from '../../../src/pool/seat.js';

/** Memory is lent for it. */
const LARGE: Task = {
  kind: 'providers-in-box',
  query: { west: -78, south: 38, east: -76, north: 40, type: 'all', limit: 2000 },
};
const TIMEOUT_MS = 100;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Batches whose threads do nothing; `given` are those that they were given, `ended` the waiters that were to be ended. */
function batchesOfIdleThreads() {
  const given: { readonly batch: Batch; readonly waiter: Waiter }[] = [];
  const ended: Waiter[] = [];
  const fail = vi.fn<BatchesOptions['fail']>();
  const attached: BatchesOptions['attached'] = {
    answer: (batch, waiter) => given.push({ batch, waiter }),
    takeAnswers: () => {},
    end: (waiter) => ended.push(waiter),
    detach: () => Promise.resolve(),
  };
  const now = Date.now;
  const expected = createExpectedTimes();
  const admission = createAdmission({ threads: 1, expected, queueMaxTasks: 10, now });
  const batches = createBatches({ attached, admission, timeoutMs: TIMEOUT_MS, now, fail, onOver: () => {} });
  const send = (resolve?: OpenRequest['resolve'], count = 1): void =>
    batches.send(Array.from({ length: count }, () => request(resolve)));
  return { send, given, ended, fail, expected };
}

function request(resolve: OpenRequest['resolve'] = () => {}): OpenRequest {
  const settled = { client: { gone: () => false }, resolve, reject: () => {} };
  return { task: LARGE, isAlone: false, askedAtMs: Date.now(), expectedMs: 1, isOver: false, ...settled };
}

test('a thread that overruns its time is ended once, however long that takes, and its requests missed their deadline', () => {
  const { send, given, ended, fail } = batchesOfIdleThreads();
  send();
  vi.advanceTimersByTime(TIMEOUT_MS);
  send();
  vi.advanceTimersByTime(TIMEOUT_MS);
  expect(ended).toEqual(given.map(({ waiter }) => waiter));
  ended[0]?.lost();
  expect(fail).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'deadline');
});

test('tasks that overran their time are expected to take it: as many of them in one batch would overrun it again', () => {
  const { send, given, ended, expected } = batchesOfIdleThreads();
  const count = 20;
  expect(expected.expectMs(LARGE) * count).toBeLessThan(TIMEOUT_MS / 10);
  send(undefined, count);
  vi.advanceTimersByTime(TIMEOUT_MS);
  ended[0]?.lost();
  expect(expected.expectMs(LARGE) * count).toBeGreaterThan(TIMEOUT_MS / 2);
  const learned = expected.expectMs(LARGE);
  send(undefined, count);
  given[1]?.waiter.lost();
  expect(expected.expectMs(LARGE)).toBe(learned);
});

test('a thread that is lost before fails its requests as such', () => {
  const { send, given, fail } = batchesOfIdleThreads();
  send();
  given[0]?.waiter.lost();
  expect(fail).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'thread-lost');
});

test('an answer in lent memory tells how long it waited, and how the memory is given back', () => {
  const { send, given } = batchesOfIdleThreads();
  const resolve = vi.fn<OpenRequest['resolve']>();
  send(resolve);
  vi.advanceTimersByTime(10);
  const sizeBytes = 100_000;
  given[0]?.waiter.answered({ ok: true, buffers: [], outcomes: [[LENT, 0, sizeBytes, 3]] });
  const [[reply] = []] = resolve.mock.calls;
  expect(reply).toMatchObject({ ok: true, times: { queueMs: 7, queryMs: 3 }, release: expect.any(Function) });
  expect(reply?.ok && reply.body.buffer).toBe(given[0]?.batch.lent);
  expect(reply?.ok && reply.body.byteLength).toBe(sizeBytes);
});

test('memory that is lost with a thread is replaced by other memory', () => {
  const { send, given } = batchesOfIdleThreads();
  for (let round = 0; round < 20; round++) {
    send();
    given.at(-1)?.waiter.lost();
  }
  expect(new Set(given.map(({ batch }) => batch.lent)).size).toBe(20);
  expect(given.at(-1)?.batch.lent).toBeInstanceOf(SharedArrayBuffer);
});
