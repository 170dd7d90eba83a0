import type { HostLanes } from './host-lanes.js';
import { type Attempting, withRetries } from './retry.js';

/** What trying again takes, the same for all files of a fetch. */
export interface RetrySetup extends Pick<Attempting<unknown>, 'signal' | 'random'> {
  readonly lanes: HostLanes;
  readonly sleep: (ms: number) => Promise<void>;
  /** Something that the person at the terminal should know while it runs. */
  readonly onNote: (note: string) => void;
}

export interface LaneAttempt<T> extends Pick<Attempting<T>, 'attempt' | 'progressBytes'> {
  /** What is asked for, as the person at the terminal knows it. */
  readonly name: string;
  readonly host: string;
}

/**
 * Attempts when the host's turn comes, and again after a rest, which it tells of. Throws the last attempt's
 * `FetchError`.
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
      onNote(`${name}: ${failure.message}; trying again in ${Math.ceil(delayMs / 1000)} s`);
      await sleep(delayMs);
    },
    signal,
    random,
  });
}
