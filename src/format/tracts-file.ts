import { join } from 'node:path';
import type KDBush from 'kdbush';
import { COMPARED_METRICS, METRICS, TREND_METRICS } from '../core/metrics.js';
import { SCOPES, type Scope } from '../core/scopes.js';
import type { ByteSource } from './byte-source.js';
import type { SectionEntry } from './container-header.js';
import { type ContainerReader, openContainer } from './container-reader.js';
import { numbers, opaque, writeContainer } from './container-writer.js';
import { type DatasetDescription, decodeDescription, encodeDescription } from './description.js';
import { type Distributions, distributionSections, openDistributions } from './distributions.js';
import { readContainer } from './file-source.js';
import { FormatError } from './format-error.js';
import { buildPointIndex, readPointIndex } from './point-index.js';
import { openSectionHashes, type SectionHashes, sectionHashSections } from './section-hashes.js';
import { openSummaries, type Summaries, summarySections } from './summaries.js';
import { openTextTable, type PackedTexts, packedSections, type TextTable, textSections } from './text-table.js';

export const TRACTS_FILE = 'tracts.tctx';
export const TRACTS_KIND = 'tracts';

/** Marks a missing rank. */
export const NO_RANK = 0xffff;

/**
 * The tracts' columns, in ascending order of GEOID. Missing values are NaN. Matrices are row-major.
 */
export interface TractColumns {
  /** GEOIDs as integers, ascending. */
  readonly geoids: Float64Array;
  /** Each tract's county, as a position in the description's counties. */
  readonly counties: Uint16Array;
  /** Internal point, degrees. */
  readonly lats: Float64Array;
  readonly lngs: Float64Array;
  /** Square metres. */
  readonly landSqm: Float64Array;
  readonly waterSqm: Float64Array;
  /** One column per metric, in the order of METRICS. */
  readonly values: readonly Float64Array[];
  /**
   * Percentile ranks by row, compared metric, and scope: the share of tracts strictly below, in tenths of a percent;
   * {@link NO_RANK} if missing.
   */
  readonly ranks: Uint16Array;
  /** Unweighted means by area and compared metric: one row per county, one per state, and one for the nation. */
  readonly averages: Readonly<Record<Scope, Float64Array>>;
  /** Years of the trends, ascending. */
  readonly trendYears: Uint16Array;
  /** By row, year, trend metric. */
  readonly trendValues: Float64Array;
}

/** The content of tracts.tctx. */
export interface TractsContent extends TractColumns {
  readonly description: DatasetDescription;
  readonly names: readonly string[];
  /** Each tract's record as finished JSON (SPEC 2.2). */
  readonly records: PackedTexts;
}

/** Writes tracts.tctx, with a KD-tree over the internal points. */
export function writeTractsFile(path: string, content: TractsContent): SectionEntry[] {
  return writeContainer(path, TRACTS_KIND, [
    opaque('description', encodeDescription(content.description)),
    numbers('geoid', content.geoids),
    numbers('county', content.counties),
    numbers('internal-point/lat', content.lats),
    numbers('internal-point/lng', content.lngs),
    numbers('area/land', content.landSqm),
    numbers('area/water', content.waterSqm),
    ...METRICS.map((metric, index) => numbers(`value/${metric.path}`, content.values[index] ?? new Float64Array())),
    numbers('rank', content.ranks),
    ...SCOPES.map((scope) => numbers(`average/${scope}`, content.averages[scope])),
    numbers('trend/year', content.trendYears),
    numbers('trend/value', content.trendValues),
    opaque('internal-point/kd-tree', buildPointIndex(content.lngs, content.lats)),
    ...textSections('name', content.names),
    ...packedSections('record', content.records),
    ...sectionHashSections(content.records),
    ...summarySections(content),
    ...distributionSections(content),
  ]);
}

/** tracts.tctx, opened in place. */
export interface TractsFile extends TractColumns {
  readonly container: ContainerReader;
  readonly tractCount: number;
  readonly description: DatasetDescription;
  readonly names: TextTable;
  readonly records: TextTable;
  readonly sectionHashes: SectionHashes;
  readonly summaries: Summaries;
  /** Of a file that an older program wrote, computed by the first call, which takes some 0.3 s for the nation. */
  distributions(): Distributions;
  /** KD-tree over (lng, lat) of the internal points; its ids are rows. */
  readonly pointIndex: KDBush;
}

/** The columns by which two generations are compared. */
export type HashedTracts = Pick<TractsFile, 'geoids' | 'sectionHashes'>;

/** Reads only these columns of a generation's tracts, into memory of their own. Throws FormatError. */
export function readHashedTracts(directory: string): HashedTracts {
  return readContainer(join(directory, TRACTS_FILE), TRACTS_KIND, (container) => {
    const geoids = container.float64('geoid');
    return { geoids, sectionHashes: openSectionHashes(container, geoids.length) };
  });
}

/** Reads the description of a generation, given by its directory, without mapping its files. Throws FormatError. */
export function readDescription(directory: string): DatasetDescription {
  return readContainer(join(directory, TRACTS_FILE), TRACTS_KIND, openDescription);
}

const openDescription = (container: ContainerReader): DatasetDescription =>
  decodeDescription(container.intactBytes('description'), container.label);

/** Opens tracts.tctx and checks its header and section table. Throws FormatError. */
export function openTractsFile(source: ByteSource): TractsFile {
  return readTractsFile(openContainer(source, TRACTS_KIND));
}

/** Reads the tracts from an opened container. */
export function readTractsFile(container: ContainerReader): TractsFile {
  const geoids = container.float64('geoid');
  const rows = geoids.length;
  const description = openDescription(container);
  requireSameMetrics(container.label, description);
  const trendYears = container.uint16('trend/year');
  const compared = COMPARED_METRICS.length;
  const values = METRICS.map((metric) => container.float64(`value/${metric.path}`, rows));
  return {
    container,
    tractCount: rows,
    description,
    geoids,
    counties: container.uint16('county', rows),
    lats: container.float64('internal-point/lat', rows),
    lngs: container.float64('internal-point/lng', rows),
    landSqm: container.float64('area/land', rows),
    waterSqm: container.float64('area/water', rows),
    values,
    ranks: container.uint16('rank', rows * compared * SCOPES.length),
    averages: {
      county: container.float64('average/county', description.counties.length * compared),
      state: container.float64('average/state', description.states.length * compared),
      national: container.float64('average/national', compared),
    },
    trendYears,
    trendValues: container.float64('trend/value', rows * trendYears.length * TREND_METRICS.length),
    names: openTextTable(container, 'name', rows),
    records: openTextTable(container, 'record', rows),
    sectionHashes: openSectionHashes(container, rows),
    summaries: openSummaries(container, rows),
    distributions: openDistributions(container, { description, values }),
    pointIndex: readPointIndex(container, 'internal-point/kd-tree', rows),
  };
}

/**
 * Columns are identified by their positions in these lists: a file from another release of the program, with more metrics
 * or another order, would be misread.
 */
function requireSameMetrics(file: string, description: DatasetDescription): void {
  const lists = [
    [description.metrics, METRICS],
    [description.comparedMetrics, COMPARED_METRICS],
    [description.trendMetrics, TREND_METRICS],
  ] as const;
  const isOther = lists.some(([written, known]) => written.join() !== known.map(({ path }) => path).join());
  if (isOther) {
    throw new FormatError(
      'unsupported-version',
      file,
      'its metrics differ from those of this program; compile the dataset again',
      'description',
    );
  }
}
