import { closeSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createCaller } from '../../../src/outbound/caller.js';
import { createTurns } from '../../../src/outbound/turns.js';
import { createTallies, openTallies } from '../../../src/processes/memory/tallies.js';

const now = (): number => performance.now();

test('a turn comes an interval after the last one was taken, for all who share the memory', () => {
  const nextAt = new BigInt64Array(1);
  let nowMs = 5;
  const [one, other] = [createTurns({ nextAt, now: () => nowMs }), createTurns({ nextAt, now: () => nowMs })];
  expect([one.take(1000), other.take(1000)]).toEqual([0, 1000]);
  nowMs = 1004.5;
  expect(other.take(1000)).toBe(1);
  // It is taken late, and so the next one is.
  nowMs = 1300;
  expect([other.take(1000), one.take(1000)]).toEqual([0, 1000]);
  nowMs = 2299;
  expect(one.take(1000)).toBe(1);
  nowMs = 2300;
  expect(one.take(1000)).toBe(0);
});

test('a process that had the last turn lets the others go first', () => {
  const nextAt = new BigInt64Array(1);
  let nowMs = 0;
  const [one, other] = [createTurns({ nextAt, now: () => nowMs }), createTurns({ nextAt, now: () => nowMs })];
  expect([one.take(1000), one.take(1000), other.take(1000)]).toEqual([0, 1020, 1000]);
  nowMs = 1010;
  expect([one.take(1000), other.take(1000)]).toEqual([10, 0]);
  nowMs = 2010;
  expect([other.take(1000), one.take(1000)]).toEqual([20, 0]);
  // Where nobody else comes, it is its own again.
  nowMs = 3030;
  expect(one.take(1000)).toBe(0);
});

test('without an interval it is always anybody’s turn', () => {
  const turns = createTurns({ nextAt: new BigInt64Array(1), now: () => 0 });
  expect([turns.take(0), turns.take(0)]).toEqual([0, 0]);
});

test('callers in several processes call no more often than the interval allows, and each has its share', async () => {
  const [processes, intervalMs, calls] = [2, 100, 5];
  const { fd } = createTallies(processes);
  onTestFinished(() => closeSync(fd));
  const starts: { readonly index: number; readonly atMs: number }[] = [];
  const callers = [0, 1].map((index) =>
    createCaller({
      rules: { maxConcurrent: 1, minIntervalMs: intervalMs, maxWaiting: calls },
      turns: openTallies({ fd, processes, index, windowSeconds: 60 }).nominatimTurns,
      timeoutMs: 10_000,
      coolDownMs: 1000,
      now,
    }),
  );
  const begunAtMs = now();
  await Promise.all(
    callers.flatMap((caller, index) =>
      Array.from({ length: calls }, () => caller.call(async () => starts.push({ index, atMs: now() }))),
    ),
  );
  expect(starts).toHaveLength(processes * calls);
  // Against the beginning, not the call before: on a busy machine a caller may be late for its turn, and the next be in time.
  const tooEarly = starts.filter(({ atMs }, turn) => atMs < begunAtMs + turn * intervalMs);
  expect(tooEarly).toEqual([]);
  // Neither has to wait until the other has done.
  expect(new Set(starts.slice(0, calls).map(({ index }) => index)).size).toBe(processes);
});

test('a turn that a caller gave up waiting for is left to the others', async () => {
  const nextAt = new BigInt64Array(1);
  const intervalMs = 2000;
  const rules = { maxConcurrent: 1, minIntervalMs: intervalMs, maxWaiting: 5 };
  const callerWith = (timeoutMs: number) =>
    createCaller({ rules, turns: createTurns({ nextAt, now }), timeoutMs, coolDownMs: 1000, now });
  await callerWith(10_000).call(async () => {});
  const startedAtMs = now();
  await expect(callerWith(200).call(async () => {})).rejects.toThrow('busy');
  await callerWith(10_000).call(async () => {});
  // With its turn kept, it would be two intervals.
  expect(now() - startedAtMs).toBeLessThan(2 * intervalMs - 100);
});
