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

/**
 * The names that a file may have on the user's own mirror: the agency's and, if that has a query, the one under which `wget`
 * saves it, with the query as a part of it. A server of files looks for the former without the query.
 */
const namesOnMirror = (url: string): readonly string[] => (url.includes('?') ? [url, url.replace('?', '%3F')] : [url]);

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

/** The approximate size of one of a download's files, or of one that comes with them and says its own. */
export function estimatedBytes(
  { download, vintage }: Pick<SelectedVintage, 'download' | 'vintage'>,
  ownMegabytes?: number,
): number {
  return (ownMegabytes ?? vintage.sizeMegabytes ?? download.sizeMegabytes) * BYTES_PER_MEGABYTE;
}

/** Plans one file, with the agency's URLs and the known mirrors as its candidates. */
export function planFile(
  { entry, download, vintage }: SelectedVintage,
  selection: FetchSelection,
  { url, file, alternatives = [], sizeMegabytes }: FileAddress,
  values: PatternValues,
): PlannedFile {
  const folder = vintage.vintage === 'latest' ? download.id : `${download.id}/${vintage.vintage}`;
  const candidatesOf = (pattern: string, name: string, mirror?: DownloadMirror): Candidate[] =>
    makeCandidates(pattern, `${folder}/${fillPattern(name, values)}`, values, selection, mirror);
  const official = [url, ...alternatives].flatMap((pattern) => candidatesOf(pattern, file));
  const mirrors = vintage.mirrors ?? [];
  const copies = mirrors.flatMap((mirror) => (mirror.url ? candidatesOf(mirror.url, mirror.file ?? file, mirror) : []));
  const [first, ...others] = vintage.takenDown ? [...copies, ...official] : [...official, ...copies];
  if (!first) throw new FetchSetupError(`${download.id} ${vintage.vintage}: datasets/sources.json has no URL for it`);
  return {
    download: download.id,
    vintage: vintage.vintage,
    tractVintage: vintage.tractVintage,
    candidates: [first, ...others],
    sizeBytes: estimatedBytes({ download, vintage }, sizeMegabytes),
    sha256: vintage.sha256 ?? {},
    releaseYear: vintage.rolling ? Number(vintage.vintage) : undefined,
    pages: [
      download.landingPage ?? entry.landingPage,
      ...mirrors.map(({ publisher, page }) => `${page} (${publisher})`),
    ],
    takenDown: vintage.takenDown && `${vintage.takenDown.note} (since ${vintage.takenDown.since})`,
  };
}

/** The addresses of one copy: one, or on the user's own mirror perhaps two. */
function makeCandidates(
  pattern: string,
  path: string,
  values: PatternValues,
  { mirror: ownMirror, censusApiKey }: FetchSelection,
  mirror: DownloadMirror | undefined,
): Candidate[] {
  const agencyUrl = fillPattern(pattern.replace(`&key=${KEY}`, ''), values);
  if (ownMirror !== undefined) {
    const { host } = new URL(ownMirror);
    const copy = { path, mirror: `your mirror at ${host}`, allowedHosts: new Set([host]) };
    return namesOnMirror(agencyUrl).map((name) => ({
      ...copy,
      // Not the agency's, which was never asked: another server's validators and unfinished downloads mean nothing to it.
      url: shownUrl(name, ownMirror),
      requestUrl: mirroredUrl(name, ownMirror),
    }));
  }
  // The request URL may contain the key, because nothing that is shown or recorded is derived from it.
  const requestUrl = pattern.includes(KEY) ? `${agencyUrl}&key=${encodeURIComponent(censusApiKey)}` : agencyUrl;
  const allowedHosts = new Set([new URL(agencyUrl).host, ...(mirror?.redirectHosts ?? [])]);
  return [{ url: agencyUrl, requestUrl, path, mirror: mirror?.publisher, allowedHosts }];
}
