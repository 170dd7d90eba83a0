import { METRICS, metricIndex } from '../core/metrics.js';
import type { Area } from '../format/description.js';
import { SCOPES, type Scope, type TractsFile } from '../format/tracts-file.js';
import { isNationwide } from './sources.js';
import { THRESHOLDS } from './thresholds.js';

/** To what extent a dataset's tracts have values; plain arrays, whose memory can be transferred between threads. */
export interface MetricCoverage {
  /**
   * By area (as in the description; a single one for the whole dataset) and metric: 1 if nearly all tracts of the area have
   * the value.
   */
  readonly covered: Readonly<Record<Scope, Uint8Array<ArrayBuffer>>>;
  /** Whether the dataset covers the nation. */
  readonly nationwide: boolean;
  /** By metric, the number of tracts with residents that have a value. */
  readonly knownCounts: Uint32Array<ArrayBuffer>;
}

/** The part of the tracts file that coverage is measured on. */
export type MeasuredTracts = Pick<TractsFile, 'values' | 'description'>;

/** Makes one pass over all values, which takes some tens of milliseconds for the nation. Run once per dataset. */
export function measureMetricCoverage({ values, description }: MeasuredTracts): MetricCoverage {
  const population = values[metricIndex('total_population')] ?? new Float64Array();
  const all: Rows = { firstRow: 0, tractCount: population.length };
  const areas: Readonly<Record<Scope, readonly Rows[]>> = {
    county: description.counties,
    state: description.states,
    national: [all],
  };
  // For uninhabited tracts most values are not published, so they do not count as missing.
  const isExpected = Uint8Array.from(population, (residents) => (residents === 0 ? 0 : 1));
  const expected = countUp(isExpected, new Float64Array(population.length));
  const covered = {
    county: new Uint8Array(areas.county.length * METRICS.length),
    state: new Uint8Array(areas.state.length * METRICS.length),
    national: new Uint8Array(METRICS.length),
  };
  const knownCounts = new Uint32Array(METRICS.length);
  values.forEach((column, metricAt) => {
    const known = countUp(isExpected, column);
    knownCounts[metricAt] = countIn(known, all);
    for (const scope of SCOPES) {
      areas[scope].forEach((area, areaAt) => {
        const isCovered = countIn(known, area) >= THRESHOLDS.coveredShare * countIn(expected, area);
        covered[scope][areaAt * METRICS.length + metricAt] = isCovered ? 1 : 0;
      });
    }
  });
  return { covered, nationwide: isNationwide(description), knownCounts };
}

type Rows = Pick<Area, 'firstRow' | 'tractCount'>;

/** Prefix sums: for each row, how many rows before it are expected to have a value and have one. */
function countUp(isExpected: Uint8Array, column: Float64Array): Uint32Array {
  const counts = new Uint32Array(isExpected.length + 1);
  let count = 0;
  for (let row = 0; row < isExpected.length; row++) {
    if (isExpected[row] === 1 && !Number.isNaN(column[row])) count++;
    counts[row + 1] = count;
  }
  return counts;
}

function countIn(counts: Uint32Array, { firstRow, tractCount }: Rows): number {
  return (counts[firstRow + tractCount] ?? 0) - (counts[firstRow] ?? 0);
}

/** Whether a text may speak of an area's tracts in general when it compares this metric. */
export function covers({ covered }: MetricCoverage, scope: Scope, areaAt: number, metricAt: number): boolean {
  return covered[scope][areaAt * METRICS.length + metricAt] === 1;
}
