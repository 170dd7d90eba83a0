import { CatalogError } from './catalog-error.js';

/** Why a datasets directory cannot be changed, by the file system's code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to write there',
  EPERM: 'no permission to write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'a directory is in the way',
  ENOTDIR: 'a part of the path is no directory',
};

/** What a change of a datasets directory failed with: a {@link CatalogError} where it cannot be written to, else as it is. */
export function asUnwritable(datasetsDir: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  const reason = REASONS[error.code];
  return reason === undefined
    ? error
    : new CatalogError('not-writable', `${datasetsDir}: ${reason} (${error.message})`);
}

/** Changes a datasets directory. Throws {@link CatalogError} where it cannot be written to. */
export function writeIn<T>(datasetsDir: string, change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw asUnwritable(datasetsDir, error);
  }
}
