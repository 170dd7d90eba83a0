import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from '../platform/durable-files.js';
import { libc } from '../platform/libc.js';
import { makeDirectory } from '../platform/make-directory.js';
import { currentPath, GENERATIONS_DIR, generationPath, isGenerationName, readCurrent } from './generations.js';
import { historyPath } from './history.js';

/** Begins the names of directories that are not, or no longer, generations; whoever has the lock next clears them. */
export const UNFINISHED_PREFIX = '.unfinished-';
const LOCK_FILE = '.lock';
/** Names the generation that is being made live, while it is. */
const MARKER_FILE = '.publishing';

/** Another process is publishing into the same directory. */
export class PublishLockedError extends Error {
  override readonly name = 'PublishLockedError';
}

export function markerPath(datasetsDir: string): string {
  return join(datasetsDir, MARKER_FILE);
}

/**
 * Makes the caller the only one that changes which generations there are and which is current, until the lock is
 * released. It is the kernel's: it goes with the process, so that a killed one blocks nobody. What a killed one left
 * behind is cleared. Throws {@link PublishLockedError} where another holds it, and what the file system throws.
 */
export function takePublishLock(datasetsDir: string): { release(): void } {
  makeDirectory(join(datasetsDir, GENERATIONS_DIR));
  const lock = openSync(join(datasetsDir, LOCK_FILE), 'w');
  if (!libc().tryLock(lock, 'exclusive')) {
    closeSync(lock);
    throw new PublishLockedError(
      `${datasetsDir}: another process is publishing a dataset here; try again when it is done`,
    );
  }
  try {
    clearLeftovers(datasetsDir);
  } catch (error) {
    closeSync(lock);
    throw error;
  }
  return { release: () => closeSync(lock) };
}

/** Removes what was left behind by those that were killed: whoever holds the lock knows that they are dead. */
function clearLeftovers(datasetsDir: string): void {
  const generationsDir = join(datasetsDir, GENERATIONS_DIR);
  for (const name of readdirSync(generationsDir)) {
    if (name.startsWith(UNFINISHED_PREFIX)) rmSync(join(generationsDir, name), { recursive: true, force: true });
  }
  const marker = markerPath(datasetsDir);
  const named = existsSync(marker) ? readFileSync(marker, 'utf8').trim() : '';
  if (isGenerationName(named) && named !== readCurrent(datasetsDir)) {
    rmSync(generationPath(datasetsDir, named), { recursive: true, force: true });
  }
  rmSync(marker, { force: true });
  for (const path of [currentPath(datasetsDir), historyPath(datasetsDir)]) rmSync(temporaryPath(path), { force: true });
}
