import type { TextProbe } from '../../model.js';
import type { TractVintage } from '../../source-id.js';
import { cellAt, findColumn, hasColumns } from '../columns.js';
import { yearIn, yearOfFolders } from '../file-year.js';

/** The releases that are read. */
export const SVI_YEARS: readonly number[] = [2014, 2016, 2018, 2020, 2022];
const isSviYear = (year: number): boolean => SVI_YEARS.includes(year);

/** Since 2020, poverty is counted below 150% of the poverty level, in columns with other names. */
const belongsToHeader = (year: number, header: readonly string[]): boolean =>
  hasColumns(header, 'E_POV150') ? year >= 2020 : !hasColumns(header, 'E_POV') || year <= 2018;

/**
 * A file's release: by its name, else by the differences between the releases' tables, else by its folder. 2020 and 2022
 * have the same columns, but 2020 writes a tract's place with commas and 2022 with semicolons. The tables up to 2018 cannot
 * be told apart. Undefined if nothing gives the release, or if name and columns contradict each other.
 */
export function sviYear(probe: TextProbe): number | undefined {
  const year = yearByName(probe) ?? yearByRows(probe) ?? yearOfFolders(probe.file, isSviYear);
  return year !== undefined && belongsToHeader(year, probe.header) ? year : undefined;
}

/**
 * Explains to the maintainer that the file's name is of another release than its way of writing the tracts' places.
 */
export function placesContradiction(probe: TextProbe): string | undefined {
  const [byName, byRows] = [yearByName(probe), yearByRows(probe)];
  if (byName === undefined || byRows === undefined || byName === byRows) return undefined;
  // If any place is written as in the named year, others may have been rewritten: the name is believed.
  if (placesIn(probe).some((place) => place.includes(';') === (byName === 2022))) return undefined;
  return `its name says ${byName}, but its place names say ${byRows}: that release writes them with ${byRows === 2022 ? 'semicolons' : 'commas'}`;
}

/** Releases up to 2018 are on 2010 tracts. */
export const sviTractVintage = (year: number): TractVintage => (year <= 2018 ? 2010 : 2020);

/** If the name has several years, such as a download's besides the release's, the one that fits the rows. */
function yearByName(probe: TextProbe): number | undefined {
  const byRows = yearByRows(probe);
  return yearIn(probe.file.name, (year) => year === byRows) ?? yearIn(probe.file.name, isSviYear);
}

/** The first tracts' places (`LOCATION`), of those that have several parts. */
function placesIn({ header, rows }: TextProbe): string[] {
  const column = findColumn(header, ['LOCATION']);
  return rows.map((cells) => cellAt(cells, column)).filter((text) => /[,;]/.test(text));
}

function yearByRows(probe: TextProbe): number | undefined {
  if (!hasColumns(probe.header, 'E_POV150')) return undefined;
  const [location] = placesIn(probe);
  return location === undefined ? undefined : location.includes(';') ? 2022 : 2020;
}
