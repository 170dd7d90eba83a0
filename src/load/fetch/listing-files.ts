import type { SourceCatalog } from '../source-catalog.js';
import { expandFiles, expandLookup } from './expand.js';
import type { FetchSelection, PlannedFile } from './plan.js';
import type { SelectedVintage } from './select-downloads.js';

/**
 * The files that tell which other files exist, and so must be fetched first: for files by county the gazetteer of their
 * year, for tables in sequences the lookup.
 */
export function listingFiles(
  selected: readonly SelectedVintage[],
  { gazetteer: entry }: SourceCatalog,
  selection: FetchSelection,
): PlannedFile[] {
  const years = new Set(
    selected.flatMap(({ download, vintage }) => (download.per === 'county' ? [vintage.vintage] : [])),
  );
  const gazetteers = (entry.downloads ?? []).flatMap((download) =>
    download.vintages
      .filter(({ vintage }) => years.has(vintage))
      .flatMap((vintage) => expandFiles({ entry, download, vintage }, [], selection)),
  );
  return [...gazetteers, ...selected.flatMap((one) => expandLookup(one, selection))];
}
