import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createProcessLock } from '../../../src/processes/memory/process-lock.js';

const PATIENCE_MS = 100;

function locksOver(words: Int32Array, patienceMs = PATIENCE_MS) {
  const told: string[] = [];
  const create = (name: string) =>
    createProcessLock({
      words,
      at: 0,
      repair: () => told.push(`${name} repairs`),
      startOver: () => told.push(`${name} starts over`),
      patienceMs,
    });
  return { told, create };
}

/** Takes a lock that has a holder, and gives it back. Gives what was done to what it guards. */
function takeOver(words: Int32Array, patienceMs: number): string[] {
  const { told, create } = locksOver(words, patienceMs);
  const lock = create('one');
  lock.acquire();
  lock.release();
  expect(words[0]).toBe(0);
  return told;
}

test('the lock of a holder that has ended is taken over at once', () => {
  const words = Int32Array.of(spawnSync(process.execPath, ['-e', '0']).pid);
  expect(takeOver(words, Number.POSITIVE_INFINITY)).toEqual(['one repairs']);
});

test('the lock is taken over after a while if only another process with the holder’s id runs', () => {
  const words = Int32Array.of(process.ppid);
  const startedAtMs = performance.now();
  expect(takeOver(words, PATIENCE_MS)).toEqual(['one repairs']);
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(PATIENCE_MS);
});

test('a stopped holder that goes on clears the memory, and does not release another’s lock', () => {
  const words = new Int32Array(1);
  const { told, create } = locksOver(words);
  const [stopped, other] = [create('stopped'), create('other')];
  other.acquire();
  other.release();
  stopped.acquire();
  other.acquire();
  expect(told).toEqual(['other repairs']);
  expect([stopped.isOwn(), other.isOwn()]).toEqual([false, true]);
  const held = words[0];
  expect(held).not.toBe(0);
  other.release();
  stopped.release();
  expect([told, words[0]]).toEqual([['other repairs', 'stopped starts over'], 0]);
});

test('a stopped holder that goes on waits for the lock before it clears the memory', () => {
  const words = new Int32Array(1);
  const { told, create } = locksOver(words);
  const [stopped, other] = [create('stopped'), create('other')];
  other.acquire();
  other.release();
  stopped.acquire();
  other.acquire();
  const startedAtMs = performance.now();
  // The other one never gets on, since both are in one thread.
  stopped.release();
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(PATIENCE_MS);
  expect(told).toEqual(['other repairs', 'stopped repairs', 'stopped starts over']);
});
