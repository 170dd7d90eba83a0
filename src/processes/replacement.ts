/** When a process that ended is replaced. */
export interface ReplacementPolicy {
  /** It has come to listen: whatever ended the ones before it is over. */
  listening(): void;
  /** Milliseconds to wait before it is replaced; undefined where it is not to be replaced any more. */
  ended(): number | undefined;
  /** The machine could not start one: milliseconds to wait before it is tried again. */
  unstarted(): number;
}

/** Ends before a process of this place listens, one after another, after which another try would end like them. */
const MOST_FAILED_STARTS = 5;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/**
 * A process that served is replaced at once; so is the first that did not come so far, and each further one after twice the
 * time. What a machine has too little of it may have again: one that could not be started is tried for as long as it takes.
 */
export function createReplacementPolicy(): ReplacementPolicy {
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
