/**
 * Counts of latencies in buckets that widen with the latency: 32 to each power of two, so that a percentile is within 3%
 * of the true one whatever its size. Whole microseconds.
 */
export interface Histogram {
  record(microseconds: number): void;
  /** How many were recorded. */
  count(): number;
  /**
   * The least latency, microseconds, that this share (0 to 1) of all do not exceed, rounded up to its bucket; NaN if
   * none.
   */
  percentile(share: number): number;
  /** Adds what another has counted. */
  add(counts: BucketCounts): void;
  /** What can be sent and stored. */
  counts(): BucketCounts;
}

/** The filled buckets, ascending: number and count. */
export type BucketCounts = readonly (readonly [bucket: number, count: number])[];

const STEPS = 32;
const STEP_BITS = 5;
/** Enough for an hour. */
const BUCKETS = (32 - STEP_BITS + 1) * STEPS;

export function createHistogram(initial: BucketCounts = []): Histogram {
  const buckets = new Float64Array(BUCKETS);
  let total = 0;
  const add = (counts: BucketCounts): void => {
    for (const [bucket, count] of counts) {
      buckets[bucket] = (buckets[bucket] ?? 0) + count;
      total += count;
    }
  };
  add(initial);
  return {
    record: (microseconds) => {
      const bucket = bucketOf(microseconds);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      total++;
    },
    count: () => total,
    percentile: (share) => {
      if (total === 0) return Number.NaN;
      let left = Math.max(1, Math.ceil(share * total));
      const found = buckets.findIndex((count) => {
        left -= count;
        return left <= 0;
      });
      return bucketBounds(found).to;
    },
    add,
    counts: () => [...buckets.entries()].filter(([, count]) => count > 0),
  };
}

/** Below 32 µs a bucket is one microsecond wide; above, a power of two is cut into 32. */
function bucketOf(microseconds: number): number {
  const value = Math.min(2 ** 32 - 1, Math.max(0, Math.round(microseconds)));
  if (value < STEPS) return value;
  const power = 31 - Math.clz32(value);
  const shift = power - STEP_BITS;
  return (shift + 1) * STEPS + ((value >>> shift) - STEPS);
}

/** The microseconds, both included, that a bucket counts. */
export function bucketBounds(bucket: number): { readonly from: number; readonly to: number } {
  if (bucket < STEPS) return { from: bucket, to: bucket };
  const width = 2 ** (Math.floor(bucket / STEPS) - 1);
  const from = (STEPS + (bucket % STEPS)) * width;
  return { from, to: from + width - 1 };
}
