/** When a process that ended is replaced. */
export interface ReplacementPolicy {
  /** It has come to listen: whatever ended the ones before it is over. */
  listening(): void;
  /** Milliseconds to wait before it is replaced; undefined where it is not to be replaced any more. */
  ended(): number | undefined;
}

/** Ends before a process of this place listens, one after another, after which another try would end like them. */
const MOST_FAILED_STARTS = 5;
const FIRST_DELAY_MS = 100;

/**
 * A process that served is replaced at once; so is the first that did not come so far, and each further one after twice the
 * time.
 */
export function createReplacementPolicy(): ReplacementPolicy {
  let hasListened = false;
  let failedStarts = 0;
  return {
    listening: () => {
      hasListened = true;
      failedStarts = 0;
    },
    ended: () => {
      if (!hasListened) failedStarts++;
      hasListened = false;
      if (failedStarts >= MOST_FAILED_STARTS) return undefined;
      return failedStarts <= 1 ? 0 : FIRST_DELAY_MS * 2 ** (failedStarts - 2);
    },
  };
}
