import { fileSystemReason } from '../../platform/file-system-error.js';
import { CatalogError } from '../directory/catalog-error.js';

/**
 * Turns an error that says the datasets directory cannot be written to into a {@link CatalogError}; passes any other error
 * through.
 */
export function asUnwritable(datasetsDir: string, error: unknown): unknown {
  const reason = fileSystemReason(error);
  return reason === undefined ? error : new CatalogError('not-writable', `${datasetsDir}: ${reason}`);
}
