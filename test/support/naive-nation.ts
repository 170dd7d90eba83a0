import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { naiveEstimate, naiveRows } from './naive-csv.js';
import { unzip } from './unzip.js';

/** A metric's values by GEOID, straight from the input files; tracts with an unknown value have no entry. */
export type NaiveColumn = ReadonlyMap<string, number>;

/** A nation of a few states, computed in the simplest possible way without any of the loader's code. */
export interface NaiveNation {
  readonly geoids: readonly string[];
  readonly columns: Readonly<Record<string, NaiveColumn>>;
}

/** The states to compute, and the directory of their raw files. */
export interface NaiveSources {
  readonly raw: string;
  readonly states: readonly string[];
}

export async function naiveNation({ raw, states }: NaiveSources): Promise<NaiveNation> {
  const geoids = (await gazetteerGeoids(raw)).filter((geoid) => states.includes(geoid.slice(0, 2)));
  const inNation = new Set(geoids);
  const acs = async (zip: string, member: string) => (await unzip(join(raw, 'acs', zip))).get(member)?.toString() ?? '';
  const texas = 'TX_Bexar_2021.zip';
  const [profile, poverty, age, poorDc, people, incomeNy] = await Promise.all([
    acs(texas, 'ACSDP5Y2021.DP03-Data.csv'),
    acs(texas, 'ACSST5Y2021.S1701-Data.csv'),
    acs(texas, 'ACSDP5Y2021.DP05-Data.csv'),
    acs('DC_S1701_2021.zip', 'ACSST5Y2021.S1701-Data.csv'),
    acs('NY_2022.zip', 'ACSDT5Y2022.B01003-Data.csv'),
    acs('NY_2022.zip', 'ACSDT5Y2022.B19013-Data.csv'),
  ]);
  const summaryFile = join(raw, 'acs', 'US_B19013_2022_dat_DC_excerpt', 'acsdt5y2022-b19013.DC-tracts-excerpt.dat');
  const columns: Record<string, NaiveColumn> = {
    total_population: merged(censusCounts(raw), single(people, 'B01003_001E'), single(age, 'DP05_0001E')),
    median_household_income: merged(
      single(incomeNy, 'B19013_001E'),
      single(profile, 'DP03_0062E'),
      single(readFileSync(summaryFile, 'utf8'), 'B19013_E001', '|'),
    ),
    poverty_rate: merged(
      rate(poverty, 'S1701_C02_001E', 'S1701_C01_001E'),
      rate(poorDc, 'S1701_C02_001E', 'S1701_C01_001E'),
    ),
    uninsured_rate: rate(profile, 'DP03_0099E', 'DP03_0095E'),
    unemployment_rate: rate(profile, 'DP03_0005E', 'DP03_0003E'),
    median_age: single(age, 'DP05_0018E'),
  };
  const known = Object.fromEntries(
    Object.entries(columns).map(([metric, column]) => [
      metric,
      new Map([...column].filter(([geoid]) => inNation.has(geoid))),
    ]),
  );
  return { geoids, columns: { ...known, sdoh_index: index(geoids, known, vulnerability(raw)) } };
}

/** The percentage of values strictly below the tract's own, with one decimal; null if the tract has no value. */
export function naivePercentile(column: NaiveColumn, scope: readonly string[], geoid: string): number | null {
  const value = column.get(geoid);
  if (value === undefined) return null;
  const values = known(column, scope);
  return Math.round((values.filter((other) => other < value).length / values.length) * 1000) / 10;
}

/** The unweighted mean; null if no tract of the scope has a value. */
export function naiveAverage(column: NaiveColumn, scope: readonly string[]): number | null {
  const values = known(column, scope);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

const knownValues = new WeakMap<readonly string[], Map<NaiveColumn, number[]>>();

/** Kept for each scope: they are asked for again with each of its tracts. */
function known(column: NaiveColumn, scope: readonly string[]): number[] {
  const kept = knownValues.get(scope) ?? new Map<NaiveColumn, number[]>();
  knownValues.set(scope, kept);
  const values = kept.get(column) ?? scope.map((geoid) => column.get(geoid)).filter((value) => value !== undefined);
  kept.set(column, values);
  return values;
}

function index(
  geoids: readonly string[],
  columns: Readonly<Record<string, NaiveColumn>>,
  vulnerable: NaiveColumn,
): NaiveColumn {
  const result = new Map<string, number>();
  const ranked = ['poverty_rate', 'uninsured_rate', 'unemployment_rate'].map((metric) => columns[metric] ?? new Map());
  const sorted = ranked.map((column: NaiveColumn) => known(column, geoids));
  for (const geoid of geoids) {
    const ranks = ranked.map((column: NaiveColumn, at) => {
      const value = column.get(geoid);
      const all = sorted[at] ?? [];
      return value === undefined ? undefined : all.filter((other) => other < value).length / all.length;
    });
    const parts = [...ranks, vulnerable.get(geoid)].filter((part) => part !== undefined);
    if (parts.length < 2) continue;
    result.set(geoid, Math.round((parts.reduce((sum, part) => sum + part, 0) / parts.length) * 10_000) / 10_000);
  }
  return result;
}

async function gazetteerGeoids(raw: string): Promise<string[]> {
  const [text] = (await unzip(join(raw, 'gazetteer', '2023_Gaz_tracts_national.zip'))).values();
  const [, ...rows] = (text?.toString() ?? '').split('\n');
  return rows.map((row) => row.split('\t')[1] ?? '').filter((geoid) => geoid !== '');
}

/** The 2020 census population of every tract. */
function censusCounts(raw: string): NaiveColumn {
  const [, ...rows] = naiveRows(readFileSync(join(raw, 'cenpop', 'CenPop2020_Mean_TR.txt'), 'utf8'));
  return new Map(rows.map(([state, county, tract, count]) => [`${state}${county}${tract}`, Number(count)]));
}

/** SVI's overall percentile rank of New York's tracts. */
function vulnerability(raw: string): NaiveColumn {
  const [header = [], ...rows] = naiveRows(readFileSync(join(raw, 'svi', '2022', 'NewYork.csv'), 'utf8'));
  const [geoidAt, rankAt] = [header.indexOf('FIPS'), header.indexOf('RPL_THEMES')];
  const ranks = rows.map((row) => [row[geoidAt] ?? '', Number(row[rankAt])] as const);
  return new Map(ranks.filter(([, rank]) => rank >= 0));
}

/** One estimate of an ACS table, by tract GEOID; the rows of other geographies and the row of labels are ignored. */
function single(text: string, code: string, delimiter = ','): NaiveColumn {
  return acsColumn(text, delimiter, (cell) => naiveEstimate(cell(code)));
}

/** A percentage with two decimals, rounded half up in integer arithmetic. */
function rate(text: string, part: string, whole: string): NaiveColumn {
  return acsColumn(text, ',', (cell) => {
    const [over, under] = [naiveEstimate(cell(part)), naiveEstimate(cell(whole))];
    if (over === undefined || !under) return undefined;
    return Math.floor((over * 20_000 + under) / (2 * under)) / 100;
  });
}

function acsColumn(
  text: string,
  delimiter: string,
  pick: (cell: (code: string) => string | undefined) => number | undefined,
): NaiveColumn {
  const [header = [], ...rows] = naiveRows(text, delimiter);
  const geoAt = header.indexOf('GEO_ID');
  const column = new Map<string, number>();
  for (const row of rows) {
    const geoid = /^14\d{5}US(\d{11})$/.exec(row[geoAt] ?? '')?.[1];
    const value = geoid && pick((code) => row[header.indexOf(code)]);
    if (geoid && typeof value === 'number') column.set(geoid, value);
  }
  return column;
}

/** Merges columns; later ones override earlier ones. */
function merged(...columns: readonly NaiveColumn[]): NaiveColumn {
  return new Map(columns.flatMap((column) => [...column]));
}
