import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentHash } from '../format/checksum.js';
import type { SectionEntry } from '../format/container-header.js';
import { findDamage, openDataset } from '../format/dataset.js';
import { FormatError } from '../format/format-error.js';
import { syncDirectory } from '../platform/durable-files.js';
import { GENERATIONS_DIR, generationPath, readCurrent, setCurrent } from './generations.js';
import { recordSuccessor } from './history.js';
import { markerPath, takePublishLock, UNFINISHED_PREFIX } from './publish-lock.js';

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
   * Verifies the written files, gives the generation its name and makes it the published one. Gives the name, and whether
   * it is another than before.
   */
  commit(files: readonly WrittenFile[]): { generation: string; changed: boolean };
  /** Removes what was written and lets others publish. Safe after a commit. */
  close(): void;
}

/** Begins a publication. Throws {@link PublishLockedError}, and what the file system throws. */
export function beginPublication(datasetsDir: string): Publication {
  const lock = takePublishLock(datasetsDir);
  const directory = join(datasetsDir, GENERATIONS_DIR, `${UNFINISHED_PREFIX}${process.pid}`);
  try {
    mkdirSync(directory);
  } catch (error) {
    lock.release();
    throw error;
  }
  let closed = false;
  return {
    directory,
    commit: (files) => commit(datasetsDir, directory, files),
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
): { generation: string; changed: boolean } {
  verifyDataset(directory);
  syncDirectory(directory);
  const generation = generationName(files);
  const target = generationPath(datasetsDir, generation);
  // Where the same content is there already, what has just been written is thrown away.
  if (!isIntact(target, files)) {
    // A generation that is named but not live yet is a leftover, too: the marker tells the next publication which.
    writeFileSync(markerPath(datasetsDir), `${generation}\n`, { flush: true });
    syncDirectory(datasetsDir);
    rmSync(target, { recursive: true, force: true });
    renameSync(directory, target);
    syncDirectory(join(datasetsDir, GENERATIONS_DIR));
  }
  const changed = readCurrent(datasetsDir) !== generation;
  if (changed) {
    recordSuccessor(datasetsDir, generation);
    setCurrent(datasetsDir, generation);
  }
  rmSync(markerPath(datasetsDir), { force: true });
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
