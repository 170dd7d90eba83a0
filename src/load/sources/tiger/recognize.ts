import { type DbfField, type DbfHeader, type DbfTable, readDbf } from '../../files/dbf.js';
import type { CompleteShapefile } from '../../files/discover.js';
import { FIRST_YEAR_OF_2020_TRACTS, type TractVintage } from '../../source-id.js';
import { yearOfFile } from '../file-year.js';
import { readTractField } from '../tract-field.js';

/** A shapefile of census tracts. */
export interface TractShapefile {
  readonly set: CompleteShapefile;
  readonly table: DbfTable;
  /** In the agency's words, with its vintage: `TIGER/Line 2020`. */
  readonly product: string;
  /** 0 if unknown. */
  readonly year: number;
  readonly tractVintage: TractVintage;
  /** For a tract in two products, the greater rank wins: TIGER/Line over cartographic boundaries, newer over older. */
  readonly rank: number;
  readonly fields: TractFields;
}

/** The columns that the loader reads; their names vary by product. */
export interface TractFields {
  readonly geoid: DbfField;
  /** The tract's code, of the same delineation as the GEOID, whose last six digits it repeats. */
  readonly tractCode: DbfField | undefined;
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
  // Besides the tracts of 2020, the PL edition has older ones for comparison.
  { pattern: /^tl_(\d{4})_\d{2}_tract(?:00|10)$/i, title: (year) => `TIGER/Line ${year} (older tracts)`, grade: 5 },
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

/** For TIGER/Line renamed or filtered: it still has INTPTLAT and MTFCC, which no other product has. */
const RENAMED_TIGER_GRADE = 4;
const OTHER_GRADE = 1;
const YEARS_PER_GRADE = 10_000;

/** The product whose shapefiles have this name (without extension); undefined for names that are not official. */
export function officialProduct(name: string): string | undefined {
  return officialEdition(name)?.product;
}

/** What is known of a shapefile besides its columns. */
interface Edition {
  readonly product: string;
  /** 0 if unknown. */
  readonly year: number;
  readonly grade: number;
}

function officialEdition(name: string): Edition | undefined {
  for (const { pattern, title, grade } of PRODUCTS) {
    const year = pattern.exec(name)?.[1];
    if (year) return { product: title(year), year: Number(year), grade };
  }
  return undefined;
}

/**
 * Recognizes a shapefile of census tracts by the header of its attributes, and tells product and year; undefined for others,
 * whose attributes are not read. Throws `InputError` on attributes that cannot be read.
 */
export async function recognizeTractShapefile(
  set: CompleteShapefile,
  header: DbfHeader,
): Promise<TractShapefile | undefined> {
  const fields = findFields(header);
  if (!fields) return undefined;
  const isTiger = fields.lat !== undefined && hasField(header, /^MTFCC/i);
  const { product, year, grade } = officialEdition(set.name) ?? unofficialEdition(yearOfFile(set.shp) ?? 0, isTiger);
  const tractVintage = tractVintageOf(set.name, fields.geoid.name, year);
  const table = await readDbf(set.dbf);
  return { set, table, product, year, tractVintage, rank: grade * YEARS_PER_GRADE + year, fields };
}

const GEOID = /^GEOID(\d{2})?$/i;
const TRACT_CODE = /^TRACTCE(\d{2})?$/i;

/** The tracts of 2000 have no GEOID, but this. */
const GEOID_OF_2000 = /^CTIDFP(00)?$/i;
/** County subdivisions, voting districts and metropolitan divisions, whose GEOIDs have as many digits as those of tracts. */
const OTHER_AREA = /^(COUSUBFP|VTDST|METDIVFP)(\d{2})?$/i;

/** Which columns a table named as one of tracts lacks; undefined if it is one of smaller areas, or of tracts of 2000. */
export function whyNoTracts(header: DbfHeader): string | undefined {
  if (hasField(header, GEOID_OF_2000)) return undefined;
  const missing = [...(hasField(header, GEOID) ? [] : ['GEOID']), ...(hasField(header, TRACT_CODE) ? [] : ['TRACTCE'])];
  return missing.length === 0 ? undefined : `its .dbf has no column ${missing.join(', ')}; download it again`;
}

/** Whether a table without tract codes has GEOIDs that are those of tracts: a program may have dropped the other columns. */
export function looksLikeTracts(header: DbfHeader): boolean {
  const geoid = header.fields.find(({ name }) => GEOID.test(name));
  if (!geoid || hasField(header, TRACT_CODE) || hasField(header, OTHER_AREA)) return false;
  return readTractField(header.firstRow(geoid)) !== undefined;
}

function unofficialEdition(year: number, isTiger: boolean): Edition {
  const when = year || 'of unknown year';
  return isTiger
    ? { product: `TIGER/Line ${when} (re-saved)`, year, grade: RENAMED_TIGER_GRADE }
    : { product: `Tract outlines ${when} (unofficial)`, year, grade: OTHER_GRADE };
}

/** By the suffix of the file's name or fields (`GEOID10`), else by the year; files of unknown year count as 2020. */
function tractVintageOf(name: string, geoidField: string, year: number): TractVintage {
  if (/_tract(?:00|10)$/i.test(name) || /(?:00|10)$/.test(geoidField)) return 2010;
  return year !== 0 && year < FIRST_YEAR_OF_2020_TRACTS && !/20$/.test(geoidField) ? 2010 : 2020;
}

function findFields(header: DbfHeader): TractFields | undefined {
  const find = (pattern: RegExp): DbfField | undefined => header.fields.find((field) => pattern.test(field.name));
  const geoid = find(GEOID);
  // Block groups, counties and address ranges have GEOIDs, too, but only tracts have TRACTCE and no smaller area.
  if (!geoid || !hasField(header, TRACT_CODE) || hasField(header, /^(BLKGRPCE|BLOCKCE)(\d{2})?$/i)) return undefined;
  const [suffix = ''] = /\d*$/.exec(geoid.name) ?? [];
  return {
    geoid,
    tractCode: find(new RegExp(`^TRACTCE${suffix}$`, 'i')),
    lat: find(/^INTPTLAT(\d{2})?$/i),
    lng: find(/^INTPTLON(\d{2})?$/i),
    land: find(/^ALAND(\d{2})?$/i),
    water: find(/^AWATER(\d{2})?$/i),
    countyName: find(/^NAMELSADCO$/i),
  };
}

function hasField({ fields }: DbfHeader, pattern: RegExp): boolean {
  return fields.some(({ name }) => pattern.test(name));
}
