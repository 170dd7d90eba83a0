import { closeSync, fstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { libc } from '../platform/libc.js';
import { openLockFile } from './lock-file.js';
import { StateError, toStateError } from './state-error.js';

/** Locked shared by every process that has the directory open, and exclusively by one that replaces the directory. */
const USE_FILE = 'in-use.lock';

/**
 * Marks the directory as used by this process, until the returned function is called or the process ends. Throws StateError:
 * `in-use` if a restore is replacing the directory.
 */
export function markInUse(directory: string): () => void {
  return lockUse(directory, 'shared');
}

/** Keeps all others from opening a directory. Throws StateError: `in-use` if a process has it open. */
export function keepUnused(directory: string): () => void {
  return lockUse(directory, 'exclusive');
}

function lockUse(directory: string, kind: 'shared' | 'exclusive'): () => void {
  const path = join(directory, USE_FILE);
  const file = openLockFile(directory, USE_FILE);
  try {
    if (libc().tryLock(file, kind) && isFileAt(path, file)) return () => closeSync(file);
  } catch (error) {
    closeSync(file);
    throw toStateError(directory, error);
  }
  closeSync(file);
  throw new StateError(
    'in-use',
    directory,
    kind === 'shared' ? 'is being replaced by a restore' : 'is in use; stop the service first',
  );
}

/**
 * Whether the path still leads to the open file: a restore may just have replaced the directory by another, with a lock file
 * of its own.
 */
function isFileAt(path: string, file: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  const { dev, ino } = fstatSync(file);
  return there?.dev === dev && there.ino === ino;
}
