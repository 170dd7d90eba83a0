import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAdmission } from '../../../src/pool/admission.js';
import { type BatchesOptions, createBatches } from '../../../src/pool/batches.js';
import { createExpectedTimes } from '../../../src/pool/expected-times.js';
import type { Batch, Task } from '../../../src/pool/protocol.js';
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
  const admission = createAdmission({ threads: 1, expected: createExpectedTimes(), queueMaxTasks: 10, now });
  const batches = createBatches({ attached, admission, timeoutMs: TIMEOUT_MS, now, fail, onOver: () => {} });
  const send = (): void => batches.send([request()]);
  return { send, given, ended, fail };
}

function request(): OpenRequest {
  const client = { gone: () => false };
  const settled = { resolve: () => {}, reject: () => {} };
  return { task: LARGE, client, isAlone: false, askedAtMs: Date.now(), expectedMs: 1, isOver: false, ...settled };
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

test('a thread that is lost before fails its requests as such', () => {
  const { send, given, fail } = batchesOfIdleThreads();
  send();
  given[0]?.waiter.lost();
  expect(fail).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'thread-lost');
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
