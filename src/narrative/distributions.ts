import { METRICS } from '../core/metrics.js';
import { countBelow, mean, sortedKnown } from '../core/statistics.js';
import type { TractsFile } from '../format/tracts-file.js';
import { type MeasuredTracts, type MetricCoverage, measureMetricCoverage } from './coverage.js';

/** How one metric's known values spread over all tracts of a dataset. */
export interface Distribution {
  /** Share of the tracts with a value strictly below this one, percent with one decimal; NaN where either is missing. */
  percentileOf(value: number): number;
  /** Plain mean over the tracts that have a value; NaN where none has. */
  readonly average: number;
}

/** The distributions of a dataset's metrics and their coverage, computed when first asked for. One object a dataset. */
export interface Distributions {
  /** By the metric's position in METRICS. The first call for a metric sorts its column: O(n log n). */
  of(metricAt: number): Distribution;
  /** Which of the tracts have them. */
  coverage(): MetricCoverage;
  /** Takes over what another thread has computed, so that nobody waits for it. */
  adopt(prepared: PreparedDistributions): void;
}

/** All that a first narrative would wait for. */
export interface PreparedDistributions {
  readonly columns: readonly SortedColumn[];
  readonly coverage: MetricCoverage;
}

/** A metric's known values in ascending order, and their mean; its memory may move from thread to thread. */
export interface SortedColumn {
  readonly metricAt: number;
  readonly sorted: Float64Array<ArrayBuffer>;
  /** NaN where there is no value. */
  readonly average: number;
}

/** PLACES and EJScreen: the sections for which compiled files keep no ranks. */
const UNRANKED = METRICS.flatMap(({ section }, metricAt) =>
  section === 'places_measures' || section === 'epa_data' ? [metricAt] : [],
);

/**
 * Sorts the columns whose ranks are not stored in the file: O(n log n) for each, some hundred milliseconds for the
 * nation.
 */
export function computeDistributions(tracts: MeasuredTracts): PreparedDistributions {
  return {
    columns: UNRANKED.map((metricAt) => sortColumn(tracts.values, metricAt)),
    coverage: measureMetricCoverage(tracts),
  };
}

/** The memory of prepared distributions, to be moved to another thread. */
export function memoryOf({ columns, coverage }: PreparedDistributions): ArrayBuffer[] {
  const { covered, knownCounts } = coverage;
  return [...columns.map(({ sorted }) => sorted), ...Object.values(covered), knownCounts].map(({ buffer }) => buffer);
}

/** Keeps copies, so that nothing of it points into the mapped file. */
export function createDistributions(tracts: MeasuredTracts): Distributions {
  const known = new Map<number, Distribution>();
  let coverage: MetricCoverage | undefined;
  const of = (metricAt: number): Distribution => {
    let distribution = known.get(metricAt);
    if (!distribution) {
      distribution = distributionOf(sortColumn(tracts.values, metricAt));
      known.set(metricAt, distribution);
    }
    return distribution;
  };
  return {
    of,
    coverage: () => {
      coverage ??= measureMetricCoverage(tracts);
      return coverage;
    },
    adopt: (prepared) => {
      for (const column of prepared.columns) known.set(column.metricAt, distributionOf(column));
      coverage = prepared.coverage;
    },
  };
}

function sortColumn(values: TractsFile['values'], metricAt: number): SortedColumn {
  const sorted = sortedKnown(values[metricAt] ?? []);
  return { metricAt, sorted, average: mean(sorted) };
}

function distributionOf({ sorted, average }: SortedColumn): Distribution {
  return {
    // Rounded before it is a fraction, as stored ranks are.
    percentileOf: (value) =>
      Number.isNaN(value) ? Number.NaN : Math.round((countBelow(sorted, value) * 1000) / sorted.length) / 10,
    average,
  };
}
