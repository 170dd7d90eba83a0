import { discoverFrom } from './discover-from.js';
import { takeFetchLock } from './fetch-lock.js';
import { createWork, type FetchOptions, type FetchWork, type FileResult, fetchAll } from './fetch-work.js';
import { checkFreeSpace } from './free-space.js';
import { listingFiles } from './listing-files.js';
import { planFiles } from './plan-files.js';
import { listRecords, removeFetched } from './records.js';
import { type SelectedVintage, selectDownloads } from './select-downloads.js';
import { storeLayout } from './store-layout.js';

/** What became of everything that was asked for. */
export interface FetchReport {
  readonly files: readonly FileResult[];
  /** Files that newer ones have taken the place of, by path; they are gone. */
  readonly removed: readonly string[];
  /** What was not asked for after all, and why. */
  readonly notes: readonly string[];
}

/**
 * Brings everything that is selected up to date below the output directory. A file that cannot be had is reported, and
 * the others come all the same. Throws `FetchSetupError` where it cannot begin, `FetchError` (`stopped`, `space`) where
 * it must end early, and what the file system throws.
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
    return { files: results, removed: removeSuperseded(work, vintages, results), notes };
  } finally {
    lock.release();
  }
}

/** Where an index names other files than before, those that came from it before and are whole go. */
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
    return old.map(({ path }) => path);
  });
}
