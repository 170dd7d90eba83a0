import { fileSystemReason } from '../platform/file-system-reason.js';
import { CatalogError } from './catalog-error.js';

/**
 * What a change of a datasets directory failed with: a {@link CatalogError} where it cannot be written to, else as it
 * is.
 */
export function asUnwritable(datasetsDir: string, error: unknown): unknown {
  const reason = fileSystemReason(error);
  return reason === undefined ? error : new CatalogError('not-writable', `${datasetsDir}: ${reason}`);
}

/** Changes a datasets directory. Throws {@link CatalogError} where it cannot be written to. */
export function writeIn<T>(datasetsDir: string, change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw asUnwritable(datasetsDir, error);
  }
}
