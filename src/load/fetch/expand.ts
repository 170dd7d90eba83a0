import { stateByFips } from '../../core/states.js';
import { FetchSetupError } from './fetch-error.js';
import type { DownloadCompanion, DownloadMirror } from './manifest.js';
import type { Candidate, FetchSelection, PlannedFile } from './plan.js';
import type { SelectedVintage } from './select-downloads.js';

/** The values of a pattern's placeholders. */
type PatternValues = Readonly<Record<string, string>>;

/** The patterns of a file's URLs and of its name on disk. */
type FileAddress = Pick<DownloadCompanion, 'url' | 'file' | 'alternatives'> & { readonly sizeMegabytes?: number };

const KEY = '{key}';
const BYTES_PER_MEGABYTE = 1_000_000;

/** Fills in the placeholders. Throws if the manifest's pattern has one without a value. */
function fillPattern(pattern: string, values: PatternValues): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new FetchSetupError(`${pattern}: nothing is known for ${whole}`);
    return value;
  });
}

/** A URL's counterpart on the user's own mirror, as `wget --force-directories` lays files out. */
export function mirroredUrl(url: string, mirror: string): string {
  return `${mirror.replace(/\/+$/, '')}/${url.replace(/^https?:\/\//, '').replace(/#.*$/, '')}`;
}

/** The URL that is requested, as it may be shown and recorded: a mirror's without its user name and password. */
export function shownUrl(url: string, mirror: string | undefined): string {
  if (mirror === undefined) return url;
  const base = new URL(mirror);
  base.username = '';
  base.password = '';
  return mirroredUrl(url, base.href);
}

/** Whether the download needs a Census API key. */
export const needsKey = ({ download }: SelectedVintage): boolean => download.url?.includes(KEY) === true;

/**
 * The files of a vintage: for each of its tables or sequences one file, or one per state or county; also the lookup and
 * geography files needed to read them. `areas` are the FIPS codes of its states or counties; `sequences` are those that
 * hold its tables, if it has a lookup.
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

/** The lookup file, which tells which sequences hold the tables; empty if the download has no sequences. */
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

/** Plans one file, with the agency's URLs and the known mirrors as its candidates. */
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
  if (!first) throw new FetchSetupError(`${download.id} ${vintage.vintage}: datasets/sources.json has no URL for it`);
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
  const agencyUrl = fillPattern(pattern.replace(`&key=${KEY}`, ''), values);
  if (ownMirror !== undefined) {
    const requestUrl = mirroredUrl(agencyUrl, ownMirror);
    const allowedHosts = new Set([new URL(requestUrl).host]);
    // Not the agency's, which was never asked: another server's validators and unfinished downloads mean nothing to it.
    const url = shownUrl(agencyUrl, ownMirror);
    return { url, requestUrl, path, mirror: `your mirror, ${new URL(ownMirror).host}`, allowedHosts };
  }
  // The request URL may contain the key, because nothing that is shown or recorded is derived from it.
  const requestUrl = pattern.includes(KEY) ? `${agencyUrl}&key=${encodeURIComponent(censusApiKey)}` : agencyUrl;
  const allowedHosts = new Set([new URL(agencyUrl).host, ...(mirror?.redirectHosts ?? [])]);
  return { url: agencyUrl, requestUrl, path, mirror: mirror?.publisher, allowedHosts };
}
