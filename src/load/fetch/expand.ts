import { stateByFips } from '../../core/states.js';
import { FetchSetupError } from './fetch-error.js';
import type { DownloadCompanion, DownloadMirror } from './manifest.js';
import type { Candidate, FetchSelection, PlannedFile } from './plan.js';
import type { SelectedVintage } from './select-downloads.js';

/** The values that a pattern's braces stand for. */
type PatternValues = Readonly<Record<string, string>>;

/** Patterns of a file's addresses, and of its name on disk. */
type FileAddress = Pick<DownloadCompanion, 'url' | 'file' | 'alternatives'> & { readonly sizeMegabytes?: number };

const KEY = '{key}';
const BYTES_PER_MEGABYTE = 1_000_000;

/** Puts the values in. Throws where the manifest's pattern asks for one that there is not. */
function fillPattern(pattern: string, values: PatternValues): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new FetchSetupError(`${pattern}: nothing is known for ${whole}`);
    return value;
  });
}

/** The address on one's own mirror: what `wget --force-directories` makes of an address. */
export function mirroredUrl(url: string, mirror: string): string {
  const { host, pathname, search } = new URL(url);
  return `${mirror.replace(/\/+$/, '')}/${host}${pathname}${search}`;
}

/** Whether the download asks for the Census API's key. */
export const needsKey = ({ download }: SelectedVintage): boolean => download.url?.includes(KEY) === true;

/**
 * The files of a vintage: one, one a state or one a county, for each of its tables or sequences, and what they are read
 * by. `areas` are the FIPS codes that it has files of, `sequences` those of its tables where it has a lookup.
 */
export function expandFiles(
  selected: SelectedVintage,
  areas: readonly string[],
  selection: FetchSelection,
  sequences: readonly string[] = [],
): PlannedFile[] {
  const { download, vintage } = selected;
  const { geography, per } = download;
  const perArea = per === 'nation' ? [{}] : areas.map((area) => areaValues(per, area));
  const perTable = download.lookup
    ? sequences.map((sequence) => ({ sequence }))
    : (download.tables ?? ['']).map((table) => ({ table }));
  const own = {
    url: vintage.url ?? download.url ?? '',
    file: vintage.file ?? download.file ?? '',
    alternatives: vintage.alternatives,
  };
  const values = { year: vintage.vintage };
  return [
    ...expandLookup(selected, selection),
    ...(geography ? perArea.map((area) => planFile(selected, selection, geography, { ...values, ...area })) : []),
    ...perTable.flatMap((table) =>
      perArea.map((area) => planFile(selected, selection, own, { ...values, ...table, ...area })),
    ),
  ];
}

/** The file that tells in which sequences the tables are; none where the download has no sequences. */
export function expandLookup(selected: SelectedVintage, selection: FetchSelection): PlannedFile[] {
  const { download, vintage } = selected;
  return download.lookup ? [planFile(selected, selection, download.lookup, { year: vintage.vintage })] : [];
}

function areaValues(per: 'state' | 'county', fips: string): PatternValues {
  const state = stateByFips(fips.slice(0, 2));
  return {
    [per]: fips,
    stateCode: state?.abbreviation.toLowerCase() ?? '',
    stateFolder: (state?.name ?? '').replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase()),
  };
}

/** One file, at the agency's address and wherever else it is known to be. */
export function planFile(
  { entry, download, vintage }: SelectedVintage,
  selection: FetchSelection,
  { url, file, alternatives = [], sizeMegabytes }: FileAddress,
  values: PatternValues,
): PlannedFile {
  const folder = vintage.vintage === 'latest' ? download.id : `${download.id}/${vintage.vintage}`;
  const candidate = (pattern: string, name: string, mirror?: DownloadMirror): Candidate =>
    makeCandidate(pattern, `${folder}/${fillPattern(name, values)}`, values, selection, mirror);
  const official = [url, ...alternatives].map((pattern) => candidate(pattern, file));
  const mirrors = vintage.mirrors ?? [];
  const copies = mirrors.flatMap((mirror) => (mirror.url ? [candidate(mirror.url, mirror.file ?? file, mirror)] : []));
  const [first, ...others] = vintage.takenDown ? [...copies, ...official] : [...official, ...copies];
  if (!first) throw new FetchSetupError(`${download.id} ${vintage.vintage}: the manifest has no address of it`);
  return {
    download: download.id,
    vintage: vintage.vintage,
    tractVintage: vintage.tractVintage,
    candidates: [first, ...others],
    sizeBytes: (sizeMegabytes ?? vintage.sizeMegabytes ?? download.sizeMegabytes) * BYTES_PER_MEGABYTE,
    sha256: vintage.sha256 ?? {},
    releaseYear: vintage.rolling ? Number(vintage.vintage) : undefined,
    pages: [
      download.landingPage ?? entry.landingPage,
      ...mirrors.map(({ publisher, page }) => `${page} (${publisher})`),
    ],
    takenDown: vintage.takenDown && `${vintage.takenDown.note} (since ${vintage.takenDown.since})`,
  };
}

function makeCandidate(
  pattern: string,
  path: string,
  values: PatternValues,
  { mirror: ownMirror, censusApiKey }: FetchSelection,
  mirror: DownloadMirror | undefined,
): Candidate {
  const url = fillPattern(pattern.replace(`&key=${KEY}`, ''), values);
  if (ownMirror !== undefined) {
    const requestUrl = mirroredUrl(url, ownMirror);
    const allowedHosts = new Set([new URL(requestUrl).host]);
    return { url, requestUrl, path, mirror: `your mirror, ${new URL(ownMirror).host}`, allowedHosts };
  }
  // The key is added as it is: nothing that is shown or recorded is made of this address.
  const requestUrl = pattern.includes(KEY) ? `${url}&key=${encodeURIComponent(censusApiKey)}` : url;
  const allowedHosts = new Set([new URL(url).host, ...(mirror?.redirectHosts ?? [])]);
  return { url, requestUrl, path, mirror: mirror?.publisher, allowedHosts };
}
