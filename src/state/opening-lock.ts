import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { libc } from '../platform/libc.js';
import { openLockFile } from './lock-file.js';
import { StateError, toStateError } from './state-error.js';

/** An opening process holds both locks, this one first, so that a stream of writers cannot keep it waiting. */
const GATE_FILE = 'opening.lock';
/** Locked shared by every process that writes, and exclusively by one that opens. */
const WRITING_FILE = 'writing.lock';
const RETRY_DELAY_MS = 1;

/**
 * Keeps the opening of a database from overlapping with any commit to it, over all processes. LMDB's binding needs that for
 * two reasons. While it opens a database, it sets the number of the newest transaction, which all processes share, to what
 * it has read from the file a moment before (`mdb_env_open2` in its mdb.c), so that a commit in between would be overwritten
 * by the next one. And the last process that closes the database destroys mutexes that an opening one may be about to use.
 * The locks are the kernel's: they are released when the process ends.
 */
export interface OpeningLock {
  /** Waits until no process is opening, and lets none open before `leave`. Every `enter` that resolved needs a `leave`. */
  enter(): Promise<void>;
  leave(): void;
  /** Runs `open` while no other process writes, opens or closes. Not to be called between `enter` and `leave`. */
  alone<T>(open: () => T): Promise<T>;
  close(): void;
}

/**
 * Throws {@link StateError} if the lock files cannot be made. The methods reject with one if others hold the lock for longer
 * than `timeoutMs`, or the system has no locks to give.
 */
export function createOpeningLock(directory: string, { timeoutMs = 30_000 } = {}): OpeningLock {
  const gate = openLockFile(directory, GATE_FILE);
  let writing: number;
  try {
    writing = openLockFile(directory, WRITING_FILE);
  } catch (error) {
    closeSync(gate);
    throw error;
  }
  let entered = 0;
  let pause: Promise<void> | undefined;

  const tryLock = (file: number, kind: 'shared' | 'exclusive'): boolean => {
    try {
      return libc().tryLock(file, kind);
    } catch (error) {
      throw toStateError(directory, error);
    }
  };
  const tryEnter = (): boolean => {
    if (!tryLock(gate, 'shared')) return false;
    try {
      if (entered === 0 && !tryLock(writing, 'shared')) return false;
      entered++;
      return true;
    } finally {
      libc().unlock(gate);
    }
  };
  const until = async (take: () => boolean, what: string): Promise<void> => {
    const deadline = performance.now() + timeoutMs;
    while (!take()) {
      if (performance.now() > deadline)
        throw new StateError('io-failed', directory, `another process keeps ${what} it`);
      // One timer for all waiting callers, so that they proceed in the order in which they came.
      pause ??= delay(RETRY_DELAY_MS).then(() => {
        pause = undefined;
      });
      await pause;
    }
  };

  return {
    enter: () => until(tryEnter, 'opening'),
    leave: () => {
      entered--;
      if (entered === 0) libc().unlock(writing);
    },
    alone: async (open) => {
      await until(() => tryLock(gate, 'exclusive'), 'opening');
      try {
        await until(() => tryLock(writing, 'exclusive'), 'writing');
        try {
          return open();
        } finally {
          libc().unlock(writing);
        }
      } finally {
        libc().unlock(gate);
      }
    },
    close: () => {
      closeSync(gate);
      closeSync(writing);
    },
  };
}
