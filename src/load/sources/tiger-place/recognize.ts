import { type DbfField, type DbfHeader, type DbfTable, findField, readDbf } from '../../files/dbf.js';
import type { CompleteShapefile } from '../../files/discover.js';
import { whyNotGeographic } from '../../files/projection.js';
import { InputError } from '../../input.js';

/** A state's shapefile of places: cities, towns and villages, and census-designated places. */
export interface PlaceFile {
  readonly set: CompleteShapefile;
  readonly table: DbfTable;
  readonly name: DbfField;
  /** The state's FIPS code, in every row; undefined if the table has no such column. */
  readonly state: DbfField | undefined;
  /** In the agency's words, with its vintage: `TIGER/Line places 2023`. */
  readonly product: string;
  readonly year: number;
  /** Two digits. */
  readonly stateFips: string;
}

/** A shapefile of places that may be loaded, why it must not be, or why one that may have been meant as such is none. */
export type PlaceRecognition =
  | { readonly places: PlaceFile }
  | { readonly fault: string }
  | { readonly product: string; readonly refuse: string };

const OFFICIAL_NAME = /^tl_(\d{4})_(\d{2})_place$/i;

const productOf = (year: string): string => `TIGER/Line places ${year}`;

/**
 * Recognizes a shapefile of places by its official name, which alone tells its state and year; undefined for shapefiles
 * without places. Throws `InputError` on one that cannot be read.
 */
export async function recognizePlaceFile(
  set: CompleteShapefile,
  header: DbfHeader,
): Promise<PlaceRecognition | undefined> {
  const [, year, stateFips] = OFFICIAL_NAME.exec(set.name) ?? [];
  if (year === undefined || stateFips === undefined) return looksLikePlaces(header);
  const product = productOf(year);
  const table = await readDbf(set.dbf);
  const name = findField(table.fields, 'NAME');
  if (!name) throw new InputError(`${set.dbf.label} (${product}): has no column NAME`);
  const refuse = await whyNotGeographic(set);
  if (refuse !== undefined) return { product, refuse };
  const state = findField(table.fields, 'STATEFP');
  return { places: { set, table, name, state, product, year: Number(year), stateFips } };
}

/** What to tell of a table that has the columns of places under another name; undefined for other tables. */
function looksLikePlaces({ fields }: DbfHeader): PlaceRecognition | undefined {
  const names = new Set(fields.map(({ name }) => name.toUpperCase()));
  if (!names.has('PLACEFP') || !names.has('NAME')) return undefined;
  // Tracts to which somebody has added the places that they lie in.
  if ([...names].some((name) => name.startsWith('TRACTCE'))) return undefined;
  return { fault: 'looks like places, but is not named as the agency does, tl_<year>_<state>_place' };
}

/** The product whose shapefiles have this name (without extension); undefined for names that are not official. */
export function officialPlaceProduct(name: string): string | undefined {
  const [, year] = OFFICIAL_NAME.exec(name) ?? [];
  return year === undefined ? undefined : productOf(year);
}
