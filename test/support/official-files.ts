import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dbfFile, GEOGRAPHIC_PRJ, type LngLat, shpFile } from './shapefile-writer.js';

/** The files of an input directory, by relative path. */
export type InputTree = Readonly<Record<string, string | Buffer>>;

/** Writes the files below a directory, creating it if needed; returns the directory. */
export function writeTree(directory: string, files: InputTree): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

/** A square tract, 0.1 degrees wide, given by its south-west corner. */
export interface SquareTract {
  readonly geoid: string;
  readonly west: number;
  readonly south: number;
}

const SIDE = 0.1;

/** The square's only ring, clockwise as shapefiles require of outer rings. */
export function squareRing({ west, south }: Pick<SquareTract, 'west' | 'south'>, side = SIDE): LngLat[] {
  const [east, north] = [west + side, south + side];
  return [
    [west, south],
    [west, north],
    [east, north],
    [east, south],
    [west, south],
  ];
}

const GAZETTEER_HEADER = ['USPS', 'GEOID', 'ALAND', 'AWATER', 'ALAND_SQMI', 'AWATER_SQMI', 'INTPTLAT', 'INTPTLONG'];

/** A national gazetteer of tracts, padded like the official one; internal points are in the middle of the squares. */
export function gazetteerText(tracts: readonly SquareTract[]): string {
  const rows = tracts.map(({ geoid, west, south }) =>
    ['XX', geoid, 1000, 20, '0.', '0.', (south + SIDE / 2).toFixed(6), (west + SIDE / 2).toFixed(6)]
      .join('\t')
      .padEnd(200),
  );
  return `${[`${GAZETTEER_HEADER.join('\t')}${' '.repeat(125)}`, ...rows].join('\n')}\n`;
}

/** CenPop2020_Mean_TR.txt: the 2020 census population by tract; its centers are zeros, which are no positions. */
export function cenpopText(population: Readonly<Record<string, number>>): string {
  const rows = Object.entries(population).map(
    ([geoid, count]) => `${geoid.slice(0, 2)},${geoid.slice(2, 5)},${geoid.slice(5)},${count},+00.000000,+000.000000\n`,
  );
  return `\uFEFFSTATEFP,COUNTYFP,TRACTCE,POPULATION,LATITUDE,LONGITUDE\n${rows.join('')}`;
}

/** A table-based summary file: `columns` such as B19013_E001, one row per tract. */
export function acsDatText(columns: readonly string[], rows: Readonly<Record<string, readonly number[]>>): string {
  const lines = Object.entries(rows).map(([geoid, values]) => `1400000US${geoid}|${values.join('|')}\n`);
  return `GEO_ID|${columns.join('|')}\n${lines.join('')}`;
}

/** An answer of the Census API. */
export function acsApiText(columns: readonly string[], rows: Readonly<Record<string, readonly string[]>>): string {
  const answer = Object.entries(rows).map(([geoid, values]) => [
    ...values,
    geoid.slice(0, 2),
    geoid.slice(2, 5),
    geoid.slice(5),
  ]);
  return JSON.stringify([[...columns, 'state', 'county', 'tract'], ...answer]);
}

const SVI_RANKS = ['RPL_THEME1', 'RPL_THEME2', 'RPL_THEME3', 'RPL_THEME4', 'RPL_THEMES'];

/** A tract's name, such as `Census Tract 401.02`, from the last six digits of its GEOID. */
export const tractName = (geoid: string): string => `Census Tract ${Number(geoid.slice(5)) / 100}`;

/** SVI's columns that the loader reads, in the official order; a missing rank is -999. */
export function sviText(rows: Readonly<Record<string, readonly number[]>>): string {
  const lines = Object.entries(rows).map(
    ([geoid, ranks]) =>
      `${geoid.slice(0, 2)},XX,${geoid},"${tractName(geoid)}; Some County; Some State",${ranks.join(',')}\n`,
  );
  return `ST,ST_ABBR,FIPS,LOCATION,${SVI_RANKS.join(',')}\n${lines.join('')}`;
}

const EJSCREEN_VALUES = 'PM25 OZONE DSLPM CANCER RESP PTRAF PRE1960PCT PNPL PRMP PTSDF PWDIS'.split(' ');

/** EJScreen 2023's columns that the loader reads; null makes an empty cell. */
export function ejscreenText(rows: Readonly<Record<string, readonly (number | null)[]>>): string {
  const lines = Object.entries(rows).map(
    ([geoid, values]) => `${geoid},Some State,XX,Some County,1,0.5,${values.map((value) => value ?? '').join(',')}\n`,
  );
  return `ID,STATE_NAME,ST_ABBREV,CNTY_NAME,REGION,RSEI_AIR,${EJSCREEN_VALUES.join(',')}\n${lines.join('')}`;
}

/** PLACES' wide layout with the given measures. */
export function placesWideText(measures: readonly string[], rows: Readonly<Record<string, readonly number[]>>): string {
  const columns = measures.flatMap((id) => [`${id}_CrudePrev`, `${id}_Crude95CI`]);
  const lines = Object.entries(rows).map(
    ([geoid, values]) =>
      `XX,Some State,Some County,${geoid.slice(0, 5)},${geoid},100,${values.map((value) => `${value},"( 1.0,  2.0)"`).join(',')}\n`,
  );
  return `StateAbbr,StateDesc,CountyName,CountyFIPS,TractFIPS,TotalPopulation,${columns.join(',')}\n${lines.join('')}`;
}

const RELATIONSHIP_AREAS =
  'AREALAND_TRACT_20 AREAWATER_TRACT_20 AREALAND_TRACT_10 AREAWATER_TRACT_10 AREALAND_PART AREAWATER_PART'.split(' ');

/** tab20_tract20_tract10_natl.txt. A row: 2020 GEOID, 2010 GEOID, and the six areas in the order of RELATIONSHIP_AREAS. */
export function relationshipText(rows: readonly (readonly [string, string, ...number[]])[]): string {
  const [land20, water20, land10, water10, landPart, waterPart] = RELATIONSHIP_AREAS;
  const header = `OID_TRACT_20|GEOID_TRACT_20|NAMELSAD_TRACT_20|${land20}|${water20}|MTFCC_TRACT_20|FUNCSTAT_TRACT_20|OID_TRACT_10|GEOID_TRACT_10|NAMELSAD_TRACT_10|${land10}|${water10}|MTFCC_TRACT_10|FUNCSTAT_TRACT_10|${landPart}|${waterPart}`;
  const lines = rows.map(
    ([geoid20, geoid10, l20 = 0, w20 = 0, l10 = 0, w10 = 0, lp = 0, wp = 0]) =>
      `1|${geoid20}|Census Tract 1|${l20}|${w20}|G5020|S|2|${geoid10}|Census Tract 1|${l10}|${w10}|G5020|S|${lp}|${wp}`,
  );
  return `\uFEFF${[header, ...lines].join('\n')}\n`;
}

/** Connecticut's 2022tractcrosswalk.csv: from county-based GEOIDs to planning-region GEOIDs. */
export function crosswalkText(moves: Readonly<Record<string, string>>): string {
  const lines = Object.entries(moves).map(
    ([from, to]) => `${from},${to},0${Number(to.slice(0, 5))},Some Planning Region\n`,
  );
  return `tract_fips_2020,Tract_fips_2022,ce_fips_2022,ce_name_2022\n${lines.join('')}`;
}

/** The attribute columns of TIGER/Line's tracts. */
export const TIGER_COLUMNS = {
  STATEFP: 2,
  COUNTYFP: 3,
  TRACTCE: 6,
  GEOID: 11,
  NAME: 7,
  NAMELSAD: 20,
  MTFCC: 5,
  FUNCSTAT: 1,
  ALAND: 14,
  AWATER: 14,
  INTPTLAT: 11,
  INTPTLON: 12,
} as const;

/** The attribute columns of the cartographic boundaries' tracts. */
export const CB_COLUMNS = {
  STATEFP: 2,
  COUNTYFP: 3,
  TRACTCE: 6,
  AFFGEOID: 20,
  GEOID: 11,
  NAME: 7,
  NAMELSAD: 20,
  STUSPS: 2,
  NAMELSADCO: 30,
  STATE_NAME: 20,
  LSAD: 2,
  ALAND: 14,
  AWATER: 14,
} as const;

/** A tract's attributes for both products; the internal point is in the middle of the square. */
export function tigerRow({ geoid, west, south }: SquareTract): Record<string, string | number> {
  const signed = (degrees: number): string =>
    (degrees < 0 ? '-' : '+') + Math.abs(degrees).toFixed(7).padStart(10, '0');
  return {
    STATEFP: geoid.slice(0, 2),
    COUNTYFP: geoid.slice(2, 5),
    TRACTCE: geoid.slice(5),
    GEOID: geoid,
    AFFGEOID: `1400000US${geoid}`,
    NAMELSADCO: `County ${geoid.slice(2, 5)}`,
    MTFCC: 'G5020',
    FUNCSTAT: 'S',
    ALAND: 1000,
    AWATER: 20,
    INTPTLAT: signed(south + SIDE / 2),
    INTPTLON: signed(west + SIDE / 2),
  };
}

/** All files of a shapefile of square tracts, by default with TIGER/Line's columns; `path` has no extension. */
export function tractShapefile(
  path: string,
  tracts: readonly SquareTract[],
  options: { readonly columns?: Readonly<Record<string, number>>; readonly prj?: string } = {},
): InputTree {
  return {
    [`${path}.shp`]: shpFile(tracts.map((tract) => [squareRing(tract)])),
    [`${path}.dbf`]: dbfFile(options.columns ?? TIGER_COLUMNS, tracts.map(tigerRow)),
    [`${path}.prj`]: options.prj ?? GEOGRAPHIC_PRJ,
    [`${path}.cpg`]: 'UTF-8',
  };
}
