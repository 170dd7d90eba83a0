import { type BucketCounts, bucketBounds } from './histogram.js';

/** Related series, to be drawn in one picture. */
export interface Chart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xScale: 'linear' | 'log';
  /** `bars` are drawn from each point's x to the next one's. */
  readonly style: 'line' | 'bars';
  readonly series: readonly Series[];
}

export interface Series {
  readonly name: string;
  /** Ascending by x. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Bars per power of two of latency: a histogram's own 128 buckets would be too narrow to see. */
const STEPS_PER_POWER = 4;

/** A latency histogram as bars: the share of answers (percent) by latency (ms), for a logarithmic x axis. */
export function latencySeries(name: string, counts: BucketCounts): Series {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const shares = new Map<number, number>();
  for (const [bucket, count] of counts) {
    const { from, to } = bucketBounds(bucket);
    const step = Math.floor(Math.log2(Math.max(1, (from + to) / 2)) * STEPS_PER_POWER);
    shares.set(step, (shares.get(step) ?? 0) + (count / total) * 100);
  }
  const steps = [...shares.keys()].sort((a, b) => a - b);
  const [first = 0] = steps;
  const last = steps.at(-1) ?? first;
  const points = Array.from(
    { length: last - first + 2 },
    (_, index) => [2 ** ((first + index) / STEPS_PER_POWER) / 1000, shares.get(first + index) ?? 0] as const,
  );
  return { name, points };
}
