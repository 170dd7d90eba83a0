import { METRICS } from '../core/metrics.js';
import { mean, rankByThresholds, rankThresholds, sortedKnown } from '../core/statistics.js';
import type { TractsFile } from '../format/tracts-file.js';
import { type MeasuredTracts, type MetricCoverage, measureMetricCoverage } from './coverage.js';

/** The distribution of a metric's known values over all tracts of a dataset. */
export interface Distribution {
  /** Percentage of known values strictly below this one, one decimal; NaN if the value is NaN or none is known. */
  percentileOf(value: number): number;
  /** Unweighted mean of the known values; NaN if there are none. */
  readonly average: number;
}

/** The distributions of a dataset's metrics and their coverage, computed on first use. One object per dataset. */
export interface Distributions {
  /** By the metric's position in METRICS. The first call for a metric sorts its column: O(n log n). */
  of(metricAt: number): Distribution;
  /** To what extent the tracts have values. */
  coverage(): MetricCoverage;
  /** Adopts what another thread has computed, so that no request waits for it. */
  adopt(prepared: PreparedDistributions): void;
}

/** Everything that the first narrative would otherwise wait for. */
export interface PreparedDistributions {
  readonly columns: readonly ColumnSummary[];
  readonly coverage: MetricCoverage;
}

/** What a metric's known values are like; the memory can be transferred between threads. */
export interface ColumnSummary {
  readonly metricAt: number;
  /** Instead of the sorted values, which take 18 MB for the nation's tracts. */
  readonly thresholds: Float64Array<ArrayBuffer>;
  /** NaN if there is no value. */
  readonly average: number;
}

/** The metrics of PLACES and EJScreen, whose ranks are not stored in compiled files. */
const UNRANKED = METRICS.flatMap(({ section }, metricAt) =>
  section === 'places_measures' || section === 'epa_data' ? [metricAt] : [],
);

/**
 * Sorts the columns whose ranks are not stored in the file: O(n log n) each, altogether some hundred milliseconds for the
 * nation.
 */
export function computeDistributions(tracts: MeasuredTracts): PreparedDistributions {
  return {
    columns: UNRANKED.map((metricAt) => summarize(tracts.values, metricAt)),
    coverage: measureMetricCoverage(tracts),
  };
}

/** The buffers of prepared distributions, for transfer to another thread. */
export function memoryOf({ columns, coverage }: PreparedDistributions): ArrayBuffer[] {
  const { covered, knownCounts } = coverage;
  return [...columns.map(({ thresholds }) => thresholds), ...Object.values(covered), knownCounts].map(
    ({ buffer }) => buffer,
  );
}

/** Creates the distributions of these tracts. They keep what they need of the values, never references into the mapped file. */
export function createDistributions(tracts: MeasuredTracts): Distributions {
  const known = new Map<number, Distribution>();
  let coverage: MetricCoverage | undefined;
  const of = (metricAt: number): Distribution => {
    let distribution = known.get(metricAt);
    if (!distribution) {
      distribution = distributionOf(summarize(tracts.values, metricAt));
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

function summarize(values: TractsFile['values'], metricAt: number): ColumnSummary {
  const sorted = sortedKnown(values[metricAt] ?? []);
  return { metricAt, thresholds: rankThresholds(sorted), average: mean(sorted) };
}

function distributionOf({ thresholds, average }: ColumnSummary): Distribution {
  return { percentileOf: (value) => rankByThresholds(thresholds, value) / 10, average };
}
