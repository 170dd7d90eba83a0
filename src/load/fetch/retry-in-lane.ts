import { FetchError } from './fetch-error.js';
import type { HostLanes } from './host-lanes.js';
import type { Network } from './network.js';

/** The number of consecutive failed attempts without progress after which a file is given up. */
const ATTEMPTS = 5;
/** The number of damaged downloads after which a file is given up: the server's copy itself is then damaged. */
const DAMAGED_ATTEMPTS = 2;

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;

/** What retrying needs; shared by all files of a fetch. */
export interface RetrySetup {
  readonly lanes: HostLanes;
  readonly network: Network;
  readonly signal: AbortSignal;
  readonly sleep: (ms: number) => Promise<void>;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  /** Shows the user a message while the fetch runs. */
  readonly onNote: (note: string) => void;
}

export interface LaneAttempt<T> {
  /** The name of what is requested, for messages. */
  readonly name: string;
  readonly host: string;
  /** Makes one attempt. */
  attempt(): Promise<T>;
  /** The number of bytes of the file on disk; an attempt that leaves more than any before it has made progress. */
  progressBytes(): number;
}

/**
 * Runs the attempt when a slot of the host is free, and retries after a delay, which it announces, until it succeeds or
 * retrying is pointless. Where there is no network, only the first requests are retried. Throws the last attempt's
 * `FetchError`.
 */
export async function retryInLane<T>(
  { lanes, network, signal, sleep, random, onNote }: RetrySetup,
  { name, host, attempt, progressBytes }: LaneAttempt<T>,
): Promise<T> {
  let fruitless = 0;
  let damaged = 0;
  // Not what the attempt before left: bytes that come again and again after a restart are no progress.
  let mostBytes = progressBytes();
  for (;;) {
    try {
      return await lanes.run(host, () => network.attempt(attempt));
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      const { failure, restMs, message } = error;
      if (failure === 'damaged') damaged++;
      else if (failure !== 'transient') throw error;
      const bytes = progressBytes();
      fruitless = failure === 'transient' && bytes > mostBytes ? 1 : fruitless + 1;
      mostBytes = Math.max(mostBytes, bytes);
      if (fruitless >= ATTEMPTS || damaged >= DAMAGED_ATTEMPTS || network.isGone() || signal.aborted) {
        network.gaveUp(error);
        throw error;
      }
      if (restMs !== undefined) lanes.rest(host, restMs);
      const waitMs = delayMs(fruitless, restMs, random);
      onNote(`${name}: ${message}; retrying in ${Math.ceil(waitMs / 1000)} s`);
      await sleep(waitMs);
    }
  }
}

/**
 * Exponential backoff with jitter (0.5 to 1 s, 1 to 2 s, …), so that files that failed together are not retried together;
 * never shorter than the server asked for.
 */
function delayMs(fruitless: number, restMs: number | undefined, random: () => number): number {
  const backoffMs = Math.min(FIRST_DELAY_MS * 2 ** (fruitless - 1), LONGEST_DELAY_MS) * (0.5 + random() / 2);
  return restMs === undefined ? backoffMs : restMs + backoffMs / 10;
}
