import { FetchError } from './fetch-error.js';
import type { HostLanes } from './host-lanes.js';
import type { Network } from './network.js';
import { type Attempting, withRetries } from './retry.js';

/** What retrying needs; shared by all files of a fetch. */
export interface RetrySetup extends Pick<Attempting<unknown>, 'signal' | 'random'> {
  readonly lanes: HostLanes;
  readonly network: Network;
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
 * Runs the attempt when a slot of the host is free, and retries after a delay, which it announces. A host that asks for a
 * longer rest than anyone waits is asked for nothing more. Where there is no network, only the first requests are retried.
 * Throws the last attempt's `FetchError`.
 */
export async function retryInLane<T>(
  { lanes, network, sleep, onNote, signal, random }: RetrySetup,
  { name, host, attempt, progressBytes }: LaneAttempt<T>,
): Promise<T> {
  const attemptOrShut = async (): Promise<T> => {
    try {
      const result = await attempt();
      network.attempted();
      return result;
    } catch (error) {
      network.attempted(error);
      if (error instanceof FetchError && error.failure === 'resting') lanes.shut(host, error);
      throw error;
    }
  };
  const withinLane = withRetries({
    attempt: () => lanes.run(host, attemptOrShut),
    progressBytes,
    wait: async (delayMs, failure) => {
      if (failure.restMs !== undefined) lanes.rest(host, failure.restMs);
      onNote(`${name}: ${failure.message}; retrying in ${Math.ceil(delayMs / 1000)} s`);
      await sleep(delayMs);
    },
    isHopeless: network.isGone,
    signal,
    random,
  });
  return withinLane.catch((error: unknown) => {
    network.gaveUp(error);
    throw error;
  });
}
