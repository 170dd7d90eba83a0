import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { giveBackMemoryWhenIdle } from '../../../src/platform/idle-memory.js';
import { libc } from '../../../src/platform/libc.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { eventually } from '../../support/eventually.js';
import { isGlibc } from '../../support/glibc.js';

/** Seconds with so much processor time each; gives after which of them memory was given back. */
function givenBackAfter(secondsMs: readonly number[]): number[] {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let usedMs = 5000;
  const giveBack = vi.fn();
  const stop = giveBackMemoryWhenIdle({ usedMs: () => usedMs, giveBack });
  const after = secondsMs.flatMap((milliseconds, second) => {
    usedMs += milliseconds;
    giveBack.mockClear();
    vi.advanceTimersByTime(1000);
    return giveBack.mock.calls.length > 0 ? [second] : [];
  });
  stop();
  expect(vi.getTimerCount()).toBe(0);
  return after;
}

const IDLE = Array<number>(100).fill(20);

test.each([
  { what: 'a few times after work', secondsMs: [1500, ...IDLE], after: [1, 2, 4, 8, 16, 32] },
  { what: 'anew after more work', secondsMs: [300, 0, 0, 0, 250, 10, 10], after: [1, 2, 5, 6] },
  { what: 'not while the process is busy', secondsMs: [900, 150, 900, 120, 500], after: [] },
  { what: 'not if there was no work before', secondsMs: [0, 190, ...IDLE], after: [] },
])('memory is given back $what', ({ secondsMs, after }) => {
  expect(givenBackAfter(secondsMs)).toEqual(after);
});

test.runIf(isGlibc())('free memory between blocks in use goes back to the system', async () => {
  // All at first: of buffers that die one by one V8 would free some before there are many.
  const all = Array.from({ length: 60_000 }, () => Buffer.allocUnsafeSlow(2000).fill(1));
  const held = all.filter((_, turn) => turn % 20 === 0);
  all.length = 0;
  collectGarbage();
  const before = privateMib();
  // V8 frees the memory of dead buffers in a thread of its own.
  await eventually(() => {
    libc().giveBackFreeMemory();
    expect(privateMib()).toBeLessThan(before - 40);
  });
  expect(held.every((bytes) => bytes.every((byte) => byte === 1))).toBe(true);
});

function privateMib(): number {
  const [, kib = '0'] = /^Private_Dirty: +(\d+) kB/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8')) ?? [];
  return Number(kib) / 1024;
}
