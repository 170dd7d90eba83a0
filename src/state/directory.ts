import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncDirectory, writeFully } from '../platform/durable-files.js';
import { makeDirectory } from '../platform/make-directory.js';
import { toStateError } from './state-error.js';

/** More than LMDB needs to create its files. */
const PROBE_BYTES = 65_536;

/**
 * Makes the directory, for its owner alone, and tries a write in it: LMDB's binding ends the process where it can create
 * its files only in part. Throws StateError.
 */
export function prepareDirectory(directory: string): void {
  const probe = join(directory, `.probe-${process.pid}`);
  try {
    const created = makeDirectory(directory, 0o700);
    if (created !== undefined) syncDirectory(dirname(created));
    const file = openSync(probe, 'w', 0o600);
    try {
      writeFully(file, Buffer.alloc(PROBE_BYTES), 0);
      // Some file systems find out only now that there is no space.
      fsyncSync(file);
    } finally {
      closeSync(file);
      rmSync(probe, { force: true });
    }
  } catch (error) {
    throw toStateError(directory, error);
  }
}
