import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncDirectory, writeFully } from '../platform/durable-files.js';
import { makeDirectory } from '../platform/make-directory.js';
import { dataFilePath } from './data-file.js';
import { namesIn } from './names-in.js';
import { toStateError } from './state-error.js';

/** What the names of the files begin with that a write is tried with. */
const PROBE = '.probe-';
/** More bytes than LMDB needs to create its files. */
const PROBE_BYTES = 65_536;
/** LMDB's own, beside the data file. */
export const LOCK_FILE = 'lock.mdb';

/**
 * Makes the directory, accessible only to its owner, and tries a write in it: LMDB's binding ends the process if it can only
 * create its files in part, and if its lock file is another user's. Once they are there, only whether the directory can be
 * written to is tried: what is kept must also be readable when the disk is full. Throws StateError.
 */
export function prepareDirectory(directory: string): void {
  const probe = join(directory, `${PROBE}${process.pid}`);
  try {
    const created = makeDirectory(directory, 0o700);
    if (created !== undefined) syncDirectory(dirname(created));
    removeLeftProbes(directory);
    const probeBytes = hasLmdbFiles(directory) ? 0 : PROBE_BYTES;
    const file = openSync(probe, 'w', 0o600);
    try {
      writeFully(file, Buffer.alloc(probeBytes), 0);
      // Some file systems report only now that there is no space.
      fsyncSync(file);
    } finally {
      closeSync(file);
      rmSync(probe, { force: true });
    }
    const lockFile = join(directory, LOCK_FILE);
    // Not opened: when a process closes the file, it loses the locks that it has on it.
    if (existsSync(lockFile)) accessSync(lockFile, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw toStateError(directory, error);
  }
}

/** Removes what processes that were killed have left. One that is trying a write now loses the name, which it can do without. */
function removeLeftProbes(directory: string): void {
  for (const name of namesIn(directory)) if (name.startsWith(PROBE)) rmSync(join(directory, name), { force: true });
}

const WRITE_OF_GROUP_AND_OTHERS = 0o022;

/** Whether users other than the owner may write to a directory: they could put files of their own in place of the state's. */
export function isWritableByOthers(directory: string): boolean {
  return ((statSync(directory, { throwIfNoEntry: false })?.mode ?? 0) & WRITE_OF_GROUP_AND_OTHERS) !== 0;
}

function hasLmdbFiles(directory: string): boolean {
  const sizes = [dataFilePath(directory), join(directory, LOCK_FILE)].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.every((size) => size > 0);
}
