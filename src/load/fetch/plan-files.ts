import type { DiscoveredLink } from './discover-links.js';
import { expandFiles, needsKey, planFile, shownUrl } from './expand.js';
import { FetchSetupError, isOfOneFile } from './fetch-error.js';
import type { DownloadIndex } from './manifest.js';
import type { FetchSelection, PlannedFile } from './plan.js';
import type { SelectedVintage } from './select-downloads.js';

/** Finds out what the manifest cannot tell. */
export interface Discovery {
  /** Five-digit FIPS codes of the counties that a vintage has files for. Throws `FetchError`. */
  counties(vintage: string): Promise<readonly string[]>;
  /** The four-digit numbers of the sequences that hold a download's tables. Throws `FetchError`. */
  sequences(selected: SelectedVintage): Promise<readonly string[]>;
  /** The files that an index names. Throws `FetchError`. */
  links(index: DownloadIndex, selected: SelectedVintage): Promise<readonly DiscoveredLink[]>;
}

/** All files to be fetched, and the downloads whose files could not be determined. */
export interface FilePlan {
  readonly files: readonly PlannedFile[];
  readonly failed: readonly { readonly download: string; readonly path: string; readonly why: string }[];
}

/** Lists the files of the selected vintages, in the manifest's order. Throws `FetchSetupError` if a key is missing. */
export async function planFiles(
  selected: readonly SelectedVintage[],
  selection: FetchSelection,
  discovery: Discovery,
): Promise<FilePlan> {
  const files: PlannedFile[] = [];
  const failed: FilePlan['failed'][number][] = [];
  for (const one of selected) {
    const { download, vintage } = one;
    if (needsKey(one) && selection.censusApiKey === '' && selection.mirror === undefined) {
      throw new FetchSetupError(`${download.id} needs CENSUS_API_KEY; see ${one.entry.landingPage}`);
    }
    try {
      files.push(...(await filesOf(one, selection, discovery)));
    } catch (error) {
      if (!isOfOneFile(error)) throw error;
      const { index } = download;
      const path = index ? shownUrl(index.url, selection.mirror) : `${download.id}/${vintage.vintage}`;
      failed.push({ download: download.id, path, why: error.message });
    }
  }
  return { files, failed };
}

async function filesOf(
  selected: SelectedVintage,
  selection: FetchSelection,
  discovery: Discovery,
): Promise<PlannedFile[]> {
  const { download, vintage } = selected;
  if (download.index) {
    const links = await discovery.links(download.index, selected);
    return links.map(({ url, file }) => planFile(selected, selection, { url, file }, {}));
  }
  const states = selection.states.filter((fips) => !download.without?.includes(fips));
  const areas = download.per === 'county' ? await discovery.counties(vintage.vintage) : states;
  const sequences = download.lookup ? await discovery.sequences(selected) : [];
  return expandFiles(selected, areas, selection, sequences);
}
