import { createHistogram } from '../lib/histogram.js';
import type { LoadResult } from './job.js';

/** Counts a job's answers and failures while it runs. */
export interface Tally {
  answered(status: number, bytes: number, milliseconds: number): void;
  failed(count?: number): void;
  neverSent(count: number): void;
  result(seconds: number): LoadResult;
}

export function createTally(): Tally {
  const latencies = createHistogram();
  const statuses: Record<string, number> = {};
  const sums = { answers: 0, failures: 0, neverSent: 0, bytes: 0 };
  return {
    answered: (status, bytes, milliseconds) => {
      sums.answers++;
      sums.bytes += bytes;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 200) latencies.record(milliseconds * 1000);
    },
    failed: (count = 1) => {
      sums.failures += count;
    },
    neverSent: (count) => {
      sums.neverSent += count;
    },
    result: (seconds) => ({ ...sums, statuses, seconds, latencies: latencies.counts() }),
  };
}
