import type { BucketCounts } from '../lib/histogram.js';
import type { Undisturbed } from './stalls.js';

/** One request, without what all of a job have in common. */
export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Where in the path digits stand that are others in each lap, see {@link pathInLap}; without, each lap asks the same. */
  readonly lapDigitsAt?: number;
  /** JSON text. */
  readonly body?: string;
}

/** Load to be put on a server on this or another machine. Requests are taken in turn, from `startAt`, lap after lap. */
export interface Job {
  /**
   * `closed`: each connection asks as soon as it has its answer. `open`: requests come at a fixed rate whatever the server
   * does. `autocannon`: closed, by the package of that name, which costs more of the machine than the server it measures.
   */
  readonly kind: 'closed' | 'open' | 'autocannon';
  /** Such as `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly asks: readonly Ask[];
  /** How many were taken before: the lap, too, counts from there. */
  readonly startAt: number;
  readonly connections: number;
  readonly seconds: number;
  /** Whether connections outlive a request. */
  readonly keepAlive: boolean;
  /** Of an open loop. */
  readonly ratePerSecond?: number;
  /**
   * Of an open loop: requests come at the rate for so long before any is counted. Meanwhile V8 clears up and compiles
   * in threads beside the client's, which would hold a server up that shares its processors.
   */
  readonly leadInSeconds?: number;
}

/** What came of a job. */
export interface LoadResult {
  /** Answers that came within the time, whatever their status. */
  readonly answers: number;
  readonly seconds: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests that never had an answer: the connection failed, or nothing came in time. */
  readonly failures: number;
  readonly bytes: number;
  /**
   * Latencies of the answers with status 200, microseconds. In a closed loop from the write to the last byte. In an open
   * loop from the moment at which the request was due, so that one which had to wait for a free connection counts the wait.
   */
  readonly latencies: BucketCounts;
  /** Of an open loop, where it can be seen when the machine under this one takes its processors away. */
  readonly undisturbed?: Undisturbed;
}
