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
  /** Removes the leftovers of killed holders; the caller holds the lock, so none of them can still be running. */
  clear(datasetsDir: string): void;
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
  /** Like `take`, without blocking the thread. */
  await(datasetsDir: string, options: DatasetsLockOptions & AwaitedLockOptions): Promise<FileLock>;
  /** Clears the leftovers of killed holders, which may take up much disk space, unless the lock is held. */
  clear(datasetsDir: string, holder: Holder): void;
}

export function createDatasetsLock({ file, doing, clear }: Work): DatasetsLock {
  const prepare = (datasetsDir: string): string => {
    makeDirectory(join(datasetsDir, GENERATIONS_DIR));
    return join(datasetsDir, file);
  };
  const cleared = (datasetsDir: string, path: string, lock: FileLock | undefined): FileLock => {
    if (!lock) {
      throw new DatasetsLockedError(`${datasetsDir}: ${holderOf(path)} ${doing}; try again when it has finished`);
    }
    try {
      clear(datasetsDir);
    } catch (error) {
      lock.release();
      throw error;
    }
    return lock;
  };
  const take: DatasetsLock['take'] = (datasetsDir, { holder, waitMs }) => {
    const path = prepare(datasetsDir);
    return cleared(datasetsDir, path, waitForFileLock(path, holder, waitMs));
  };
  return {
    take,
    await: async (datasetsDir, { holder, ...options }) => {
      const path = prepare(datasetsDir);
      return cleared(datasetsDir, path, await awaitFileLock(path, holder, options));
    },
    clear: (datasetsDir, holder) => {
      try {
        take(datasetsDir, { holder, waitMs: 0 }).release();
      } catch (error) {
        if (!(error instanceof DatasetsLockedError)) throw error;
      }
    },
  };
}
