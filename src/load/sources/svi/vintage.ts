import type { TextProbe } from '../../files/probe.js';
import type { TractVintage } from '../../source-id.js';
import { cellAt, findColumn, hasColumns } from '../columns.js';
import { foldersOf, isNotInFuture, yearIn, yearOfFolders } from '../file-year.js';

/** The releases that are read. */
export const SVI_YEARS: readonly number[] = [2014, 2016, 2018, 2020, 2022];
const isSviYear = (year: number): boolean => SVI_YEARS.includes(year);

/** Releases up to 2018 are on 2010 tracts. */
export const sviTractVintage = (year: number): TractVintage => (year <= 2018 ? 2010 : 2020);

/**
 * A file's release: by its name, else by its tracts' places, else by its folder. Undefined if nothing gives the release, or
 * if what does contradicts the columns.
 */
export function sviYear(probe: TextProbe): number | undefined {
  const { byName, byPlaces } = yearsOf(probe);
  const year = byName ?? byPlaces ?? yearOfFolders(probe.file, isSviYear);
  return year !== undefined && mayHave(probe.header, year) ? year : undefined;
}

/**
 * Explains to the maintainer that the file's name is of another release than its way of writing the tracts' places.
 */
export function placesContradiction(probe: TextProbe): string | undefined {
  const { byName, byPlaces } = yearsOf(probe);
  if (byName === undefined || byPlaces === undefined || byName === byPlaces) return undefined;
  // If any place is written as in the named year, others may have been rewritten: the name is believed.
  if (placesIn(probe).some((place) => yearOfPlace(place) === byName)) return undefined;
  return `its name says ${byName}, but its place names say ${byPlaces}: that release writes them with ${byPlaces === 2022 ? 'semicolons' : 'commas'}`;
}

/** Releases are of even years. */
const isLater = (year: number): boolean => year > Math.max(...SVI_YEARS) && year % 2 === 0 && isNotInFuture(year);

const OF_SVI = /svi/i;
const ONLY_YEAR = /^20\d\d$/;

/**
 * A release after those that are read, if name or folder give it: its places would tell nothing else than the last one's.
 * A year counts beside `SVI` or in a folder of its own below that, as `svi/2024`, unless one that is read follows in
 * another; any other may be that of the download.
 */
export function laterRelease({ file }: TextProbe): number | undefined {
  if (yearIn(file.name, isSviYear) !== undefined) return undefined;
  const path = [...foldersOf(file), file.name];
  const ofRelease = path.filter(
    (text, at) =>
      OF_SVI.test(text) || (ONLY_YEAR.test(text) && (OF_SVI.test(path[at - 1] ?? '') || isSviYear(Number(text)))),
  );
  const years = ofRelease.map((text) => yearIn(text, isSviYear) ?? yearIn(text, isLater));
  const innermost = years.findLast((year) => year !== undefined);
  return innermost !== undefined && isLater(innermost) ? innermost : undefined;
}

/** What a file's name and its tracts' places say of the release. */
function yearsOf(probe: TextProbe): { readonly byName: number | undefined; readonly byPlaces: number | undefined } {
  const [place] = isSince2020(probe.header) ? placesIn(probe) : [];
  const byPlaces = place === undefined ? undefined : yearOfPlace(place);
  // If the name has several years, such as a download's besides the release's, the one that fits the places.
  const byName = yearIn(probe.file.name, (year) => year === byPlaces) ?? yearIn(probe.file.name, isSviYear);
  return { byName, byPlaces };
}

/** Since 2020, poverty is counted below 150% of the poverty level, in columns with other names. */
const isSince2020 = (header: readonly string[]): boolean => hasColumns(header, 'E_POV150');

/** Whether the columns may be those of a year's release. Those of the releases up to 2018 cannot be told apart. */
const mayHave = (header: readonly string[], year: number): boolean =>
  isSince2020(header) ? year >= 2020 : !hasColumns(header, 'E_POV') || year <= 2018;

/** 2020 and 2022 have the same columns, but 2020 writes a tract's place with commas and 2022 with semicolons. */
const yearOfPlace = (place: string): number => (place.includes(';') ? 2022 : 2020);

/** The first tracts' places (`LOCATION`), of those that have several parts. */
function placesIn({ header, rows }: TextProbe): string[] {
  const column = findColumn(header, ['LOCATION']);
  return rows.map((cells) => cellAt(cells, column)).filter((text) => /[,;]/.test(text));
}
