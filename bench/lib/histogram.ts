/**
 * Counts latencies (whole microseconds) in buckets that widen with the latency: 128 to each power of two, so that every
 * percentile is within 0.8% of the true one.
 */
export interface Histogram {
  record(microseconds: number): void;
  /** The number of latencies recorded. */
  count(): number;
  /**
   * The smallest latency (microseconds) that this share (0 to 1) of the recorded ones do not exceed, rounded up to the end
   * of its bucket; NaN if none was recorded.
   */
  percentile(share: number): number;
  /** Adds another histogram's counts. */
  add(counts: BucketCounts): void;
  /** The counts in a form that can be serialized. */
  counts(): BucketCounts;
}

/** The non-empty buckets in ascending order: bucket number and count. */
export type BucketCounts = readonly (readonly [bucket: number, count: number])[];

const STEPS = 128;
const STEP_BITS = 7;
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

/** Below 128 µs a bucket is one microsecond wide; above, each power of two is divided into 128 buckets. */
function bucketOf(microseconds: number): number {
  const value = Math.min(2 ** 32 - 1, Math.max(0, Math.round(microseconds)));
  if (value < STEPS) return value;
  const power = 31 - Math.clz32(value);
  const shift = power - STEP_BITS;
  return (shift + 1) * STEPS + ((value >>> shift) - STEPS);
}

/** The range of latencies that a bucket counts, in microseconds, both ends included. */
export function bucketBounds(bucket: number): { readonly from: number; readonly to: number } {
  if (bucket < STEPS) return { from: bucket, to: bucket };
  const width = 2 ** (Math.floor(bucket / STEPS) - 1);
  const from = (STEPS + (bucket % STEPS)) * width;
  return { from, to: from + width - 1 };
}
