import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { libc } from '../../platform/libc.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { FetchSetupError } from './fetch-error.js';
import type { StoreLayout } from './store-layout.js';

/**
 * Makes the caller the only one that fetches into the folder. The lock is the kernel's: it goes with the process, so that
 * a killed one blocks nobody. Throws `FetchSetupError` where another has it.
 */
export function takeFetchLock({ lock, outputDir }: StoreLayout): { release(): void } {
  makeDirectory(dirname(lock));
  const fd = openSync(lock, 'w');
  if (!libc().tryLock(fd, 'exclusive')) {
    closeSync(fd);
    throw new FetchSetupError(`${outputDir}: another fetch is running here; try again when it is done`);
  }
  return { release: () => closeSync(fd) };
}
