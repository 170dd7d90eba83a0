import type { TextProbe } from '../../model.js';
import { hasColumns } from '../columns.js';
import { yearIn, yearOfFolders } from '../file-year.js';

export const EJSCREEN_YEARS: readonly number[] = [2021, 2022, 2023, 2024];

/** The release by the file's name, else by its columns, else by its folder; a year that is not read is given as it is. */
export function ejscreenYear(probe: TextProbe): number | undefined {
  return yearIn(probe.file.name) ?? yearByColumns(probe.header) ?? yearOfFolders(probe.file);
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
