/** Neighbouring limits differ by this factor, so that a bucket's middle is within 2 % of all that is in it. */
const GROWTH = 1.02 / 0.98;
/** A microsecond. What is shorter counts as that long. */
const LEAST_MS = 1e-3;
/** Ten minutes. What is longer counts as that long. */
const MOST_MS = 600_000;
const LOG_GROWTH = Math.log(GROWTH);

/**
 * Durations by size, in constant memory: a histogram with exponential buckets, as in DDSketch (Masson, Rim, Lee: VLDB 2019).
 * It is an array of so many counts, and the sum of two such arrays is the histogram of both.
 */
export const LATENCY_BUCKETS = Math.ceil(Math.log(MOST_MS / LEAST_MS) / LOG_GROWTH) + 1;

/** Counts a duration. */
export function addLatency(counts: Float64Array, milliseconds: number): void {
  const bounded = Math.min(MOST_MS, Math.max(LEAST_MS, milliseconds));
  const bucket = Math.ceil(Math.log(bounded / LEAST_MS) / LOG_GROWTH);
  counts[bucket] = (counts[bucket] ?? 0) + 1;
}

/** Within 2 % of the duration, in milliseconds, that this share (0–1) of all did not exceed; null where there are none. */
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

/** The duration with the least relative error to everything between the bucket's limits. */
function middleOf(bucket: number): number {
  return (2 * LEAST_MS * GROWTH ** bucket) / (1 + GROWTH);
}

/** The position of a duration among buckets with these upper limits, ascending; their number where it is above the last. */
export function bucketOf(seconds: number, limits: readonly number[]): number {
  let bucket = 0;
  for (const limit of limits) {
    if (seconds <= limit) return bucket;
    bucket++;
  }
  return bucket;
}
