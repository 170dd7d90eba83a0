import { readTractCounts } from '../synthetic/tract-counts.js';
import { countiesOf } from './counties.js';
import { describePlan } from './describe-fetch.js';
import { FetchError } from './fetch-error.js';
import type { FetchOptions } from './fetch-work.js';
import { gazetteersFor } from './gazetteers-for.js';
import { type Discovery, planFiles } from './plan-files.js';
import { listRecords } from './records.js';
import { selectDownloads } from './select-downloads.js';
import { type StoreLayout, storeLayout } from './store-layout.js';

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
  const first = gazetteersFor(vintages, catalog, selection);
  const { files, failed } = await planFiles(vintages, selection, offline(layout, selection.states));
  const named = new Set(files.map(({ candidates }) => candidates[0].path));
  const all = [...first.filter(({ candidates }) => !named.has(candidates[0].path)), ...files];
  return describePlan(layout, { files: all, failed }, notes);
}

function offline(layout: StoreLayout, states: readonly string[]): Discovery {
  return {
    // Which counties there are changes seldom: without the gazetteer of the year, those of another stand for them.
    counties: async (vintage) => {
      const known = listRecords(layout).find((file) => file.download === 'gazetteer' && file.vintage === vintage);
      if (known) return countiesOf(layout.file(known.path), states);
      return [...readTractCounts().keys()].filter((county) => states.includes(county.slice(0, 2)));
    },
    links: async () => {
      throw new FetchError('missing', 'this page names the files; it is read when they are fetched');
    },
  };
}
