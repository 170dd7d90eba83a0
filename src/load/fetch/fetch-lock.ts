import { dirname } from 'node:path';
import { type FileLock, holderOf, tryFileLock } from '../../platform/file-lock.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { FetchSetupError } from './fetch-error.js';
import type { StoreLayout } from './store-layout.js';

/** Makes the caller the only process that fetches into the folder. Throws `FetchSetupError` if another one is fetching. */
export function takeFetchLock({ lock: path, outputDir }: StoreLayout): FileLock {
  makeDirectory(dirname(path));
  const lock = tryFileLock(path, 'fetch');
  if (lock) return lock;
  throw new FetchSetupError(`${outputDir}: ${holderOf(path)} is already fetching here; try again when it has finished`);
}
