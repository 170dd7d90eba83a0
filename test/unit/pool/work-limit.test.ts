import { expect, test } from 'vitest';
import type { Task } from '../../../src/pool/protocol.js';
import { createWorkLimit } from '../../../src/pool/work-limit.js';

const RANKINGS: Task = { kind: 'rankings', row: 1 };
const NEARBY: Task = { kind: 'nearby', query: { center: { lat: 0, lng: 0 }, radiusMiles: 1, limit: 1, offset: 0 } };

/** More than few. */
const MANY = 10_000;

/** A limit that has been busy since the beginning, over a clock that the test moves. */
function busyLimit(threads = 1) {
  const clock = { nowMs: 0 };
  const limit = createWorkLimit(threads, () => clock.nowMs);
  limit.busy();
  /** How many tasks of a millisecond are admitted behind a second's work. */
  const burst = (): number => {
    let admitted = 0;
    while (limit.admits(MANY, 1000, 1)) admitted++;
    return admitted;
  };
  return { clock, limit, burst };
}

test('each kind of task is expected to take what it has lately taken', () => {
  const { limit } = busyLimit();
  for (let time = 0; time < 200; time++) limit.tookMs(RANKINGS, 4);
  expect(limit.expectMs(RANKINGS)).toBeCloseTo(4, 2);
  expect(limit.expectMs(NEARBY)).toBe(0.03);
});

test('one task that took a thousand times as long, since the machine stood still, says little of the others', () => {
  const { limit } = busyLimit();
  for (let time = 0; time < 200; time++) limit.tookMs(NEARBY, 0.2);
  limit.tookMs(NEARBY, 200);
  expect(limit.expectMs(NEARBY)).toBeLessThan(0.6);
  for (let time = 0; time < 50; time++) limit.tookMs(NEARBY, 200);
  expect(limit.expectMs(NEARBY)).toBeGreaterThan(100);
});

test('large tasks among small ones of their kind count in full', () => {
  const { limit } = busyLimit();
  for (let time = 0; time < 2000; time++) limit.tookMs(NEARBY, time % 20 === 0 ? 4 : 0.2);
  // Behind 19 small ones; the mean is 0.39.
  expect(limit.expectMs(NEARBY)).toBeGreaterThan(0.25);
  limit.tookMs(NEARBY, 4);
  expect(limit.expectMs(NEARBY)).toBeGreaterThan(0.4);
});

test('a short wait is always admitted, whatever burst there was', () => {
  const { limit, burst } = busyLimit();
  burst();
  expect(limit.admits(MANY, 20, 1)).toBe(true);
  expect(limit.admits(MANY, 20.1, 1)).toBe(false);
});

test('threads share the wait', () => {
  const { limit, burst } = busyLimit(4);
  burst();
  expect(limit.admits(MANY, 80, 1)).toBe(true);
  expect(limit.admits(MANY, 80.1, 1)).toBe(false);
});

test('a few long tasks for each thread are admitted, unless they would wait for as long as a burst', () => {
  const { limit, burst } = busyLimit(2);
  burst();
  expect(limit.admits(191, 400, 1)).toBe(true);
  expect(limit.admits(192, 400, 1)).toBe(false);
  expect(limit.admits(10, 500.1, 1)).toBe(false);
});

test('a burst is admitted once, and again as far as threads have been idle since', () => {
  const { clock, limit, burst } = busyLimit();
  expect(burst()).toBe(250);
  clock.nowMs = 1000;
  expect(burst()).toBe(0);
  limit.idle();
  clock.nowMs = 1030;
  limit.idle();
  clock.nowMs = 1100;
  limit.busy();
  expect(burst()).toBe(100);
  limit.idle();
  clock.nowMs = 60_000;
  limit.busy();
  expect(burst()).toBe(250);
});
