import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { contentHash } from '../format/checksum.js';
import type { SectionEntry } from '../format/container-header.js';
import { findDamage, openDataset } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import { libc } from '../libc.js';
import { currentPath, GENERATIONS_DIR, generationPath, isGenerationName, readCurrent } from './generations.js';

/** Unfinished generations; the next publication clears them. */
const UNFINISHED_PREFIX = '.unfinished-';
const LOCK_FILE = '.lock';
/** Names the generation that is being made live, while it is. */
const MARKER_FILE = '.publishing';

/** Another process is publishing into the same directory. */
export class PublishLockedError extends Error {
  override readonly name = 'PublishLockedError';
}

/** What a writer says of one file that it wrote. */
export interface WrittenFile {
  readonly name: string;
  readonly sections: readonly SectionEntry[];
}

/** A publication under way: the only one in its datasets directory. */
export interface Publication {
  /** An empty directory to write the generation's files into. */
  readonly directory: string;
  /**
   * Verifies the written files, gives the generation its name and makes it the live one. Gives the name, and whether
   * it is another than before.
   */
  commit(files: readonly WrittenFile[]): { generation: string; changed: boolean };
  /** Removes what was written and lets others publish. Safe after a commit. */
  close(): void;
}

/**
 * Begins a publication. The lock is the kernel's: it goes with the process, so that a killed compile blocks nobody.
 * Throws {@link PublishLockedError} where another process holds it, and what the file system throws.
 */
export function beginPublication(datasetsDir: string): Publication {
  const generationsDir = join(datasetsDir, GENERATIONS_DIR);
  makeDirectory(generationsDir);
  const lock = openSync(join(datasetsDir, LOCK_FILE), 'w');
  if (!libc().tryLock(lock, 'exclusive')) {
    closeSync(lock);
    throw new PublishLockedError(
      `${datasetsDir}: another process is publishing a dataset here; try again when it is done`,
    );
  }
  clearLeftovers(datasetsDir);
  const directory = join(generationsDir, `${UNFINISHED_PREFIX}${process.pid}`);
  mkdirSync(directory);
  let closed = false;
  return {
    directory,
    commit: (files) => commit(datasetsDir, directory, files),
    close: () => {
      if (closed) return;
      closed = true;
      rmSync(directory, { recursive: true, force: true });
      closeSync(lock);
    },
  };
}

/** Removes what a publication left behind that was killed: whoever holds the lock knows that it is dead. */
function clearLeftovers(datasetsDir: string): void {
  const generationsDir = join(datasetsDir, GENERATIONS_DIR);
  for (const name of readdirSync(generationsDir)) {
    if (name.startsWith(UNFINISHED_PREFIX)) rmSync(join(generationsDir, name), { recursive: true, force: true });
  }
  const marker = join(datasetsDir, MARKER_FILE);
  const named = existsSync(marker) ? readFileSync(marker, 'utf8').trim() : '';
  if (isGenerationName(named) && named !== readCurrent(datasetsDir)) {
    rmSync(generationPath(datasetsDir, named), { recursive: true, force: true });
  }
  rmSync(marker, { force: true });
  rmSync(`${currentPath(datasetsDir)}.new`, { force: true });
}

/** Makes a directory and those above it. Node's own recursion never ends where the system will not make one (/proc). */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

function commit(
  datasetsDir: string,
  directory: string,
  files: readonly WrittenFile[],
): { generation: string; changed: boolean } {
  verifyDataset(directory);
  syncDirectory(directory);
  const generation = generationName(files);
  const target = generationPath(datasetsDir, generation);
  // Where the same content is there already, what has just been written is thrown away.
  if (!isIntact(target, files)) {
    // A generation that is named but not live yet is a leftover, too: the marker tells the next publication which.
    writeFileSync(join(datasetsDir, MARKER_FILE), `${generation}\n`, { flush: true });
    syncDirectory(datasetsDir);
    rmSync(target, { recursive: true, force: true });
    renameSync(directory, target);
    syncDirectory(join(datasetsDir, GENERATIONS_DIR));
  }
  const changed = readCurrent(datasetsDir) !== generation;
  if (changed) swapCurrent(datasetsDir, generation);
  rmSync(join(datasetsDir, MARKER_FILE), { force: true });
  return { generation, changed };
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

function swapCurrent(datasetsDir: string, generation: string): void {
  const temporary = `${currentPath(datasetsDir)}.new`;
  writeFileSync(temporary, `${generation}\n`, { flush: true });
  renameSync(temporary, currentPath(datasetsDir));
  syncDirectory(datasetsDir);
}

/** Makes renames within a directory durable. */
function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
