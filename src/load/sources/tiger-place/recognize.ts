import { type DbfField, type DbfTable, readDbf } from '../../files/dbf.js';
import type { ShapefileSet } from '../../files/discover.js';
import { projectionOf } from '../../files/projection.js';
import { InputError } from '../../input.js';

/** A state's shapefile of places: cities, towns and villages, and census-designated places. */
export interface PlaceFile {
  readonly set: ShapefileSet;
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

/** A shapefile of places that may be loaded, or why it must not be. */
export type PlaceRecognition = { readonly places: PlaceFile } | { readonly product: string; readonly refuse: string };

const OFFICIAL_NAME = /^tl_(\d{4})_(\d{2})_place$/i;

const productOf = (year: string): string => `TIGER/Line places ${year}`;

/**
 * Recognizes a shapefile of places by its official name; undefined for other shapefiles. Throws `InputError` on one that
 * cannot be read.
 */
export async function recognizePlaceFile(set: ShapefileSet): Promise<PlaceRecognition | undefined> {
  const [, year, stateFips] = OFFICIAL_NAME.exec(set.name) ?? [];
  if (year === undefined || stateFips === undefined) return undefined;
  const product = productOf(year);
  if (!set.dbf) throw new InputError(`${set.label} (${product}): its .dbf is missing`);
  const table = await readDbf(set.dbf);
  const name = table.fields.find((field) => field.name.toUpperCase() === 'NAME');
  if (!name) throw new InputError(`${set.dbf.label} (${product}): has no column NAME`);
  const projection = await projectionOf(set);
  if (projection !== undefined) {
    return { product, refuse: `its coordinates are projected (${projection}); convert it to longitude and latitude` };
  }
  const state = table.fields.find((field) => field.name.toUpperCase() === 'STATEFP');
  return { places: { set, table, name, state, product, year: Number(year), stateFips } };
}

/** The product whose shapefiles have this name (without extension); undefined for names that are not official. */
export function officialPlaceProduct(name: string): string | undefined {
  const [, year] = OFFICIAL_NAME.exec(name) ?? [];
  return year === undefined ? undefined : productOf(year);
}
