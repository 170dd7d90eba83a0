import type { TextProbe } from '../../model.js';
import { hasColumns } from '../columns.js';
import { isNotInFuture, type KnownYear, yearIn, yearOfFolders } from '../file-year.js';

export const EJSCREEN_YEARS: readonly number[] = [2021, 2022, 2023, 2024];

/** As the agency's files are named. */
export const OFFICIAL_NAME = /^EJSCREEN_(20\d\d)_.*\.csv$/i;

/**
 * The release by the file's name, else by its columns, else by its folder; a year that is not read is given as it is. In
 * another name than the agency's, a year whose release has not the columns is something else's, such as the download's.
 */
export function ejscreenYear({ file, header }: TextProbe): number | undefined {
  const official = OFFICIAL_NAME.exec(file.name)?.[1];
  if (official !== undefined) return Number(official);
  const isKnown: KnownYear = (year) => isNotInFuture(year) && mayHave(header, year);
  return yearIn(file.name, isKnown) ?? yearByColumns(header) ?? yearOfFolders(file, isKnown);
}

/** Columns that not every release has, with the first or the last that does. */
const MARKS: readonly { readonly column: string; readonly since?: number; readonly until?: number }[] = [
  { column: 'CANCER', until: 2023 },
  { column: 'RESP', until: 2023 },
  { column: 'RSEI_AIR', since: 2023 },
  { column: 'DEMOGIDX_2', since: 2022 },
];

/** Columns that are there tell; others may have been left out. */
const mayHave = (header: readonly string[], year: number): boolean => foreignColumns(header, year).length === 0;

/** The columns that the year's release has not. */
function foreignColumns(header: readonly string[], year: number): string[] {
  const foreign = MARKS.filter(({ since = year, until = year }) => year < since || year > until);
  return foreign.map(({ column }) => column).filter((column) => hasColumns(header, column));
}

/** Where the agency's name, or else the folder, is of another year than the columns: both, in words for the maintainer. */
export function yearContradiction(probe: TextProbe): string | undefined {
  const official = OFFICIAL_NAME.exec(probe.file.name)?.[1];
  return official === undefined ? folderContradiction(probe) : nameContradiction(official, probe);
}

function nameContradiction(official: string, { header }: TextProbe): string | undefined {
  const foreign = foreignColumns(header, Number(official));
  if (foreign.length === 0) return undefined;
  const byColumns = yearByColumns(header) ?? 'another year';
  return `its name says ${official}, its columns ${byColumns}: the release of ${official} has no column ${foreign.join(', ')}`;
}

/** A state may have joined them to another release; then its name says so. */
const OF_2024_ALONE: readonly string[] = ['NO2', 'DWATER'];

const hasFolderOf = (file: TextProbe['file'], year: number): boolean =>
  yearOfFolders(file, (known) => known === year) === year;

/** Columns that are there tell more than a folder does; those that tell 2024 are not there, and may have been left out. */
function folderContradiction({ file, header }: TextProbe): string | undefined {
  const isKnown: KnownYear = (year) => EJSCREEN_YEARS.includes(year) && mayHave(header, year);
  if (yearByColumns(header) !== 2024 || yearIn(file.name, isKnown) !== undefined) return undefined;
  if (OF_2024_ALONE.some((column) => hasColumns(header, column)) || hasFolderOf(file, 2024)) return undefined;
  const folder = yearOfFolders(file, isKnown);
  return folder === undefined || folder === 2024
    ? undefined
    : `its folder says ${folder}, its columns 2024: the release of ${folder} has CANCER and RESP; name the year in the name of the file`;
}

/**
 * 2024 has neither CANCER nor RESP; 2023 brought RSEI_AIR; 2022 the two demographic indexes that D2_ and D5_ columns are
 * built on; 2021 has VULEOPCT in their place.
 */
function yearByColumns(header: readonly string[]): number | undefined {
  if (!hasColumns(header, 'CANCER') && !hasColumns(header, 'RESP')) return 2024;
  if (hasColumns(header, 'RSEI_AIR')) return 2023;
  if (hasColumns(header, 'DEMOGIDX_2')) return 2022;
  return hasColumns(header, 'VULEOPCT') ? 2021 : undefined;
}
