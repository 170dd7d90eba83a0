/** A failed question is asked at most so often in all. */
export const ATTEMPTS = 3;

const FIRST_DELAY_MS = 250;
/** A geocoder that asks for longer is tried again after this all the same. */
const LONGEST_REST_MS = 10 * 60_000;

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

/** The rest that a `Retry-After` header asks for, in seconds or until a date (RFC 9110, 10.2.3); undefined for none. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const restMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(restMs) ? undefined : Math.min(Math.max(restMs, 0), LONGEST_REST_MS);
}
