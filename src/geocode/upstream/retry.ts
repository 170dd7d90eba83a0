/** A failed question is asked at most so often in all. */
export const ATTEMPTS = 3;

const FIRST_DELAY_MS = 250;

/**
 * Milliseconds to wait before attempt `attempt + 1`, the first being 1: anything up to 250 ms, 500 ms, … so that callers
 * that failed together do not come again together; after the rest that the geocoder asked for, if it did.
 * `random` gives 0 to 1.
 */
export function retryDelayMs(attempt: number, restMs: number | undefined, random: () => number): number {
  const jitterMs = random() * FIRST_DELAY_MS * 2 ** (attempt - 1);
  // Timers may be early by a millisecond.
  return restMs === undefined ? jitterMs : restMs + 1 + jitterMs;
}
