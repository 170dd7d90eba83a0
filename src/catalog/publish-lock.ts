import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LoggableError } from '../core/loggable-error.js';
import { temporaryPath } from '../platform/durable-files.js';
import { makeDirectory } from '../platform/make-directory.js';
import {
  type AwaitedLockOptions,
  awaitFileLock,
  type FileLock,
  type Holder,
  holderOf,
  waitForFileLock,
} from './file-lock.js';
import { currentPath, GENERATIONS_DIR, generationPath, isGenerationName, readCurrent } from './generations.js';
import { historyPath } from './history.js';

/** Begins the names of directories that are generations no longer; whoever has the lock next clears them. */
export const CONDEMNED_PREFIX = '.condemned-';
const LOCK_FILE = '.lock';
/** Names the generation that is being made live, while it is. */
const MARKER_FILE = '.publishing';

/** Another process does here what only one may do at a time; the message names it. */
export class DatasetsLockedError extends LoggableError {
  override readonly name = 'DatasetsLockedError';
}

export function markerPath(datasetsDir: string): string {
  return join(datasetsDir, MARKER_FILE);
}

export interface PublishLockOptions {
  readonly holder: Holder;
  /** How long to wait for another that holds it. */
  readonly waitMs: number;
}

/**
 * Makes the caller the only one that changes which generations there are and which is current, until the lock is
 * released. A compile takes it for its last step alone, so that it is free while one runs. What a killed one left
 * behind is cleared. Blocks the thread while it waits. Throws {@link DatasetsLockedError} where another holds it for
 * longer, and what the file system throws.
 */
export function takePublishLock(datasetsDir: string, { holder, waitMs }: PublishLockOptions): FileLock {
  const path = prepare(datasetsDir);
  return cleared(datasetsDir, waitForFileLock(path, holder, waitMs));
}

/** The same, and lets the thread go on while it waits. */
export async function awaitPublishLock(
  datasetsDir: string,
  { holder, ...options }: PublishLockOptions & AwaitedLockOptions,
): Promise<FileLock> {
  const path = prepare(datasetsDir);
  return cleared(datasetsDir, await awaitFileLock(path, holder, options));
}

/** Clears what a killed one left behind, which may take much room, unless somebody is at work there. */
export function clearAbandoned(datasetsDir: string, holder: Holder): void {
  try {
    takePublishLock(datasetsDir, { holder, waitMs: 0 }).release();
  } catch (error) {
    if (!(error instanceof DatasetsLockedError)) throw error;
  }
}

function prepare(datasetsDir: string): string {
  makeDirectory(join(datasetsDir, GENERATIONS_DIR));
  return lockPath(datasetsDir);
}

const lockPath = (datasetsDir: string): string => join(datasetsDir, LOCK_FILE);

function cleared(datasetsDir: string, lock: FileLock | undefined): FileLock {
  if (!lock) {
    const holder = holderOf(lockPath(datasetsDir));
    throw new DatasetsLockedError(`${holder} is changing what is published here; try again when it is done`);
  }
  try {
    clearLeftovers(datasetsDir);
  } catch (error) {
    lock.release();
    throw error;
  }
  return lock;
}

/** Removes what was left behind by those that were killed: whoever holds the lock knows that they are dead. */
function clearLeftovers(datasetsDir: string): void {
  const generationsDir = join(datasetsDir, GENERATIONS_DIR);
  for (const name of readdirSync(generationsDir)) {
    if (name.startsWith(CONDEMNED_PREFIX)) rmSync(join(generationsDir, name), { recursive: true, force: true });
  }
  const marker = markerPath(datasetsDir);
  const named = existsSync(marker) ? readFileSync(marker, 'utf8').trim() : '';
  if (isGenerationName(named) && named !== readCurrent(datasetsDir)) {
    rmSync(generationPath(datasetsDir, named), { recursive: true, force: true });
  }
  rmSync(marker, { force: true });
  for (const path of [currentPath(datasetsDir), historyPath(datasetsDir)]) rmSync(temporaryPath(path), { force: true });
}
