import { join } from 'node:path';
import { LoggableError } from '../../core/loggable-error.js';
import {
  type AwaitedLockOptions,
  awaitFileLock,
  type FileLock,
  type Holder,
  holderOf,
  waitForFileLock,
} from '../../platform/file-lock.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { GENERATIONS_DIR } from './generations.js';
import { removeLeftover, removeLeftoverBeside } from './leftovers.js';

/** Another process holds the lock; the message names that process and the datasets directory. */
export class DatasetsLockedError extends LoggableError {
  override readonly name = 'DatasetsLockedError';
}

/** A kind of work that only one process at a time may do in a datasets directory. */
interface Work {
  /** The lock file's name in the datasets directory. */
  readonly file: string;
  /** What the holder is doing, for the error message that other processes get. */
  readonly doing: string;
  /**
   * Mends what killed holders left half done, and gives the paths of their leftovers, each to be removed before it goes on.
   * The caller holds the lock, so none of them can still be running.
   */
  leftovers(datasetsDir: string): Iterable<string>;
}

export interface DatasetsLockOptions {
  readonly holder: Holder;
  /** How long to wait for another holder. */
  readonly waitMs: number;
}

/** A lock for one kind of work in a datasets directory, held until it is released or its process ends. */
export interface DatasetsLock {
  /**
   * Takes the lock and clears the leftovers of killed holders. Blocks the thread while waiting. Throws {@link
   * DatasetsLockedError} if another process still holds the lock after `waitMs`, and any error of the file system.
   */
  take(datasetsDir: string, options: DatasetsLockOptions): FileLock;
  /** Like `take`, without blocking the thread, neither while waiting nor for what is removed. */
  await(datasetsDir: string, options: DatasetsLockOptions & AwaitedLockOptions): Promise<FileLock>;
}

export function createDatasetsLock({ file, doing, leftovers }: Work): DatasetsLock {
  const prepare = (datasetsDir: string): string => {
    makeDirectory(join(datasetsDir, GENERATIONS_DIR));
    return join(datasetsDir, file);
  };
  const requireLock = (datasetsDir: string, lock: FileLock | undefined): FileLock => {
    if (lock) return lock;
    const holder = holderOf(join(datasetsDir, file));
    throw new DatasetsLockedError(`${datasetsDir}: ${holder} ${doing}; try again when it has finished`);
  };
  return {
    take: (datasetsDir, { holder, waitMs }) => {
      const lock = requireLock(datasetsDir, waitForFileLock(prepare(datasetsDir), holder, waitMs));
      try {
        for (const path of leftovers(datasetsDir)) removeLeftover(path);
        return lock;
      } catch (error) {
        lock.release();
        throw error;
      }
    },
    await: async (datasetsDir, { holder, ...options }) => {
      const lock = requireLock(datasetsDir, await awaitFileLock(prepare(datasetsDir), holder, options));
      try {
        for (const path of leftovers(datasetsDir)) await removeLeftoverBeside(path);
        return lock;
      } catch (error) {
        lock.release();
        throw error;
      }
    },
  };
}

/** To catch the errors of an attempt to take a lock: passes on all but that another process holds it. */
export function unlessLocked(error: unknown): undefined {
  if (!(error instanceof DatasetsLockedError)) throw error;
  return undefined;
}
