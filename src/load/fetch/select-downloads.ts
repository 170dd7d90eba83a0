import type { SourceCatalog, SourceEntry } from '../source-catalog.js';
import { FetchSelectionError } from './fetch-error.js';
import type { Download, DownloadVintage } from './manifest.js';
import type { FetchSelection } from './plan.js';

/** One vintage of a download. */
export interface SelectedVintage {
  readonly entry: SourceEntry;
  readonly download: Download;
  readonly vintage: DownloadVintage;
}

/** The vintages to fetch, and notes on downloads without a suitable vintage. */
export interface SelectedDownloads {
  readonly vintages: readonly SelectedVintage[];
  readonly notes: readonly string[];
}

const LATEST = 'latest';

/** Chooses downloads and their vintages. Throws `FetchSelectionError` for a source that is unknown or has no such vintage. */
export function selectDownloads(catalog: SourceCatalog, selection: FetchSelection): SelectedDownloads {
  const all = Object.entries(catalog).flatMap(([source, entry]) =>
    (entry.downloads ?? []).map((download) => ({ source, entry, download })),
  );
  const wanted = new Set(selection.sources);
  for (const name of wanted) {
    if (all.some(({ source, download }) => source === name || download.id === name)) continue;
    const known = all.map(({ download }) => download.id).join(', ');
    throw new FetchSelectionError(
      'sources',
      `${name || 'an empty entry'} is not a source that can be fetched; choose from ${known}`,
    );
  }
  const chosen = all.filter(({ source, download }) => {
    if (wanted.has(download.id)) return true;
    return download.optional !== true && (wanted.size === 0 || wanted.has(source));
  });
  const notes: string[] = [];
  const vintages = chosen.flatMap(({ entry, download }) => {
    const series = chosen.map((other) => other.download).filter((other) => seriesOf(other) === seriesOf(download));
    const newest = newestOf(series, selection);
    const found = vintagesOf(download, newest, selection);
    if (found.length > 0 || newest !== undefined) return found.map((vintage) => ({ entry, download, vintage }));
    const first = download.vintages[0]?.vintage;
    const note = `${download.id}: there is no vintage up to ${selection.year}; the first is ${first}`;
    if (wanted.size > 0) throw new FetchSelectionError('year', note);
    notes.push(note);
    return [];
  });
  const trending = chosen.filter(({ download }) => download.take === 'all').map(({ download }) => download.id);
  for (const year of trending.length > 0 ? (selection.trendYears ?? []) : []) {
    const isFound = vintages.some(
      ({ download, vintage }) => download.take === 'all' && Number(vintage.vintage) === year,
    );
    if (!isFound) notes.push(`${trending.join(', ')}: there is no vintage of ${year} to show trends from`);
  }
  return { vintages, notes };
}

const seriesOf = ({ id, continues }: Download): string => continues ?? id;

/** The newest year up to the selected one for which any of the downloads has a vintage. */
function newestOf(series: readonly Download[], { year }: FetchSelection): number | undefined {
  const years = series
    .flatMap(({ vintages }) => vintages)
    .filter(({ vintage }) => vintage !== LATEST && (year === undefined || Number(vintage) <= year));
  return years.length === 0 ? undefined : Math.max(...years.map(({ vintage }) => Number(vintage)));
}

/** The `latest` vintage, the newest year and, for downloads taken in all years, the wanted earlier ones; newest first. */
function vintagesOf(
  { vintages, take }: Download,
  newest: number | undefined,
  { trendYears }: FetchSelection,
): DownloadVintage[] {
  const isWanted = (year: number): boolean =>
    year === newest ||
    (take === 'all' && newest !== undefined && year < newest && (trendYears?.includes(year) ?? true));
  const dated = vintages.filter(({ vintage }) => vintage !== LATEST && isWanted(Number(vintage)));
  const latest = vintages.filter(({ vintage }) => vintage === LATEST);
  return [...latest, ...dated.sort((a, b) => Number(b.vintage) - Number(a.vintage))];
}
