import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { diffTracts, type TractDiff } from '../../catalog/admin/diff.js';
import { holdGeneration } from '../../catalog/directory/generation-hold.js';
import { generationPath, readCurrent } from '../../catalog/directory/generations.js';
import { LoggableError } from '../../core/loggable-error.js';
import { type MappedFile, mapFile } from '../../format/byte-source.js';
import { FormatError } from '../../format/format-error.js';
import { type HashedTracts, openTractsFile, TRACTS_FILE, type TractsFile } from '../../format/tracts-file.js';
import type { FileLock } from '../../platform/file-lock.js';

/** The differences between two generations, with the values before and after, read in place from the mapped files. */
export interface Changes {
  readonly diff: TractDiff;
  /** A metric's earlier value, by its position in METRICS and the tract's in the diff; NaN if there is none. */
  valueBefore(metric: number, at: number): number;
  valueAfter(metric: number, at: number): number;
  /** Unmaps the generations. */
  release(): void;
}

/** A generation whose events are to be sent is not on disk any more. */
export class MissingGenerationError extends LoggableError {
  override readonly name = 'MissingGenerationError';
}

/** A generation cannot be read at the moment: its disk may not be mounted yet, or file descriptors may have run out. */
export class UnreachableGenerationError extends LoggableError {
  override readonly name = 'UnreachableGenerationError';
}

const NOTHING: HashedTracts = { geoids: new Float64Array(0), sectionHashes: new Uint32Array(0) };

/**
 * Opens the changes between two generations; `from` is null if there was none before. A `from` that was removed by hand,
 * or written in the format of an older program version, counts as empty: better to report a tract that did not change
 * than to miss one that did. Takes 17 bytes of memory per changed tract, shared by all readers. Throws {@link
 * MissingGenerationError} or FormatError if `to` is gone or damaged for good, and {@link UnreachableGenerationError} if
 * either cannot be read at the moment.
 */
export function openChanges(datasetsDir: string, from: string | null, to: string): Changes {
  const after = openTracts(datasetsDir, to);
  let before: ReturnType<typeof openIfReadable>;
  try {
    before = from === null ? undefined : openIfReadable(datasetsDir, from);
    const diff = diffTracts(before?.tracts ?? NOTHING, after.tracts);
    return {
      diff,
      valueBefore: (metric, at) => columnValue(before?.tracts, metric, diff.rowsBefore[at]),
      valueAfter: (metric, at) => columnValue(after.tracts, metric, diff.rowsAfter[at]),
      release: () => {
        before?.release();
        after.release();
      },
    };
  } catch (error) {
    before?.release();
    after.release();
    throw error;
  }
}

function columnValue(tracts: TractsFile | undefined, metric: number, row = -1): number {
  return row < 0 ? Number.NaN : (tracts?.values[metric]?.[row] ?? Number.NaN);
}

function openIfReadable(datasetsDir: string, generation: string): ReturnType<typeof openTracts> | undefined {
  try {
    return openTracts(datasetsDir, generation);
  } catch (error) {
    if (error instanceof MissingGenerationError || error instanceof FormatError) return undefined;
    throw error;
  }
}

/** Maps a generation's tracts file. A hold keeps every process from pruning the generation until it is released. */
function openTracts(datasetsDir: string, generation: string): { tracts: TractsFile; release(): void } {
  const directory = generationPath(datasetsDir, generation);
  const hold = holdOf(datasetsDir, generation);
  let file: MappedFile | undefined;
  const release = (): void => {
    file?.release();
    hold.release();
  };
  try {
    file = mapFile(join(directory, TRACTS_FILE));
    return { tracts: openTractsFile(file), release };
  } catch (error) {
    release();
    const isThere = existsSync(join(directory, TRACTS_FILE));
    throw isThere && cannotBeOpened(error) ? unreachable(generation, error.detail) : error;
  }
}

function holdOf(datasetsDir: string, generation: string): FileLock {
  const directory = generationPath(datasetsDir, generation);
  try {
    const hold = holdGeneration(directory);
    if (hold) return hold;
  } catch (error) {
    throw cannotBeOpened(error) ? unreachable(generation, error.detail) : error;
  }
  if (existsSync(directory)) throw unreachable(generation, 'it is being removed');
  // At an empty mount point every generation is missing, until the disk is mounted.
  if (!isCatalog(datasetsDir)) throw unreachable(generation, `no dataset is published in ${datasetsDir}`);
  throw new MissingGenerationError(`generation ${generation} is no longer on disk`);
}

const cannotBeOpened = (error: unknown): error is FormatError =>
  error instanceof FormatError && error.code === 'cannot-open';

const unreachable = (generation: string, reason: string): UnreachableGenerationError =>
  new UnreachableGenerationError(`generation ${generation} cannot be read at the moment: ${reason}`);

function isCatalog(datasetsDir: string): boolean {
  try {
    return readCurrent(datasetsDir) !== undefined;
  } catch {
    return false;
  }
}
