import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../platform/make-directory.js';
import { type FileLock, type Holder, holderOf, waitForFileLock } from './file-lock.js';
import { GENERATIONS_DIR } from './generations.js';
import { DatasetsLockedError } from './publish-lock.js';

/** Begins the names of directories that a compile writes to, or did not end. */
export const UNFINISHED_PREFIX = '.unfinished-';
const LOCK_FILE = '.compile-lock';
/** A prune that clears what killed compiles have left is waited for, but not another compile to its end. */
const PRUNE_MAX_MS = 3000;

/**
 * Makes the caller the only one that compiles into the directory; what is published there may be changed by others
 * meanwhile. What a killed compile left behind is cleared. Throws {@link DatasetsLockedError} where another compiles, and
 * what the file system throws.
 */
export function takeCompileLock(datasetsDir: string, holder: Holder, waitMs = PRUNE_MAX_MS): FileLock {
  makeDirectory(join(datasetsDir, GENERATIONS_DIR));
  const path = join(datasetsDir, LOCK_FILE);
  const lock = waitForFileLock(path, holder, waitMs);
  if (!lock) {
    throw new DatasetsLockedError(
      `${datasetsDir}: ${holderOf(path)} is making a dataset here already; try again when it is done`,
    );
  }
  try {
    for (const directory of unfinished(datasetsDir)) rmSync(directory, { recursive: true, force: true });
  } catch (error) {
    lock.release();
    throw error;
  }
  return lock;
}

/** Removes what killed compiles have left behind, unless one is running. */
export function clearUnfinished(datasetsDir: string, holder: Holder): void {
  if (unfinished(datasetsDir).length === 0) return;
  try {
    takeCompileLock(datasetsDir, holder, 0).release();
  } catch (error) {
    if (!(error instanceof DatasetsLockedError)) throw error;
  }
}

function unfinished(datasetsDir: string): string[] {
  const generationsDir = join(datasetsDir, GENERATIONS_DIR);
  return readdirSync(generationsDir).flatMap((name) =>
    name.startsWith(UNFINISHED_PREFIX) ? join(generationsDir, name) : [],
  );
}
