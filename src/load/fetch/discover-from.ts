import { InputError } from '../input.js';
import { countiesOf } from './counties.js';
import { expandLookup } from './expand.js';
import { FetchError, isOfOneFile } from './fetch-error.js';
import type { FetchFileSetup } from './fetch-file.js';
import type { FileResult } from './fetch-work.js';
import type { FetchSelection } from './plan.js';
import type { Discovery } from './plan-files.js';
import { readIndex } from './read-index.js';
import { sequencesOf } from './sequences.js';

/** Discovers files from the fetched files that list others, and from the indexes, which are requested when needed. */
export function discoverFrom(
  setup: FetchFileSetup,
  listing: readonly FileResult[],
  selection: FetchSelection,
): Discovery {
  const { layout } = setup;
  return {
    counties: async (vintage) => {
      const found = listing.find(
        (file) => file.outcome !== 'failed' && file.record.vintage === vintage && file.download === 'gazetteer',
      );
      if (!found)
        throw new FetchError(
          'missing',
          `the list of counties comes from the gazetteer of ${vintage}, which is missing`,
        );
      return readable(countiesOf(layout.file(found.path), selection.states));
    },
    sequences: async (selected) => {
      const { download, vintage } = selected;
      const [lookup] = expandLookup(selected, selection);
      const path = lookup?.candidates[0].path;
      const found = listing.find((file) => file.path === path && file.outcome !== 'failed');
      if (!found)
        throw new FetchError(
          'missing',
          `the list of sequences comes from the lookup file of ${vintage.vintage}, which is missing`,
        );
      return readable(sequencesOf(layout.file(found.path), download.tables ?? []));
    },
    links: async (index, { entry, download }) => {
      try {
        return await readIndex(setup, index, selection.mirror);
      } catch (error) {
        if (!isOfOneFile(error)) throw error;
        const message = `${error.message}\n  See ${download.landingPage ?? entry.landingPage}`;
        throw new FetchError(error.failure, message, { cause: error });
      }
    },
  };
}

/** Turns an unreadable list into a `FetchError`, so that only the files it would list count as failed. */
function readable<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    throw error instanceof InputError ? new FetchError('damaged', error.message, { cause: error }) : error;
  });
}
