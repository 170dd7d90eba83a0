import { METRICS } from '../core/metrics.js';
import { mean, rank0to1, sortedKnown } from '../core/statistics.js';
import type { TractsFile } from '../format/tracts-file.js';

/** How one metric's known values spread over all tracts of a dataset. */
export interface Distribution {
  /** Share of the tracts with a value strictly below this one, percent with one decimal; NaN where either is missing. */
  percentileOf(value: number): number;
  /** Plain mean over the tracts that have a value; NaN where none has. */
  readonly average: number;
}

/** The distributions of a dataset's metrics, each computed when first asked for. One object a dataset. */
export interface Distributions {
  /** By the metric's position in METRICS. The first call for a metric sorts its column: O(n log n). */
  of(metricAt: number): Distribution;
  /**
   * Sorts one more column of those whose ranks are not stored in the file; false when all are. A service that calls it
   * once a turn of the event loop, while it holds the dataset, spares its first narrative the wait for all of them.
   */
  prepareNext(): boolean;
}

/** PLACES and EJScreen: the sections for which compiled files keep no ranks. */
const UNRANKED = METRICS.flatMap(({ section }, metricAt) =>
  section === 'places_measures' || section === 'epa_data' ? [metricAt] : [],
);

/** Keeps sorted copies, so that nothing of it points into the mapped file. */
export function createDistributions(tracts: Pick<TractsFile, 'values'>): Distributions {
  const known = new Map<number, Distribution>();
  const of = (metricAt: number): Distribution => {
    let distribution = known.get(metricAt);
    if (!distribution) {
      distribution = distributionOf(tracts.values[metricAt] ?? new Float64Array());
      known.set(metricAt, distribution);
    }
    return distribution;
  };
  return {
    of,
    prepareNext: () => {
      const next = UNRANKED.find((metricAt) => !known.has(metricAt));
      if (next !== undefined) of(next);
      return next !== undefined;
    },
  };
}

function distributionOf(column: Float64Array): Distribution {
  const sorted = sortedKnown(column);
  return {
    percentileOf: (value) => Math.round(rank0to1(sorted, value) * 1000) / 10,
    average: mean(sorted),
  };
}
