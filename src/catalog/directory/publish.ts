import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoggableError } from '../../core/loggable-error.js';
import { messageOf } from '../../core/message-of.js';
import { openDataset } from '../../format/dataset.js';
import { FormatError } from '../../format/format-error.js';
import { syncDirectory } from '../../platform/durable-files.js';
import type { Holder } from '../../platform/file-lock.js';
import { fileSystemReason } from '../../platform/file-system-error.js';
import { libc } from '../../platform/libc.js';
import { compileLock, UNFINISHED_PREFIX } from './compile-lock.js';
import { unlessLocked } from './datasets-lock.js';
import { holdGeneration } from './generation-hold.js';
import { findGenerationDamage, generationName, type WrittenFile } from './generation-name.js';
import { GENERATIONS_DIR, generationPath, readCurrent, setCurrent } from './generations.js';
import { recordSuccessor } from './history.js';
import { removeLeftover } from './leftovers.js';
import { condemnedPath, markerPath, publishLock } from './publish-lock.js';
import { forgetWithdrawn, isWithdrawn } from './withdrawn.js';

/** The outcome of a publication. */
export interface CommittedGeneration {
  readonly generation: string;
  /** False if this generation was already the published one. */
  readonly changed: boolean;
  /** Whether this generation was already published, and its missing or damaged files have been rewritten. */
  readonly restored: boolean;
  /** The generation that was published before; undefined if there was none or nothing has changed. */
  readonly replaced: string | undefined;
  /** Whether a rollback had gone back from this generation. */
  readonly wasWithdrawn: boolean;
}

/** A rollback went back from this generation, so it is not published again unless that is asked for. */
export class WithdrawnGenerationError extends Error {
  override readonly name = 'WithdrawnGenerationError';

  constructor(readonly generation: string) {
    super(`${generation} has been rolled back from`);
  }
}

/** The generation is the published one, but the disk did not confirm that it stays that after a power failure. */
export class UnconfirmedPublicationError extends LoggableError {
  override readonly name = 'UnconfirmedPublicationError';
}

/** A publication in progress: the only one in its datasets directory. */
export interface Publication {
  /** An empty directory to write the generation's files into. */
  readonly directory: string;
  /**
   * Verifies the written files, names the generation and makes it the published one. Waits while another process holds the
   * publish lock; throws `DatasetsLockedError` if that takes too long, `WithdrawnGenerationError`,
   * `UnconfirmedPublicationError` although the generation is published, and any error of the file system if it is not.
   */
  commit(files: readonly WrittenFile[]): CommittedGeneration;
  /** Removes files that were not committed and releases the compile lock. Safe after a commit. */
  close(): void;
}

export interface PublicationOptions {
  /** Names this publication to the processes that are refused in the meantime. */
  readonly holder?: Holder;
  /** How long a commit waits for the publish lock. */
  readonly waitMs?: number;
  /** Whether to publish a generation that a rollback went back from; by default it is published, and the rollback forgotten. */
  readonly evenIfWithdrawn?: boolean;
}

/** Long enough to wait for a prune that clears the leftovers of killed compiles, but not for another compile to end. */
const PRUNE_MAX_MS = 3000;
/** Long, because a rollback verifies a whole dataset while it holds the lock, and hours of compiling must not be lost. */
const COMMIT_WAIT_MS = 600_000;

/**
 * Begins a publication. Until it commits, other processes can change what is published. Throws `DatasetsLockedError` if
 * another publication is in progress, and any error of the file system.
 */
export function beginPublication(datasetsDir: string, options: PublicationOptions = {}): Publication {
  const { holder = 'compile', waitMs = COMMIT_WAIT_MS, evenIfWithdrawn = true } = options;
  const lock = compileLock.take(datasetsDir, { holder, waitMs: PRUNE_MAX_MS });
  // Not the process's id: in containers, a killed compile of another user, whose files stay, may have had the same one.
  const directory = join(datasetsDir, GENERATIONS_DIR, `${UNFINISHED_PREFIX}${randomUUID()}`);
  try {
    clearLeftovers(datasetsDir, holder);
    mkdirSync(directory);
  } catch (error) {
    lock.release();
    throw error;
  }
  let closed = false;
  return {
    directory,
    commit: (files) => commit(datasetsDir, directory, files, { holder, waitMs, evenIfWithdrawn }),
    close: () => {
      if (closed) return;
      closed = true;
      // Never fails: it would hide why the work failed, or make a publication look failed.
      removeLeftover(directory);
      lock.release();
    },
  };
}

/** Of killed processes, which may take up much disk space; unless another process is changing what is published. */
function clearLeftovers(datasetsDir: string, holder: Holder): void {
  try {
    publishLock.take(datasetsDir, { holder, waitMs: 0 }).release();
  } catch (error) {
    unlessLocked(error);
  }
}

function commit(
  datasetsDir: string,
  directory: string,
  files: readonly WrittenFile[],
  { holder, waitMs, evenIfWithdrawn }: Required<PublicationOptions>,
): CommittedGeneration {
  verifyDataset(directory);
  syncDirectory(directory);
  const generation = generationName(files);
  const target = generationPath(datasetsDir, generation);
  // If a generation with the same content exists, the new files are thrown away. A hold keeps it from being pruned while it
  // is verified: that takes too long to do under the publish lock, which a rollback may be waiting for.
  const held = holdGeneration(target);
  try {
    const isThere = held !== undefined && isIntact(target);
    const lock = publishLock.take(datasetsDir, { holder, waitMs });
    try {
      if (!evenIfWithdrawn) refuseWithdrawn(datasetsDir, generation);
      if (!isThere) nameGeneration(datasetsDir, directory, generation);
      const made = isThere ? makeCurrent(datasetsDir, generation) : makeCurrentOrRemove(datasetsDir, generation);
      return { ...made, restored: !isThere && !made.changed };
    } finally {
      lock.release();
    }
  } finally {
    held?.release();
  }
}

/** The current generation is no longer withdrawn, whatever the record says: a rollback may have been cut off. */
function refuseWithdrawn(datasetsDir: string, generation: string): void {
  if (readCurrent(datasetsDir) === generation) return;
  if (isWithdrawn(datasetsDir, generation)) throw new WithdrawnGenerationError(generation);
}

function nameGeneration(datasetsDir: string, directory: string, generation: string): void {
  const target = generationPath(datasetsDir, generation);
  // A crash before `CURRENT` is replaced leaves a named but unpublished generation; the marker says which one to clear.
  writeFileSync(markerPath(datasetsDir), `${generation}\n`, { flush: true });
  syncDirectory(datasetsDir);
  if (!existsSync(target)) renameSync(directory, target);
  // What was there is removed with the directory.
  else if (!libc().exchange(directory, target))
    replaceDamaged(directory, target, condemnedPath(datasetsDir, generation));
  syncDirectory(join(datasetsDir, GENERATIONS_DIR));
}

/**
 * Damaged files of the same generation are removed only once the new ones are in their place: it may be the current one.
 * In between it is missing; if the process is killed then, the next publication puts it back.
 */
function replaceDamaged(directory: string, target: string, former: string): void {
  renameSync(target, former);
  renameSync(directory, target);
  removeLeftover(former);
}

/** Makes a generation that has just got its name the current one, or removes it: the disk may lack the very space it takes. */
function makeCurrentOrRemove(datasetsDir: string, generation: string): ReturnType<typeof makeCurrent> {
  try {
    return makeCurrent(datasetsDir, generation);
  } catch (error) {
    if (!mayBeCurrent(datasetsDir, generation)) {
      removeLeftover(generationPath(datasetsDir, generation));
      removeLeftover(markerPath(datasetsDir));
    }
    throw error;
  }
}

function mayBeCurrent(datasetsDir: string, generation: string): boolean {
  try {
    return readCurrent(datasetsDir) === generation;
  } catch {
    // The next lock holder that can read it decides.
    return true;
  }
}

function makeCurrent(datasetsDir: string, generation: string): Omit<CommittedGeneration, 'restored'> {
  const current = readCurrent(datasetsDir);
  const changed = current !== generation;
  const wasWithdrawn = changed && isWithdrawn(datasetsDir, generation);
  if (changed) {
    recordSuccessor(datasetsDir, generation);
    forgetWithdrawn(datasetsDir, generation);
    replaceCurrent(datasetsDir, generation);
  }
  // From here on the generation is published, whatever fails. The next lock holder would remove the marker, too.
  removeLeftover(markerPath(datasetsDir));
  return { generation, changed, replaced: changed ? current : undefined, wasWithdrawn };
}

function replaceCurrent(datasetsDir: string, generation: string): void {
  try {
    setCurrent(datasetsDir, generation);
  } catch (error) {
    if (readCurrent(datasetsDir) !== generation) throw error;
    const why = fileSystemReason(error) ?? messageOf(error);
    throw new UnconfirmedPublicationError(`published ${generation}, but the disk did not confirm it: ${why}`);
  }
}

function verifyDataset(directory: string): void {
  const [damage] = findGenerationDamage(directory);
  if (damage) throw damage;
  openDataset(directory).release();
}

/** Whether a generation has the files that it is named after, all of them and undamaged. */
function isIntact(directory: string): boolean {
  try {
    verifyDataset(directory);
    return true;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
