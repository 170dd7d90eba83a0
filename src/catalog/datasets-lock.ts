import { join } from 'node:path';
import { LoggableError } from '../core/loggable-error.js';
import {
  type AwaitedLockOptions,
  awaitFileLock,
  type FileLock,
  type Holder,
  holderOf,
  waitForFileLock,
} from '../platform/file-lock.js';
import { makeDirectory } from '../platform/make-directory.js';
import { GENERATIONS_DIR } from './generations.js';

/** Another process does here what only one may do at a time; the message names it, and the datasets directory. */
export class DatasetsLockedError extends LoggableError {
  override readonly name = 'DatasetsLockedError';
}

/** What only one process may do in a datasets directory at a time. */
interface Work {
  /** The lock's name there. */
  readonly file: string;
  /** What others are told that its holder does. */
  readonly doing: string;
  /** Removes what was left behind by those that were killed: whoever holds the lock knows that they are dead. */
  clear(datasetsDir: string): void;
}

export interface DatasetsLockOptions {
  readonly holder: Holder;
  /** How long to wait for another that holds it. */
  readonly waitMs: number;
}

/** Makes its holder the only one that does some work in a datasets directory, until it is released or its process ends. */
export interface DatasetsLock {
  /**
   * Clears what killed ones left behind, too. Blocks the thread while it waits. Throws {@link DatasetsLockedError}
   * where another holds it for longer, and what the file system throws.
   */
  take(datasetsDir: string, options: DatasetsLockOptions): FileLock;
  /** The same, and lets the thread go on while it waits. */
  await(datasetsDir: string, options: DatasetsLockOptions & AwaitedLockOptions): Promise<FileLock>;
  /** Clears what killed ones left behind, which may take much room, unless somebody is at work there. */
  clear(datasetsDir: string, holder: Holder): void;
}

export function createDatasetsLock({ file, doing, clear }: Work): DatasetsLock {
  const prepare = (datasetsDir: string): string => {
    makeDirectory(join(datasetsDir, GENERATIONS_DIR));
    return join(datasetsDir, file);
  };
  const cleared = (datasetsDir: string, path: string, lock: FileLock | undefined): FileLock => {
    if (!lock) {
      throw new DatasetsLockedError(`${datasetsDir}: ${holderOf(path)} ${doing}; try again when it is done`);
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
