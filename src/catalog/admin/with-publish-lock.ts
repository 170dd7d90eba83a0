import type { AwaitedLockOptions } from '../../platform/file-lock.js';
import { CatalogError } from '../directory/catalog-error.js';
import { DatasetsLockedError, type DatasetsLockOptions } from '../directory/datasets-lock.js';
import { requireDirectory } from '../directory/generations.js';
import { publishLock } from '../directory/publish-lock.js';
import { asUnwritable } from './unwritable.js';

/**
 * Does a service's work under the publish lock, without blocking the thread while another process holds it. Throws {@link
 * CatalogError}: `nothing-published` if there is no such directory, `busy` if the lock did not become free in time, and
 * `not-writable`.
 */
export async function withPublishLock<T>(
  datasetsDir: string,
  options: DatasetsLockOptions & AwaitedLockOptions,
  work: () => Promise<T>,
): Promise<T> {
  // Taking the lock would create the directory, in the place of one that is not mounted for example.
  requireDirectory(datasetsDir);
  const lock = await publishLock.await(datasetsDir, options).catch((error: unknown) => {
    throw error instanceof DatasetsLockedError
      ? new CatalogError('busy', error.message)
      : asUnwritable(datasetsDir, error);
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}
