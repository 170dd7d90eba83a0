import { readTractCounts } from '../synthetic/tract-counts.js';
import { countiesOf } from './counties.js';
import { describePlan } from './describe-fetch.js';
import { expandLookup } from './expand.js';
import { FetchError } from './fetch-error.js';
import type { FetchOptions } from './fetch-work.js';
import { listingFiles } from './listing-files.js';
import type { FetchSelection } from './plan.js';
import { type Discovery, planFiles } from './plan-files.js';
import { listRecords, readRecord } from './records.js';
import { selectDownloads } from './select-downloads.js';
import { sequencesOf } from './sequences.js';
import { type StoreLayout, storeLayout } from './store-layout.js';

const UNKNOWN_SEQUENCE = 'A table in braces stands for the sequence that holds it, which the lookup of the year tells.';

/**
 * What a fetch would ask for, as lines for people. Nothing is asked for, not even which files an index names. Throws
 * `FetchSetupError`.
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
    // Which counties there are changes seldom: without the gazetteer of the year, those of another stand for them.
    counties: async (vintage) => {
      const known = listRecords(layout).find((file) => file.download === 'gazetteer' && file.vintage === vintage);
      if (known) return countiesOf(layout.file(known.path), states);
      return [...readTractCounts().keys()].filter((county) => states.includes(county.slice(0, 2)));
    },
    // Without the lookup of the year, the tables stand for the sequences that they are in.
    sequences: async (selected) => {
      const { tables = [] } = selected.download;
      const [lookup] = expandLookup(selected, selection);
      const known = lookup && readRecord(layout, lookup.candidates[0].path);
      return known ? sequencesOf(layout.file(known.path), tables) : tables.map((table) => `{${table}}`);
    },
    links: async () => {
      throw new FetchError('missing', 'this page names the files; it is read when they are fetched');
    },
  };
}
