import { formatBytes } from '../../core/format-bytes.js';
import { systemCode } from '../../core/system-code.js';
import { InputError } from '../input.js';
import { readTractCounts } from '../tract-counts.js';
import { countiesOf } from './counties.js';
import { describePlan } from './describe-fetch.js';
import { estimatedBytes, expandLookup } from './expand.js';
import { FetchError } from './fetch-error.js';
import type { FetchOptions } from './fetch-work.js';
import { listingFiles } from './listing-files.js';
import type { DownloadIndex } from './manifest.js';
import type { FetchSelection } from './plan.js';
import { type Discovery, planFiles } from './plan-files.js';
import { listRecords, readRecord } from './records.js';
import { type SelectedVintage, selectDownloads } from './select-downloads.js';
import { sequencesOf } from './sequences.js';
import { type StoreLayout, storeLayout } from './store-layout.js';

const UNKNOWN_SEQUENCE =
  'A table in braces stands for the sequence that contains it, which is looked up when fetching.';

/**
 * Describes, line by line, what a fetch would request. No request is made, not even for an index that names the files.
 * Throws `FetchSetupError`.
 */
export async function previewFetch({
  outputDir,
  catalog,
  selection,
}: Pick<FetchOptions, 'outputDir' | 'catalog' | 'selection'>): Promise<string[]> {
  const layout = storeLayout(outputDir);
  const { vintages, notes } = selectDownloads(catalog, selection);
  const first = listingFiles(vintages, catalog, selection);
  const { files, failed } = await planFiles(vintages, selection, offline(layout, selection));
  const named = new Set(files.map(({ candidates }) => candidates[0].path));
  const all = [...first.filter(({ candidates }) => !named.has(candidates[0].path)), ...files];
  const hasUnknown = all.some(({ candidates }) => candidates[0].path.includes('{'));
  return describePlan(layout, { files: all, failed }, hasUnknown ? [...notes, UNKNOWN_SEQUENCE] : notes);
}

function offline(layout: StoreLayout, selection: FetchSelection): Discovery {
  const { states } = selection;
  return {
    // Counties change seldom: if the year's gazetteer is not there, the built-in list of another year stands in.
    counties: async (vintage) => {
      const known = listRecords(layout).find((file) => file.download === 'gazetteer' && file.vintage === vintage);
      const listed = known && (await ifReadable(countiesOf(layout.file(known.path), states)));
      return listed ?? [...readTractCounts().keys()].filter((county) => states.includes(county.slice(0, 2)));
    },
    // If the year's lookup is not there, the table names stand for the sequences that hold them.
    sequences: async (selected) => {
      const { tables = [] } = selected.download;
      const [lookup] = expandLookup(selected, selection);
      const known = lookup && readRecord(layout, lookup.candidates[0].path);
      const listed = known && (await ifReadable(sequencesOf(layout.file(known.path), tables)));
      return listed ?? tables.map((table) => `{${table}}`);
    },
    links: async (index, selected) => {
      throw new FetchError(
        'missing',
        `this page lists the files; it is read when fetching ${sizesOf(selected, index)}`,
      );
    },
  };
}

/** How much the files of an index amount to, which is most of a fetch: of one file, or of each. */
function sizesOf(listed: SelectedVintage, { take }: DownloadIndex): string {
  const size = formatBytes(estimatedBytes(listed));
  return take === 'newest' ? `(one file, about ${size})` : `(several files, about ${size} each)`;
}

/** What the list says; undefined if it was deleted or damaged since it was fetched, as a fetch would replace it then. */
async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof InputError || systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
