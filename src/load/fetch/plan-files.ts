import type { DiscoveredLink } from './discover-links.js';
import { expandFiles, needsKey, planFile } from './expand.js';
import { FetchError, FetchSetupError } from './fetch-error.js';
import type { DownloadIndex } from './manifest.js';
import type { FetchSelection, PlannedFile } from './plan.js';
import type { SelectedVintage } from './select-downloads.js';

/** What the manifest does not know by itself. */
export interface Discovery {
  /** FIPS codes of the counties that a vintage's files are of, five digits. Throws `FetchError`. */
  counties(vintage: string): Promise<readonly string[]>;
  /** The sequences, four digits each, in which the tables of a download are. Throws `FetchError`. */
  sequences(selected: SelectedVintage): Promise<readonly string[]>;
  /** The files that an index names. Throws `FetchError`. */
  links(index: DownloadIndex): Promise<readonly DiscoveredLink[]>;
}

/** Everything that is to be fetched, and what could not even be asked for. */
export interface FilePlan {
  readonly files: readonly PlannedFile[];
  readonly failed: readonly { readonly download: string; readonly path: string; readonly why: string }[];
}

/** Lists the files of the selected vintages, in the manifest's order. Throws `FetchSetupError` where a key is missing. */
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
      if (!(error instanceof FetchError) || error.failure === 'stopped') throw error;
      const path = download.index?.url ?? `${download.id}/${vintage.vintage}`;
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
    const links = await discovery.links(download.index);
    return links.map(({ url, file }) => planFile(selected, selection, { url, file }, {}));
  }
  const states = selection.states.filter((fips) => !download.without?.includes(fips));
  const areas = download.per === 'county' ? await discovery.counties(vintage.vintage) : states;
  const sequences = download.lookup ? await discovery.sequences(selected) : [];
  return expandFiles(selected, areas, selection, sequences);
}
