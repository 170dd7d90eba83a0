import type { InputFile } from '../../input.js';
import { FIRST_YEAR_OF_2020_TRACTS, type TractVintage } from '../../source-id.js';
import { foldersOf, type KnownYear, yearOfFile, yearsIn } from '../file-year.js';

/** The five years that a file's estimates cover. */
export interface AcsVintage {
  /** The last of the five. */
  readonly year: number;
  /** Products of 2006–2010 to 2015–2019 are on 2010 tracts. */
  readonly tractVintage: TractVintage;
}

/**
 * What an official file name says: `ACSDT5Y2022.B19013-Data.csv`, `acsdt5y2022-b19013.dat`, and, in an older form of
 * data.census.gov with the download date, `ACSDT5Y2019.B19013_data_with_overlays_2021-03-04T051525.csv`.
 */
export interface AcsFileName {
  readonly span: 1 | 5;
  readonly year: number;
  readonly table: string;
}

const OFFICIAL_NAME = /^ACS(?:DT|ST|DP)([15])Y(\d{4})[.-](B\d{5}|S\d{4}|DP\d{2})(?![A-Z0-9]).*\.(?:csv|dat)$/i;
/** Files that accompany a table: their present names and, last, those of downloads up to 2021. */
const COMPANION = /Column-Metadata|Table-Notes|_metadata_|_table_title_/i;

/** Undefined for other names, and for the notes and column metadata that come with a data file. */
export function parseAcsFileName(name: string): AcsFileName | undefined {
  const match = COMPANION.test(name) ? null : OFFICIAL_NAME.exec(name);
  if (!match) return undefined;
  return { span: match[1] === '1' ? 1 : 5, year: Number(match[2]), table: (match[3] ?? '').toUpperCase() };
}

/** How many years the estimates cover. */
const YEARS = 5;

/** The estimates of 2005–2009, the first, are the only ones on the tracts of 2000. */
const FIRST_YEAR = 2009;

/** The month (from 0) in which the five years that end with the previous year are published. */
const DECEMBER = 11;

/** Whether the five years that end with this one can have been published by now. */
export const isPublished: KnownYear = (year) => {
  const now = new Date();
  return year >= FIRST_YEAR && year <= now.getUTCFullYear() - (now.getUTCMonth() === DECEMBER ? 1 : 2);
};

/**
 * The vintage by the official name, else by a four-digit year in the name or in a folder on the path; undefined if none of
 * these can be a vintage: a folder may be named after the year of the download.
 */
export function acsVintage(file: InputFile): AcsVintage | undefined {
  const year = parseAcsFileName(file.name)?.year ?? yearOfFile(file, isPublished);
  return year !== undefined && isPublished(year) ? vintageOfYear(year) : undefined;
}

/**
 * Explains to the maintainer that the name or folder from which the vintage was taken has further years that could be it.
 * The first and last of the five are no such years.
 */
export function yearsContradiction(file: InputFile): string | undefined {
  if (parseAcsFileName(file.name)) return undefined;
  const texts = [file.name, ...foldersOf(file).toReversed()];
  const years = texts.map((text) => yearsIn(text, isPublished)).find((found) => found.length > 0) ?? [];
  const [first = 0, last = first] = years;
  if (years.length < 2 || (years.length === 2 && last - first === YEARS - 1)) return undefined;
  return `its name or folder gives several years (${years.join(', ')}); leave only the last of its five`;
}

const IN_DOLLARS = /\(in (\d{4}) inflation-adjusted dollars\)/i;

/** Explains to the maintainer that the labels of amounts, which are in dollars of the last year, are of another vintage. */
export function dollarsContradiction(labels: readonly string[], { year }: AcsVintage): string | undefined {
  const dollars = labels.map((label) => IN_DOLLARS.exec(label)?.[1]).find((found) => found !== undefined);
  if (dollars === undefined || Number(dollars) === year) return undefined;
  return `its name or folder says ${year}, but its labels are in dollars of ${dollars}, the last of its five years`;
}

/** Why a vintage must not be loaded: its GEOIDs would be taken for those of 2010 tracts. Undefined for the others. */
export function refusalOfVintage({ year }: AcsVintage): string | undefined {
  return year > FIRST_YEAR ? undefined : 'it is on the tracts of 2000, which no crosswalk that is read leads from';
}

/** The vintage whose last year is this one. */
export const vintageOfYear = (year: number): AcsVintage => ({
  year,
  tractVintage: year < FIRST_YEAR_OF_2020_TRACTS ? 2010 : 2020,
});

/** `ACS 5-year 2018–2022 B19013`. */
export const acsProduct = (vintage: AcsVintage, table: string): string => `${acsPeriod(vintage)} ${table}`;

/** `ACS 5-year 2018–2022`. */
export const acsPeriod = ({ year }: AcsVintage): string => `ACS 5-year ${year - YEARS + 1}–${year}`;
