import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentHash } from '../format/checksum.js';
import type { SectionEntry } from '../format/container-header.js';
import { findDamage, openDataset } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import { syncDirectory } from '../platform/durable-files.js';
import type { Holder } from '../platform/file-lock.js';
import { compileLock, UNFINISHED_PREFIX } from './compile-lock.js';
import { holdGeneration } from './generation-hold.js';
import { GENERATIONS_DIR, generationPath, readCurrent, setCurrent } from './generations.js';
import { recordSuccessor } from './history.js';
import { markerPath, publishLock } from './publish-lock.js';

/** What a writer says of one file that it wrote. */
export interface WrittenFile {
  readonly name: string;
  readonly sections: readonly SectionEntry[];
}

/** What a publication came to. */
export interface CommittedGeneration {
  readonly generation: string;
  /** False where it was published already. */
  readonly changed: boolean;
  /** Whether it was published already, but its files were gone or damaged and have been written again. */
  readonly restored: boolean;
  /** The generation that was published until now; undefined where none was, or nothing has changed. */
  readonly replaced: string | undefined;
}

/** A publication under way: the only one in its datasets directory. */
export interface Publication {
  /** An empty directory to write the generation's files into. */
  readonly directory: string;
  /**
   * Verifies the written files, gives the generation its name and makes it the published one. Gives the name, whether it is
   * another than before, and which one that was. Waits while what is published is being changed. Throws
   * `DatasetsLockedError` where that takes too long.
   */
  commit(files: readonly WrittenFile[]): CommittedGeneration;
  /** Removes what was written and lets others begin. Safe after a commit. */
  close(): void;
}

export interface PublicationOptions {
  /** Whose it is, for whoever is refused meanwhile. */
  readonly holder?: Holder;
  /** How long a commit waits for others. */
  readonly waitMs?: number;
}

/** A prune that clears what killed compiles have left is waited for, but not another compile to its end. */
const PRUNE_MAX_MS = 3000;
/** A rollback verifies a whole dataset meanwhile, and hours of work are not to be lost for that. */
const COMMIT_WAIT_MS = 600_000;

/**
 * Begins a publication. What is published can be changed by others until it commits. Throws `DatasetsLockedError` where
 * another has begun one, and what the file system throws.
 */
export function beginPublication(datasetsDir: string, options: PublicationOptions = {}): Publication {
  const { holder = 'compile', waitMs = COMMIT_WAIT_MS } = options;
  const lock = compileLock.take(datasetsDir, { holder, waitMs: PRUNE_MAX_MS });
  const directory = join(datasetsDir, GENERATIONS_DIR, `${UNFINISHED_PREFIX}${process.pid}`);
  try {
    publishLock.clear(datasetsDir, holder);
    mkdirSync(directory);
  } catch (error) {
    lock.release();
    throw error;
  }
  let closed = false;
  return {
    directory,
    commit: (files) => commit(datasetsDir, directory, files, { holder, waitMs }),
    close: () => {
      if (closed) return;
      closed = true;
      rmSync(directory, { recursive: true, force: true });
      lock.release();
    },
  };
}

function commit(
  datasetsDir: string,
  directory: string,
  files: readonly WrittenFile[],
  { holder, waitMs }: Required<PublicationOptions>,
): CommittedGeneration {
  verifyDataset(directory);
  syncDirectory(directory);
  const generation = generationName(files);
  const target = generationPath(datasetsDir, generation);
  // Where the same content is there already, what has just been written is thrown away. Held, it is not pruned meanwhile:
  // to look at all of it takes too long for the lock that a rollback may be waiting for.
  const held = holdGeneration(target);
  try {
    const isThere = held !== undefined && isIntact(target, files);
    const lock = publishLock.take(datasetsDir, { holder, waitMs });
    try {
      if (!isThere) nameGeneration(datasetsDir, directory, generation);
      const made = makeCurrent(datasetsDir, generation);
      return { ...made, restored: !isThere && !made.changed };
    } finally {
      lock.release();
    }
  } finally {
    held?.release();
  }
}

function nameGeneration(datasetsDir: string, directory: string, generation: string): void {
  const target = generationPath(datasetsDir, generation);
  // A generation that is named but not live yet is a leftover, too: the marker tells the next publication which.
  writeFileSync(markerPath(datasetsDir), `${generation}\n`, { flush: true });
  syncDirectory(datasetsDir);
  rmSync(target, { recursive: true, force: true });
  renameSync(directory, target);
  syncDirectory(join(datasetsDir, GENERATIONS_DIR));
}

function makeCurrent(datasetsDir: string, generation: string): Omit<CommittedGeneration, 'restored'> {
  const current = readCurrent(datasetsDir);
  const changed = current !== generation;
  if (changed) {
    recordSuccessor(datasetsDir, generation);
    setCurrent(datasetsDir, generation);
  }
  rmSync(markerPath(datasetsDir), { force: true });
  return { generation, changed, replaced: changed ? current : undefined };
}

function verifyDataset(directory: string): void {
  const [damage] = findDamage(directory);
  if (damage) throw damage;
  openDataset(directory).release();
}

/** Whether a generation has all of the files, none of them damaged. */
function isIntact(directory: string, files: readonly WrittenFile[]): boolean {
  if (!files.every(({ name }) => existsSync(join(directory, name)))) return false;
  try {
    verifyDataset(directory);
    return true;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

/** The hash of all sections' names, lengths and checksums: equal contents have equal names. */
function generationName(files: readonly WrittenFile[]): string {
  const lines = files.flatMap((file) =>
    file.sections.map(
      (section) => `${file.name} ${section.name} ${section.element} ${section.sizeBytes} ${section.xxh3}\n`,
    ),
  );
  return contentHash(Buffer.from(lines.join('')));
}
