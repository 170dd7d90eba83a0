import { closeSync, fchownSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../core/system-code.js';
import { NOT_TO_BE_GIVEN, ownerOf } from './hand-over.js';
import { toStateError } from './state-error.js';

/** Opens a lock file of a state directory; makes it if it is missing, as {@link makeLockFile} does. Throws StateError. */
export function openLockFile(directory: string, name: string): number {
  try {
    return makeLockFile(directory, name) ?? openSync(join(directory, name), 'a', 0o600);
  } catch (error) {
    throw toStateError(directory, error);
  }
}

/**
 * Makes and opens a lock file (mode 0600); returns undefined if there is one. What root makes is given to the directory's
 * owner: the user that the service runs as could not open it. Throws the file system's error.
 */
export function makeLockFile(directory: string, name: string): number | undefined {
  let file: number;
  try {
    file = openSync(join(directory, name), 'ax', 0o600);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return undefined;
    throw error;
  }
  try {
    if (process.getuid?.() === 0) give(file, directory);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function give(file: number, directory: string): void {
  const { uid, gid } = ownerOf(directory);
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    if (!NOT_TO_BE_GIVEN.has(systemCode(error))) throw error;
  }
}
