import { FetchError } from './fetch-error.js';

/** The number of consecutive failed attempts without progress after which a file is given up. */
const ATTEMPTS = 5;
/** The number of damaged downloads after which a file is given up: the server's copy itself is then damaged. */
const DAMAGED_ATTEMPTS = 2;

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;

/** An operation that is retried, and what decides on retries. */
export interface Attempting<T> {
  /** Makes one attempt. */
  attempt(): Promise<T>;
  /** The number of bytes of the file on disk; an attempt that leaves more than any before it has made progress. */
  progressBytes(): number;
  /** Waits before the next attempt; `failure.restMs` is the delay that the server asked for. */
  wait(delayMs: number, failure: FetchError): Promise<void>;
  /** Whether there is no use in another attempt after one that failed. */
  isHopeless(): boolean;
  readonly signal: AbortSignal;
  /** A random number from 0 to 1. */
  readonly random: () => number;
}

/** Retries until an attempt succeeds or retrying is pointless. Throws the last attempt's `FetchError`. */
export async function withRetries<T>(attempting: Attempting<T>): Promise<T> {
  const { attempt, progressBytes, wait, isHopeless, signal, random } = attempting;
  let fruitless = 0;
  let damaged = 0;
  // Not what the attempt before left: bytes that come again and again after a restart are no progress.
  let mostBytes = progressBytes();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      const { failure, restMs } = error;
      if (failure === 'damaged') damaged++;
      else if (failure !== 'transient') throw error;
      const bytes = progressBytes();
      fruitless = failure === 'transient' && bytes > mostBytes ? 1 : fruitless + 1;
      mostBytes = Math.max(mostBytes, bytes);
      if (fruitless >= ATTEMPTS || damaged >= DAMAGED_ATTEMPTS || isHopeless() || signal.aborted) throw error;
      await wait(delayMs(fruitless, restMs, random), error);
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
