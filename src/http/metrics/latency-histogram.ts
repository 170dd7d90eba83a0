/** The ratio of consecutive bucket limits, chosen so that a bucket's middle is within 2 % of every value in the bucket. */
const GROWTH = 1.02 / 0.98;
/** One microsecond; shorter durations are counted as this. */
const LEAST_MS = 1e-3;
/** Ten minutes; longer durations are counted as this. */
const MOST_MS = 600_000;
const LOG_GROWTH = Math.log(GROWTH);

/**
 * The number of buckets of a latency histogram: constant memory, exponential bucket widths as in DDSketch (Masson, Rim, Lee:
 * VLDB 2019). A histogram is an array of this many counts; adding two arrays element by element merges the histograms.
 */
export const LATENCY_BUCKETS = Math.ceil(Math.log(MOST_MS / LEAST_MS) / LOG_GROWTH) + 1;

/** Counts a duration in its bucket. */
export function addLatency(counts: Float64Array, milliseconds: number): void {
  const bounded = Math.min(MOST_MS, Math.max(LEAST_MS, milliseconds));
  const bucket = Math.ceil(Math.log(bounded / LEAST_MS) / LOG_GROWTH);
  counts[bucket] = (counts[bucket] ?? 0) + 1;
}

/** The duration that a share (0–1) of all durations did not exceed, in milliseconds, within 2 %; null if there are none. */
export function latencyPercentile(counts: Float64Array, share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(share * total));
  for (let bucket = 0; bucket < LATENCY_BUCKETS; bucket++) {
    left -= counts[bucket] ?? 0;
    if (left <= 0) return middleOf(bucket);
  }
  return MOST_MS;
}

/** The value that minimizes the largest relative error over the bucket's range. */
function middleOf(bucket: number): number {
  return (2 * LEAST_MS * GROWTH ** bucket) / (1 + GROWTH);
}
