import type { DbfField, DbfTable } from '../../files/dbf.js';
import type { ShapefileSet } from '../../files/discover.js';

/** A shapefile of census tracts. */
export interface TractShapefile {
  readonly set: ShapefileSet;
  readonly table: DbfTable;
  /** In the agency's words, with its vintage: `TIGER/Line 2020`. */
  readonly product: string;
  readonly year: number;
  /** Where two products hold the same tract, the greater wins: TIGER/Line over cartographic boundaries, newer over older. */
  readonly rank: number;
  readonly fields: TractFields;
}

/** The columns that the loader reads; names vary with the product. */
export interface TractFields {
  readonly geoid: DbfField;
  readonly lat: DbfField | undefined;
  readonly lng: DbfField | undefined;
  readonly land: DbfField | undefined;
  readonly water: DbfField | undefined;
  readonly countyName: DbfField | undefined;
}

interface Product {
  readonly pattern: RegExp;
  readonly title: (year: string) => string;
  /** Better products have greater grades; years decide within a grade. */
  readonly grade: number;
}

const PRODUCTS: readonly Product[] = [
  { pattern: /^tl_(\d{4})_\d{2}_tract$/i, title: (year) => `TIGER/Line ${year}`, grade: 6 },
  { pattern: /^tl_(\d{4})_\d{2}_tract\d{2}$/i, title: (year) => `TIGER/Line ${year} (PL 94-171)`, grade: 5 },
  {
    pattern: /^cb_(\d{4})_(\d{2}|us)_tract_500k/i,
    title: (year) => `Cartographic boundaries ${year}, 1:500,000`,
    grade: 3,
  },
  {
    pattern: /^cb_(\d{4})_(\d{2}|us)_tract_/i,
    title: (year) => `Cartographic boundaries ${year}, small scale`,
    grade: 2,
  },
];

/** TIGER/Line renamed or filtered: it still carries INTPTLAT and MTFCC, which no other product does. */
const RENAMED_TIGER_GRADE = 4;
const OTHER_GRADE = 1;
const YEARS_PER_GRADE = 10_000;

/** Says whether a shapefile's attributes are those of census tracts, and of which product and year. */
export function recognizeTractShapefile(set: ShapefileSet, table: DbfTable): TractShapefile | undefined {
  const fields = findFields(table);
  if (!fields) return undefined;
  for (const { pattern, title, grade } of PRODUCTS) {
    const year = pattern.exec(set.name)?.[1];
    if (year) return describe(set, table, fields, title(year), Number(year), grade);
  }
  const year = Number(/(?:^|\D)(20[0-4]\d)(?:\D|$)/.exec(set.label)?.[1] ?? 0);
  const when = year || 'of unknown year';
  if (fields.lat && hasField(table, /^MTFCC/i)) {
    return describe(set, table, fields, `TIGER/Line ${when} (re-saved)`, year, RENAMED_TIGER_GRADE);
  }
  return describe(set, table, fields, `Tract outlines ${when} (unofficial)`, year, OTHER_GRADE);
}

function describe(
  set: ShapefileSet,
  table: DbfTable,
  fields: TractFields,
  product: string,
  year: number,
  grade: number,
): TractShapefile {
  return { set, table, product, year, rank: grade * YEARS_PER_GRADE + year, fields };
}

function findFields(table: DbfTable): TractFields | undefined {
  const find = (pattern: RegExp): DbfField | undefined => table.fields.find((field) => pattern.test(field.name));
  const geoid = find(/^GEOID(\d{2})?$/i);
  // Block groups, counties and address ranges have GEOIDs, too, but only tracts end at TRACTCE.
  if (!geoid || !hasField(table, /^TRACTCE(\d{2})?$/i) || hasField(table, /^(BLKGRPCE|BLOCKCE)(\d{2})?$/i))
    return undefined;
  return {
    geoid,
    lat: find(/^INTPTLAT(\d{2})?$/i),
    lng: find(/^INTPTLON(\d{2})?$/i),
    land: find(/^ALAND(\d{2})?$/i),
    water: find(/^AWATER(\d{2})?$/i),
    countyName: find(/^NAMELSADCO$/i),
  };
}

function hasField(table: DbfTable, pattern: RegExp): boolean {
  return table.fields.some((field) => pattern.test(field.name));
}
