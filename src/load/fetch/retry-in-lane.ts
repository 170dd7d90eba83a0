import type { HostLanes } from './host-lanes.js';
import { type Attempting, withRetries } from './retry.js';

/** What retrying needs; shared by all files of a fetch. */
export interface RetrySetup extends Pick<Attempting<unknown>, 'signal' | 'random'> {
  readonly lanes: HostLanes;
  readonly sleep: (ms: number) => Promise<void>;
  /** Shows the user a message while the fetch runs. */
  readonly onNote: (note: string) => void;
}

export interface LaneAttempt<T> extends Pick<Attempting<T>, 'attempt' | 'progressBytes'> {
  /** The name of what is requested, for messages. */
  readonly name: string;
  readonly host: string;
}

/**
 * Runs the attempt when a slot of the host is free, and retries after a delay, which it announces. Throws the last
 * attempt's `FetchError`.
 */
export function retryInLane<T>(
  { lanes, sleep, onNote, signal, random }: RetrySetup,
  { name, host, attempt, progressBytes }: LaneAttempt<T>,
): Promise<T> {
  return withRetries({
    attempt: () => lanes.run(host, attempt),
    progressBytes,
    wait: async (delayMs, failure) => {
      if (failure.restMs !== undefined) lanes.rest(host, failure.restMs);
      onNote(`${name}: ${failure.message}; retrying in ${Math.ceil(delayMs / 1000)} s`);
      await sleep(delayMs);
    },
    signal,
    random,
  });
}
