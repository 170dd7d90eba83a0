/** Decides when a process that ended is replaced. */
export interface RestartPolicy {
  /** The process listens: whatever ended the ones before it is over. */
  listening(): void;
  /** The process has ended: returns the milliseconds to wait before replacing it; undefined to give the slot up. */
  ended(): number | undefined;
  /** The machine could not start a process: returns the milliseconds to wait before the next try. */
  unstarted(): number;
}

/** After this many processes in a row that ended before they listened, the next one would end the same way. */
const MOST_FAILED_STARTS = 5;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/**
 * A process that has listened is replaced at once. So is the first one that ends before it listens; the wait doubles with
 * each further one in a row. A process that the machine could not start is retried without limit, since a shortage of
 * resources may pass.
 */
export function createRestartPolicy(): RestartPolicy {
  let hasListened = false;
  let failedStarts = 0;
  let missedStarts = 0;
  return {
    listening: () => {
      hasListened = true;
      failedStarts = 0;
      missedStarts = 0;
    },
    ended: () => {
      if (!hasListened) failedStarts++;
      hasListened = false;
      if (failedStarts >= MOST_FAILED_STARTS) return undefined;
      return failedStarts <= 1 ? 0 : FIRST_DELAY_MS * 2 ** (failedStarts - 2);
    },
    unstarted: () => Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** missedStarts++),
  };
}
