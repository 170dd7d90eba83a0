import type { InputFile } from '../../input.js';
import type { TractVintage } from '../../source-id.js';
import { type KnownYear, yearOfFile } from '../file-year.js';

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
  const named = parseAcsFileName(file.name)?.year;
  const year = named === undefined ? yearOfFile(file, isPublished) : named;
  return year !== undefined && isPublished(year) ? vintageOfYear(year) : undefined;
}

/** Why a vintage must not be loaded: its GEOIDs would be taken for those of 2010 tracts. Undefined for the others. */
export function refusalOfVintage({ year }: AcsVintage): string | undefined {
  return year > FIRST_YEAR ? undefined : 'it is on the tracts of 2000, which no crosswalk that is read leads from';
}

/** The vintage whose last year is this one. */
export const vintageOfYear = (year: number): AcsVintage => ({ year, tractVintage: year <= 2019 ? 2010 : 2020 });

/** `ACS 5-year 2018–2022 B19013`. */
export const acsProduct = (vintage: AcsVintage, table: string): string => `${acsPeriod(vintage)} ${table}`;

/** `ACS 5-year 2018–2022`. */
export const acsPeriod = ({ year }: AcsVintage): string => `ACS 5-year ${year - 4}–${year}`;
