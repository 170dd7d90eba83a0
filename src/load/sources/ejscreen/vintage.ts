import type { TextProbe } from '../../files/probe.js';
import type { TractVintage } from '../../source-id.js';
import { hasColumns } from '../columns.js';
import { foldersOf, isNotInFuture, type KnownYear, yearIn, yearOfFile, yearOfFolders } from '../file-year.js';
import { foreignMarks, type ReleaseMark } from '../release-marks.js';

export const EJSCREEN_YEARS: readonly number[] = [2021, 2022, 2023, 2024];

/** Releases up to 2021 are on 2010 tracts. */
export const ejscreenTractVintage = (year: number): TractVintage => (year <= 2021 ? 2010 : 2020);

/** How the agency names its files. */
export const OFFICIAL_NAME = /^EJSCREEN_(20\d\d)_.*\.csv$/i;

/**
 * The release by the file's name, else by its columns, else by its folder; it may be one that is not supported. In a name
 * other than the agency's, a year whose release lacks the file's columns means something else, such as the download.
 */
export function ejscreenYear(probe: TextProbe): number | undefined {
  const { file, header } = probe;
  const official = OFFICIAL_NAME.exec(file.name)?.[1];
  if (official !== undefined) return Number(official);
  const isKnown: KnownYear = (year) => isNotInFuture(year) && mayHave(header, year);
  return yearIn(file.name, isKnown) ?? laterRelease(probe) ?? yearByColumns(header) ?? yearOfFolders(file, isKnown);
}

const OF_EJSCREEN = /ejscreen/i;
const ONLY_YEAR = /^20\d\d$/;
const NEWEST = Math.max(...EJSCREEN_YEARS);

/**
 * A release after those that are read, if a folder gives it to a table that is known as the newest only by columns that it
 * lacks. A year counts beside `EJScreen`, or in a folder of its own below that; any other may be that of the download.
 */
function laterRelease({ file, header }: TextProbe): number | undefined {
  const folders = foldersOf(file);
  const years = folders
    .filter((text, at) => OF_EJSCREEN.test(text) || (ONLY_YEAR.test(text) && OF_EJSCREEN.test(folders[at - 1] ?? '')))
    .map((text) => yearIn(text));
  const innermost = years.findLast((year) => year !== undefined) ?? 0;
  return innermost > NEWEST && isNewestByAbsence(header) ? innermost : undefined;
}

/** Whether nothing but its columns makes a table one of the newest release that is read: a later one may have the same. */
export const isNewestByColumnsAlone = ({ file, header }: TextProbe): boolean =>
  yearByColumns(header) === NEWEST && yearOfFile(file, (year) => year === NEWEST) === undefined;

const MARKS: readonly ReleaseMark[] = [
  { column: 'VULEOPCT', until: 2021 },
  { column: 'CANCER', until: 2023 },
  { column: 'RESP', until: 2023 },
  { column: 'RSEI_AIR', since: 2023 },
  { column: 'DEMOGIDX_2', since: 2022 },
];

/** Whether the columns may be those of a year's release. */
const mayHave = (header: readonly string[], year: number): boolean => foreignMarks(MARKS, header, year).length === 0;

/** Explains to the maintainer that the official name, or else the folder, is of another year than the columns. */
export function yearContradiction(probe: TextProbe): string | undefined {
  const official = OFFICIAL_NAME.exec(probe.file.name)?.[1];
  return official === undefined ? folderContradiction(probe) : nameContradiction(official, probe);
}

function nameContradiction(official: string, { header }: TextProbe): string | undefined {
  const foreign = foreignMarks(MARKS, header, Number(official)).map(({ column }) => column);
  if (foreign.length === 0) return undefined;
  const byColumns = yearByColumns(header) ?? 'another year';
  return `its name says ${official}, but its columns say ${byColumns}: the release of ${official} has no column ${foreign.join(', ')}`;
}

/** Columns that only 2024 has, unless somebody has joined them to another release, whose year the name then gives. */
const OF_2024_ALONE: readonly string[] = ['NO2', 'DWATER'];

/** Whether columns that are missing, and no others, say that the table is of 2024. */
const isNewestByAbsence = (header: readonly string[]): boolean =>
  yearByColumns(header) === 2024 && !OF_2024_ALONE.some((column) => hasColumns(header, column));

/** Columns say more than a folder. But 2024 is known by the absence of columns, which may have been removed instead. */
function folderContradiction({ file, header }: TextProbe): string | undefined {
  const isKnown: KnownYear = (year) => EJSCREEN_YEARS.includes(year) && mayHave(header, year);
  const isIn2024 = yearOfFolders(file, (year) => year === 2024) !== undefined;
  if (!isNewestByAbsence(header) || isIn2024 || yearIn(file.name, isKnown) !== undefined) return undefined;
  const folder = yearOfFolders(file, isKnown);
  if (folder === undefined) return undefined;
  return `its folder says ${folder}, but its columns say 2024: the release of ${folder} has CANCER and RESP; put the year into the file name`;
}

/**
 * 2024 has neither CANCER nor RESP; 2023 introduced RSEI_AIR; 2022 introduced the two demographic indexes on which the D2_
 * and D5_ columns are built; 2021 has VULEOPCT in their place.
 */
function yearByColumns(header: readonly string[]): number | undefined {
  if (!hasColumns(header, 'CANCER') && !hasColumns(header, 'RESP')) return 2024;
  if (hasColumns(header, 'RSEI_AIR')) return 2023;
  if (hasColumns(header, 'DEMOGIDX_2')) return 2022;
  return hasColumns(header, 'VULEOPCT') ? 2021 : undefined;
}
