import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { giveBackMemoryWhenIdle } from '../../src/idle-memory.js';
import { libc } from '../../src/libc.js';

/** Seconds in which the event loop was busy for such shares; gives after which of them memory was given back. */
function givenBackAfter(shares: readonly number[]): number[] {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let share = 0;
  const giveBack = vi.fn();
  const utilization = () => ({ idle: 0, active: 0, utilization: share });
  const stop = giveBackMemoryWhenIdle({ utilization, giveBack });
  const after: number[] = [];
  shares.forEach((next, second) => {
    share = next;
    giveBack.mockClear();
    vi.advanceTimersByTime(1000);
    if (giveBack.mock.calls.length > 0) after.push(second);
  });
  stop();
  vi.advanceTimersByTime(10_000);
  expect(vi.getTimerCount()).toBe(0);
  return after;
}

test.each([
  { what: 'after work, once', shares: [0.9, 0, 0, 0.02], after: [1] },
  { what: 'each time anew', shares: [0.3, 0.01, 0.3, 0.05], after: [1, 3] },
  { what: 'not as long as there is work', shares: [0.9, 0.15, 0.9, 0.5], after: [] },
  { what: 'not where there was none', shares: [0, 0.19, 0, 0.05], after: [] },
])('memory is given back $what', ({ shares, after }) => {
  expect(givenBackAfter(shares)).toEqual(after);
});

test.runIf(isGlibc())('what is free between what is held goes back to the system', async () => {
  const held: Buffer[] = [];
  for (let turn = 0; turn < 60_000; turn++) {
    const bytes = Buffer.allocUnsafeSlow(2000).fill(1);
    if (turn % 20 === 0) held.push(bytes);
  }
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const before = privateMib();
  // V8 frees the memory of dead buffers in a thread of its own.
  await vi.waitFor(() => {
    libc().giveBackFreeMemory();
    expect(privateMib()).toBeLessThan(before - 40);
  });
  expect(held.every((bytes) => bytes.every((byte) => byte === 1))).toBe(true);
});

function isGlibc(): boolean {
  return z.object({ header: z.object({ glibcVersionRuntime: z.string() }) }).safeParse(process.report.getReport())
    .success;
}

function privateMib(): number {
  const [, kib = '0'] = /^Private_Dirty: +(\d+) kB/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8')) ?? [];
  return Number(kib) / 1024;
}
