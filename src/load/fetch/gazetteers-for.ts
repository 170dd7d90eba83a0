import type { SourceCatalog } from '../source-catalog.js';
import { expandFiles } from './expand.js';
import type { FetchSelection, PlannedFile } from './plan.js';
import type { SelectedVintage } from './select-downloads.js';

/** County files are named by county: the gazetteer of their year says which there are, and comes before them. */
export function gazetteersFor(
  selected: readonly SelectedVintage[],
  { gazetteer: entry }: SourceCatalog,
  selection: FetchSelection,
): PlannedFile[] {
  const years = new Set(
    selected.flatMap(({ download, vintage }) => (download.per === 'county' ? [vintage.vintage] : [])),
  );
  return (entry.downloads ?? []).flatMap((download) =>
    download.vintages
      .filter(({ vintage }) => years.has(vintage))
      .flatMap((vintage) => expandFiles({ entry, download, vintage }, [], selection)),
  );
}
