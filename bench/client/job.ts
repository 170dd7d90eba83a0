import type { BucketCounts } from '../lib/histogram.js';
import type { Undisturbed } from './stalls.js';

/** One request, without the URL and the headers that all requests of a job share. */
export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Position in the path of digits that change with each lap, see `pathInLap`; without it, every lap is the same. */
  readonly lapDigitsAt?: number;
  /** The body as JSON text. */
  readonly body?: string;
}

/**
 * Load to put on a server, on this machine or another one. Requests are sent in the order of `asks` from `startAt` on,
 * over and over; each pass through the list is a lap.
 */
export type Job = ClosedJob | OpenJob;

/** Each connection sends its next request as soon as it has an answer. */
export interface ClosedJob extends AnyJob {
  /** `autocannon`: by the package of that name, which uses more processor time than the server that it measures. */
  readonly kind: 'closed' | 'autocannon';
}

/** Requests are sent at a fixed rate, whatever the server does. */
export interface OpenJob extends AnyJob {
  readonly kind: 'open';
  readonly ratePerSecond: number;
  /**
   * How long requests are sent at the rate before answers are counted. In this time V8 collects garbage and compiles, in
   * threads that would slow down a server on the same processors.
   */
  readonly leadInSeconds: number;
}

interface AnyJob {
  /** The base URL, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly asks: readonly Ask[];
  /** The number of requests already taken by earlier jobs, over all laps: it determines the first request and its lap. */
  readonly startAt: number;
  readonly connections: number;
  readonly seconds: number;
  /** Whether a connection is reused for several requests. */
  readonly keepAlive: boolean;
}

/** The result of a job. */
export interface LoadResult {
  /** Answers that arrived in time, whatever their status. */
  readonly answers: number;
  readonly seconds: number;
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests that were sent and have no answer: the connection failed, or no answer arrived in time. */
  readonly failures: number;
  /** Requests of an open loop that were due, but for which no connection became free in time. */
  readonly neverSent: number;
  readonly bytes: number;
  /**
   * Latencies of the answers with status 200, microseconds, up to the last byte. In a closed loop they start when the
   * request is written; in an open loop when it was due, so that waiting for a free connection counts.
   */
  readonly latencies: BucketCounts;
  /** Open loop only, and only if it can be observed when the host takes this virtual machine's processors away. */
  readonly undisturbed?: Undisturbed;
}
