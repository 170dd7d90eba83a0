import type { FileLock, Holder } from '../../platform/file-lock.js';
import { CatalogError } from '../directory/catalog-error.js';
import { DatasetsLockedError } from '../directory/datasets-lock.js';
import { requireDirectory } from '../directory/generations.js';
import { publishLock } from '../directory/publish-lock.js';
import { asUnwritable } from './unwritable.js';

export interface WithPublishLockOptions {
  /** Named to the processes that have to wait for the lock. */
  readonly holder: Holder;
  /** How long to wait for another process that holds the lock. */
  readonly waitMs: number;
  /** Ends the waiting, with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Does a service's work under the publish lock, without blocking the thread while another process holds it. Throws {@link
 * CatalogError}: `nothing-published` if there is no such directory, `busy` if the lock did not become free in time, and
 * `not-writable`.
 */
export async function withPublishLock<T>(
  datasetsDir: string,
  options: WithPublishLockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await lockOrBusy(datasetsDir, options);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function lockOrBusy(datasetsDir: string, options: WithPublishLockOptions): Promise<FileLock> {
  // Taking the lock would create the directory, in the place of one that is not mounted for example.
  requireDirectory(datasetsDir);
  try {
    return await publishLock.await(datasetsDir, options);
  } catch (error) {
    if (!(error instanceof DatasetsLockedError)) throw asUnwritable(datasetsDir, error);
    throw new CatalogError('busy', error.message);
  }
}
