import { statSync } from 'node:fs';
import type { LoadedSource } from '../../core/loaded-source.js';
import { FormatError } from '../../format/format-error.js';
import { readDescription } from '../../format/tracts-file.js';
import { generationPath, isMissing, listGenerations, readCurrent, requireDirectory } from '../directory/generations.js';
import { earlierGenerations, previousGeneration } from '../directory/history.js';
import type { GenerationSummary } from './dataset-admin.js';
import { generationSizeBytes } from './prune.js';
import type { ServedDatasets } from './served-datasets.js';

interface Summarized {
  readonly datasetsDir: string;
  readonly served: Pick<ServedDatasets, 'live'>;
  readonly pinned: () => Promise<ReadonlySet<string>>;
}

/** All generations on disk, the live one first. Rejects with CatalogError if they cannot be listed. */
export async function listSummaries({ datasetsDir, served, pinned }: Summarized): Promise<GenerationSummary[]> {
  const [live, pins, current] = [(await served.live())?.generation, await pinned(), readCurrent(datasetsDir)];
  requireDirectory(datasetsDir);
  const previous = previousGeneration(datasetsDir, live);
  const there = new Set(listGenerations(datasetsDir));
  const ordered = new Set([live, current, ...earlierGenerations(datasetsDir), ...there]);
  return [...ordered].flatMap((generation) => {
    if (generation === undefined || !there.has(generation)) return [];
    const files = unlessRemoved(() => describeFiles(generationPath(datasetsDir, generation)));
    if (!files) return [];
    return {
      generation,
      live: generation === live,
      current: generation === current,
      previous: generation === previous,
      pinned: pins.has(generation),
      ...files,
    };
  });
}

function describeFiles(directory: string): Pick<GenerationSummary, 'createdAt' | 'sizeBytes' | 'sources'> {
  return {
    createdAt: statSync(directory).mtime.toISOString(),
    sizeBytes: sizeIfReadable(directory),
    sources: sourcesOf(directory),
  };
}

function sizeIfReadable(directory: string): number | null {
  try {
    return generationSizeBytes(directory);
  } catch (error) {
    if (isMissing(error)) throw error;
    return null;
  }
}

/** The result of `look`; undefined if another process has pruned the generation in the meantime. */
function unlessRemoved<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A generation that is damaged or of another format is still listed, without sources. */
function sourcesOf(directory: string): readonly LoadedSource[] {
  try {
    return readDescription(directory).loadedSources;
  } catch (error) {
    if (error instanceof FormatError) return [];
    throw error;
  }
}
