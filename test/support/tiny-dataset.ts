import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WrittenFile } from '../../src/catalog/directory/generation-name.js';
import { beginPublication } from '../../src/catalog/directory/publish.js';
import { quantize } from '../../src/core/coordinates.js';
import { countyFipsOf, type Geoid, geoidToNumber, parseGeoid, stateFipsOf, tractCodeOf } from '../../src/core/geoid.js';
import { COMPARED_METRICS, METRICS, type Metric, metricsOf, TREND_METRICS } from '../../src/core/metrics.js';
import { NAMES_EDITION } from '../../src/core/streets/names-edition.js';
import { OUTLINES_FILE, writeOutlinesFile } from '../../src/format/outlines-file.js';
import { packTexts } from '../../src/format/text-table.js';
import { TRACTS_FILE, writeTractsFile } from '../../src/format/tracts-file.js';
import { temporaryDirectory } from './temporary-directory.js';
import { tinyProviders, writeTinyPlaces } from './tiny-places.js';

/**
 * A tract of the tiny dataset, which has 30 square ones, each 0.1 degrees wide. They form three counties in two states, side
 * by side from 45° N 95° W eastward, each two tracts wide and five high.
 */
export interface TinyTract {
  readonly geoid: Geoid;
  readonly name: string;
  /** The square's south-west corner, degrees. */
  readonly south: number;
  readonly west: number;
  /** The square's middle, which is the tract's internal point. */
  readonly lat: number;
  readonly lng: number;
  /** Values in the order of METRICS, NaN if missing. */
  readonly values: readonly number[];
}

const COUNTIES = [
  { fips: '27001', name: 'Square County', state: 'Minnesota' },
  { fips: '27003', name: 'Doña Quadra County', state: 'Minnesota' },
  { fips: '55001', name: 'Tile County', state: 'Wisconsin' },
] as const;
const SIDE = 0.1;
const COLUMNS_PER_COUNTY = 2;
const ROWS_PER_COUNTY = 5;
const TRACTS_PER_COUNTY = COLUMNS_PER_COUNTY * ROWS_PER_COUNTY;
const SOUTH = 45;
const WEST = -95;

/** The dataset's tracts in GEOID order, which is the order of rows. */
export const TINY_TRACTS: readonly TinyTract[] = COUNTIES.flatMap((county, countyAt) =>
  Array.from({ length: TRACTS_PER_COUNTY }, (_, tractAt) => {
    const row = countyAt * TRACTS_PER_COUNTY + tractAt;
    const geoid = parseGeoid(`${county.fips}${String((tractAt + 1) * 100).padStart(6, '0')}`);
    if (!geoid) throw new Error('the fixture makes GEOIDs of 11 digits');
    const south = round(SOUTH + SIDE * Math.floor(tractAt / COLUMNS_PER_COUNTY));
    const west = round(WEST + SIDE * (countyAt * COLUMNS_PER_COUNTY + (tractAt % COLUMNS_PER_COUNTY)));
    return {
      geoid,
      name: `Synthetic Census Tract ${tractAt + 1}, ${county.name}, ${county.state}`,
      south,
      west,
      lat: round(south + SIDE / 2),
      lng: round(west + SIDE / 2),
      values: METRICS.map((metric, metricAt) => madeUpValue(metric, metricAt, row)),
    };
  }),
);

/** The dataset's providers, made by `tinyProviders`. */
export const TINY_PROVIDERS = tinyProviders(TINY_TRACTS);

/** A tract's record in the dataset, as an object. */
export function tinyRecord(tract: TinyTract): Record<string, unknown> {
  const pick = (metrics: readonly Metric[]): Record<string, number | null> =>
    Object.fromEntries(metrics.map((metric) => [metric.key, known(tract.values[METRICS.indexOf(metric)])]));
  return {
    geoid: tract.geoid,
    state_fips: stateFipsOf(tract.geoid),
    county_fips: countyFipsOf(tract.geoid),
    tract_code: tractCodeOf(tract.geoid),
    name: tract.name,
    ...pick(metricsOf('demographics')),
    svi_themes: pick(metricsOf('svi_themes')),
    places_measures: pick(metricsOf('places_measures')),
    epa_data: { ...pick(metricsOf('epa_data')), _source: 'synthetic' },
    ...pick(metricsOf('sdoh_index')),
  };
}

/** Publishes the dataset, or a variant of it as {@link writeTinyFiles} makes it; returns the generation's name. */
export function publishTinyDataset(datasetsDir: string, morePeople = 0, namesEdition = NAMES_EDITION): string {
  const publication = beginPublication(datasetsDir);
  try {
    return publication.commit(writeTinyFiles(publication.directory, morePeople, namesEdition)).generation;
  } finally {
    publication.close();
  }
}

/** A new datasets directory in which the dataset is published. */
export function publishedTinyDirectory(): string {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  return datasetsDir;
}

function withMorePeople(count: number): TinyTract[] {
  const [first, ...others] = TINY_TRACTS;
  if (!first) throw new Error('there is no tract');
  const [people = 0, ...values] = first.values;
  return [{ ...first, values: [people + count, ...values] }, ...others];
}

/**
 * Writes the dataset's files, with `morePeople` more in the first tract, as if the program's names were of that edition;
 * returns the files for a publication to commit.
 */
export function writeTinyFiles(directory: string, morePeople = 0, namesEdition = NAMES_EDITION) {
  const tracts = withMorePeople(morePeople);
  const records = tracts.map((tract) => JSON.stringify(tinyRecord(tract)));
  const column = (pick: (tract: TinyTract) => number): Float64Array => Float64Array.from(tracts, pick);
  const compared = COMPARED_METRICS.length;
  const states = [
    { fips: '27', name: 'Minnesota', firstRow: 0, tractCount: 2 * TRACTS_PER_COUNTY },
    { fips: '55', name: 'Wisconsin', firstRow: 2 * TRACTS_PER_COUNTY, tractCount: TRACTS_PER_COUNTY },
  ];
  const counties = COUNTIES.map(({ fips, name }, index) => {
    return { fips, name, firstRow: index * TRACTS_PER_COUNTY, tractCount: TRACTS_PER_COUNTY };
  });
  const tractSections = writeTractsFile(join(directory, TRACTS_FILE), {
    description: {
      synthetic: true,
      states,
      counties,
      metrics: METRICS.map((metric) => metric.path),
      comparedMetrics: COMPARED_METRICS.map((metric) => metric.path),
      trendMetrics: TREND_METRICS.map((metric) => metric.path),
      provenance: [],
      loadedSources: [],
      namesEdition,
    },
    geoids: column((tract) => geoidToNumber(tract.geoid)),
    counties: Uint16Array.from(tracts, (_, row) => Math.floor(row / TRACTS_PER_COUNTY)),
    lats: column((tract) => tract.lat),
    lngs: column((tract) => tract.lng),
    landSqm: column(() => 1e7),
    waterSqm: column(() => 0),
    values: METRICS.map((_, metricAt) => column((tract) => tract.values[metricAt] ?? Number.NaN)),
    ranks: new Uint16Array(tracts.length * compared * 3),
    averages: {
      county: new Float64Array(counties.length * compared),
      state: new Float64Array(states.length * compared),
      national: new Float64Array(compared),
    },
    trendYears: new Uint16Array(0),
    trendValues: new Float64Array(0),
    names: tracts.map((tract) => tract.name),
    records: packTexts(records.length, (row) => records[row] ?? ''),
  });
  return [{ name: TRACTS_FILE, sections: tractSections }, ...writeOtherFiles(directory)];
}

/** Writes the files without metric values. They are the same each time, so their bytes are kept after the first time. */
function writeOtherFiles(directory: string): WrittenFile[] {
  if (keptFiles) {
    for (const { name, bytes } of keptFiles) writeFileSync(join(directory, name), bytes, { flag: 'wx' });
    return keptFiles.map(({ name, sections }) => ({ name, sections }));
  }
  const outlineSections = writeOutlinesFile(join(directory, OUTLINES_FILE), TINY_TRACTS.map(square));
  const files = [{ name: OUTLINES_FILE, sections: outlineSections }, ...writeTinyPlaces(directory, TINY_TRACTS)];
  keptFiles = files.map((file) => ({ ...file, bytes: readFileSync(join(directory, file.name)) }));
  return files;
}

let keptFiles: readonly (WrittenFile & { readonly bytes: Buffer })[] | undefined;

/** A made-up value that differs from tract to tract; every seventh is missing. */
function madeUpValue(metric: Metric, metricAt: number, row: number): number {
  if ((row + metricAt) % 7 === 6) return Number.NaN;
  return metric.type === 'integer' ? 1000 + 10 * row : round(metricAt + row / 10);
}

function square({ south, west }: TinyTract): Int32Array[] {
  const [left, right, bottom, top] = [west, west + SIDE, south, south + SIDE].map(quantize);
  const corners = [left, bottom, right, bottom, right, top, left, top, left, bottom];
  return [Int32Array.from(corners, (coordinate) => coordinate ?? 0)];
}

function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** Rounds to four decimals, so that sums of tenths do not end in 0000001. */
function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
