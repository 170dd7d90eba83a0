import { FetchSetupError } from './fetch-error.js';
import type { DownloadMirror } from './manifest.js';
import type { Candidate, FetchSelection, PlannedFile } from './plan.js';
import type { SelectedVintage } from './select-downloads.js';

/** The values that a pattern's braces stand for. */
type PatternValues = Readonly<Record<string, string>>;

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
 * The files of a vintage: one, one a state or one a county, for each of its tables. `areas` are the FIPS codes that it
 * has files of.
 */
export function expandFiles(
  selected: SelectedVintage,
  areas: readonly string[],
  selection: FetchSelection,
): PlannedFile[] {
  const { download, vintage } = selected;
  const perArea = download.per === 'nation' ? [{}] : areas.map((area) => ({ [download.per]: area }));
  return (download.tables ?? ['']).flatMap((table) =>
    perArea.map((area) =>
      planFile(selected, selection, vintage.url ?? download.url ?? '', vintage.file ?? download.file ?? '', {
        year: vintage.vintage,
        table,
        ...area,
      }),
    ),
  );
}

/** One file, at the agency's address and wherever else it is known to be. */
export function planFile(
  { entry, download, vintage }: SelectedVintage,
  selection: FetchSelection,
  url: string,
  file: string,
  values: PatternValues,
): PlannedFile {
  const folder = vintage.vintage === 'latest' ? download.id : `${download.id}/${vintage.vintage}`;
  const candidate = (pattern: string, name: string, mirror?: DownloadMirror): Candidate =>
    makeCandidate(pattern, `${folder}/${fillPattern(name, values)}`, values, selection, mirror);
  const official = [url, ...(vintage.alternatives ?? [])].map((pattern) => candidate(pattern, file));
  const mirrors = vintage.mirrors ?? [];
  const copies = mirrors.flatMap((mirror) => (mirror.url ? [candidate(mirror.url, mirror.file ?? file, mirror)] : []));
  const [first, ...others] = vintage.takenDown ? [...copies, ...official] : [...official, ...copies];
  if (!first) throw new FetchSetupError(`${download.id} ${vintage.vintage}: the manifest has no address of it`);
  return {
    download: download.id,
    vintage: vintage.vintage,
    tractVintage: vintage.tractVintage,
    candidates: [first, ...others],
    sizeBytes: (vintage.sizeMegabytes ?? download.sizeMegabytes) * BYTES_PER_MEGABYTE,
    sha256: vintage.sha256 ?? {},
    releaseYear: vintage.rolling ? Number(vintage.vintage) : undefined,
    pages: [entry.landingPage, ...mirrors.map(({ publisher, page }) => `${page} (${publisher})`)],
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
