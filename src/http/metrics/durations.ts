/** Durations counted in buckets, as a Prometheus histogram needs them. */
export interface DurationCounts {
  /** Durations per bucket between consecutive limits; the last bucket holds those above every limit. */
  readonly buckets: Float64Array;
  readonly count: number;
  readonly totalSeconds: number;
}

/** How durations of one kind are counted in an array of numbers; adding such arrays element by element merges them. */
export interface Durations {
  /** Upper limits of the buckets, ascending. */
  readonly limitsSeconds: readonly number[];
  /** How many numbers of an array are used, from its beginning. */
  readonly length: number;
  add(numbers: Float64Array, milliseconds: number): void;
  read(numbers: Float64Array): DurationCounts;
}

/** Where the buckets begin, behind the sum in seconds. */
const BUCKETS_AT = 1;

export function defineDurations(limitsSeconds: readonly number[]): Durations {
  const length = BUCKETS_AT + limitsSeconds.length + 1;
  return {
    limitsSeconds,
    length,
    add: (numbers, milliseconds) => {
      const seconds = milliseconds / 1000;
      const bucket = BUCKETS_AT + bucketOf(seconds, limitsSeconds);
      numbers[0] = (numbers[0] ?? 0) + seconds;
      numbers[bucket] = (numbers[bucket] ?? 0) + 1;
    },
    read: (numbers) => {
      const buckets = numbers.subarray(BUCKETS_AT, length);
      return { buckets, count: buckets.reduce((sum, count) => sum + count, 0), totalSeconds: numbers[0] ?? 0 };
    },
  };
}

/** The index of a duration's bucket; that behind the last limit if it exceeds them all. */
function bucketOf(seconds: number, limitsSeconds: readonly number[]): number {
  let bucket = 0;
  for (const limit of limitsSeconds) {
    if (seconds <= limit) return bucket;
    bucket++;
  }
  return bucket;
}
