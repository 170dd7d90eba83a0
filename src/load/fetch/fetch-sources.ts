import { dirname } from 'node:path/posix';
import { discoverFrom } from './discover-from.js';
import { takeFetchLock } from './fetch-lock.js';
import { createWork, type FetchOptions, type FetchWork, type FileResult, fetchAll } from './fetch-work.js';
import { checkFreeSpace } from './free-space.js';
import { listingFiles } from './listing-files.js';
import { discardPart, listParts } from './part-file.js';
import type { PlannedFile } from './plan.js';
import { planFiles } from './plan-files.js';
import { listRecords, readRecord, removeFetched } from './records.js';
import { type SelectedVintage, selectDownloads } from './select-downloads.js';
import { storeLayout } from './store-layout.js';

/** The outcome of a fetch. */
export interface FetchReport {
  readonly files: readonly FileResult[];
  /** Paths of the files that were deleted because newer ones, or copies from elsewhere, replace them. */
  readonly removed: readonly string[];
  /** What was not requested although it was selected, and why. */
  readonly notes: readonly string[];
}

/**
 * Brings all selected files up to date below the output directory. A file that cannot be fetched is reported, and the others
 * are fetched nevertheless. Throws `FetchSetupError` if the fetch cannot start, `FetchError` (`stopped`, `space`) if it must
 * end early, and file-system errors.
 */
export async function fetchSources(options: FetchOptions): Promise<FetchReport> {
  const { outputDir, catalog, selection } = options;
  const { vintages, notes } = selectDownloads(catalog, selection);
  const layout = storeLayout(outputDir);
  const lock = takeFetchLock(layout);
  try {
    const work = createWork(options);
    const first = await fetchAll(work, listingFiles(vintages, catalog, selection));
    const plan = await planFiles(vintages, selection, discoverFrom(work.setup, first, selection));
    const there = new Set(first.map(({ path }) => path));
    const files = plan.files.filter(({ candidates }) => !candidates.some(({ path }) => there.has(path)));
    checkFreeSpace(layout, files, options.environment.freeBytes(outputDir));
    const results = [
      ...first,
      ...(await fetchAll(work, files)),
      ...plan.failed.map((failure) => ({ outcome: 'failed' as const, ...failure })),
    ];
    const removed = [...removeSuperseded(work, vintages, results), ...removeOtherCopies(work, files, results)];
    return { files: results, removed, notes };
  } finally {
    lock.release();
  }
}

/** Deletes what was fetched earlier of the same file from an address that calls it otherwise: its rows would be there twice. */
function removeOtherCopies(
  { setup: { layout } }: FetchWork,
  files: readonly PlannedFile[],
  results: readonly FileResult[],
): string[] {
  const fetched = new Set(results.flatMap(({ outcome, path }) => (outcome === 'failed' ? [] : [path])));
  return files.flatMap(({ candidates }) => {
    const paths = [...new Set(candidates.map(({ path }) => path))];
    if (!paths.some((path) => fetched.has(path))) return [];
    const old = paths.filter((path) => !fetched.has(path) && readRecord(layout, path));
    for (const path of old) removeFetched(layout, path);
    return old;
  });
}

/**
 * Deletes files of an index-based download that its index no longer names, finished or not, if all files it names now were
 * fetched.
 */
function removeSuperseded(
  { setup: { layout } }: FetchWork,
  selected: readonly SelectedVintage[],
  results: readonly FileResult[],
): string[] {
  const indexed = selected.flatMap(({ download }) => (download.index ? [download.id] : []));
  const records = indexed.length > 0 ? listRecords(layout) : [];
  return indexed.flatMap((id) => {
    const own = results.filter(({ download }) => download === id);
    if (own.length === 0 || own.some(({ outcome }) => outcome === 'failed')) return [];
    const kept = new Set(own.map(({ path }) => path));
    const old = records.filter(({ download, path }) => download === id && !kept.has(path));
    for (const { path } of old) removeFetched(layout, path);
    const folders = new Set(own.map(({ path }) => dirname(path)));
    for (const path of [...folders].flatMap((folder) => listParts(layout, folder))) {
      if (!kept.has(path)) discardPart(layout, path);
    }
    return old.map(({ path }) => path);
  });
}
