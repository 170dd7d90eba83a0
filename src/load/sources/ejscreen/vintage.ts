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

/** Columns that are there tell; others may have been left out. */
function mayHave(header: readonly string[], year: number): boolean {
  if (year >= 2024) return !hasColumns(header, 'CANCER') && !hasColumns(header, 'RESP');
  return year >= 2023 || !hasColumns(header, 'RSEI_AIR');
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
