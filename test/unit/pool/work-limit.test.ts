import { expect, test } from 'vitest';
import { type Ahead, createWorkLimit } from '../../../src/pool/work-limit.js';

/** Behind more than few, which take so long together. */
function behind(ms: number, traits: Partial<Ahead> = {}): Ahead {
  return { count: 10_000, ms, socketMs: 0, together: 1, ...traits };
}

/** A limit that has been busy since the beginning, over a clock that the test moves. */
function busyLimit(threads = 1) {
  const clock = { nowMs: 0 };
  const limit = createWorkLimit(threads, () => clock.nowMs);
  limit.busy(false);
  /** How many tasks of a millisecond are admitted behind a second's work. */
  const burst = (): number => {
    let admitted = 0;
    while (limit.admits(behind(1000), 1)) admitted++;
    return admitted;
  };
  return { clock, limit, burst };
}

test('a task is admitted if its wait is short, even after a burst', () => {
  const { limit, burst } = busyLimit();
  burst();
  expect(limit.admits(behind(20), 1)).toBe(true);
  expect(limit.admits(behind(20.1), 1)).toBe(false);
});

test('the wait is divided by the number of threads', () => {
  const { limit, burst } = busyLimit(4);
  burst();
  expect(limit.admits(behind(80), 1)).toBe(true);
  expect(limit.admits(behind(80.1), 1)).toBe(false);
});

test('a few long tasks per thread are admitted, up to the length of a burst', () => {
  const { limit, burst } = busyLimit(2);
  burst();
  expect(limit.admits(behind(400, { count: 191 }), 1)).toBe(true);
  expect(limit.admits(behind(400, { count: 192 }), 1)).toBe(false);
  expect(limit.admits(behind(500.1, { count: 10 }), 1)).toBe(false);
});

test('the time that a task has waited in its socket counts as waiting', () => {
  const { limit, burst } = busyLimit(2);
  burst();
  expect(limit.admits(behind(30, { socketMs: 5 }), 1)).toBe(true);
  expect(limit.admits(behind(30, { socketMs: 5.1 }), 1)).toBe(false);
});

test('few waiting tasks are an overload if many were read from sockets together', () => {
  const { limit, burst } = busyLimit();
  burst();
  // A machine that stands still for a second is no overload.
  const few = { count: 10, socketMs: 1000 };
  expect(limit.admits(behind(50, { ...few, together: 95 }), 1)).toBe(true);
  expect(limit.admits(behind(50, { ...few, together: 96 }), 1)).toBe(false);
});

test('a short queue is admitted however late the event loop is, so that no thread is idle', () => {
  const { limit, burst } = busyLimit(2);
  burst();
  const flood = { socketMs: 1000, together: 600 };
  expect(limit.admits(behind(2, flood), 1)).toBe(true);
  expect(limit.admits(behind(2.1, flood), 1)).toBe(false);
});

test('more work for threads that are busy already earns no burst', () => {
  const { clock, limit, burst } = busyLimit();
  burst();
  clock.nowMs += 1000;
  limit.busy(false);
  expect(limit.admits(behind(1000), 1)).toBe(false);
});

test('idle time while the event loop is late earns no burst', () => {
  const { clock, limit, burst } = busyLimit();
  burst();
  limit.idle();
  clock.nowMs = 100;
  limit.busy(true);
  expect(burst()).toBe(0);
  limit.idle();
  clock.nowMs = 130;
  limit.busy(false);
  expect(burst()).toBe(30);
});

test('a refused task uses up nothing of the burst', () => {
  const { clock, limit, burst } = busyLimit();
  burst();
  limit.idle();
  clock.nowMs = 1000;
  expect(limit.admits(behind(1000), 1)).toBe(false);
  limit.busy(false);
  expect(burst()).toBe(250);
});

test('a burst is admitted once, and again for as long as the threads have been idle since', () => {
  const { clock, limit, burst } = busyLimit();
  expect(burst()).toBe(250);
  clock.nowMs = 1000;
  expect(burst()).toBe(0);
  limit.idle();
  clock.nowMs = 1030;
  limit.idle();
  clock.nowMs = 1100;
  limit.busy(false);
  expect(burst()).toBe(100);
  limit.idle();
  clock.nowMs = 60_000;
  limit.busy(false);
  expect(burst()).toBe(250);
});
