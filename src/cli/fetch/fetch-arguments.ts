import { STATES } from '../../core/states.js';
import { isWebUrl, withoutSecrets } from '../../core/web-url.js';
import { FetchSelectionError } from '../../load/fetch/fetch-error.js';
import type { FetchSelection } from '../../load/fetch/plan.js';
import { selectDownloads } from '../../load/fetch/select-downloads.js';
import type { SourceCatalog } from '../../load/source-catalog.js';
import { CliError } from '../cli-error.js';
import type { ParsedOptions } from '../options.js';
import { readStates } from '../state-filter.js';

/** Options of every command that downloads. */
export const FETCH_OPTIONS = {
  states: { type: 'string' },
  territories: { type: 'boolean' },
  sources: { type: 'string' },
  year: { type: 'string' },
  'trend-years': { type: 'string' },
  'from-mirror': { type: 'string' },
} as const;

export const FETCH_OPTIONS_USAGE = `  --states <list>       for files by state or county, only these states: FIPS codes or abbreviations (default all)
  --territories         include Puerto Rico and the island areas
  --sources <list>      only these sources, such as tiger,acs (default all but the optional ones)
  --year <year>         newest vintages up to this year (default: the newest known)
  --trend-years <list>  ACS years besides the newest, or none (default: all known)
  --from-mirror <url>   download everything from <url>/<host>/<path>, the layout of wget --force-directories`;

export type FetchArguments = ParsedOptions<typeof FETCH_OPTIONS>['values'];

/** Reads from a command's options what to fetch. Throws `CliError` naming an option that is wrong or not in the catalog. */
export function readSelection(given: FetchArguments, catalog: SourceCatalog, censusApiKey: string): FetchSelection {
  const { states, territories } = readStates(given);
  const selection = {
    sources: given.sources?.split(',').map((name) => name.trim()),
    states: STATES.filter(({ fips, territory }) => states?.has(fips) ?? (territories || !territory)).map(
      ({ fips }) => fips,
    ),
    year: given.year === undefined ? undefined : readYear('--year', given.year),
    trendYears: readTrendYears(given['trend-years']),
    mirror: readMirror(given['from-mirror']),
    censusApiKey,
  };
  checkSelection(catalog, selection);
  return selection;
}

/** Checks the selection before any request is sent or the disk is touched. */
function checkSelection(catalog: SourceCatalog, selection: FetchSelection): void {
  try {
    selectDownloads(catalog, selection);
  } catch (error) {
    throw error instanceof FetchSelectionError ? new CliError(`--${error.field}: ${error.message}`, 2) : error;
  }
}

function readTrendYears(text: string | undefined): number[] | undefined {
  if (text === undefined || text === 'all') return undefined;
  return text === 'none' ? [] : text.split(',').map((year) => readYear('--trend-years', year.trim()));
}

function readYear(option: string, text: string): number {
  if (!/^20\d\d$/.test(text))
    throw new CliError(`${option}: ${text || 'an empty entry'} is not a year such as 2023`, 2);
  return Number(text);
}

function readMirror(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = isWebUrl(text) ? new URL(text) : undefined;
  if (url?.search !== '' || url.hash !== '') {
    throw new CliError(
      `--from-mirror: ${withoutSecrets(text)} is not an http or https URL without query and fragment`,
      2,
    );
  }
  return url.href;
}
