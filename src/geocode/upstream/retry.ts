import type { CallError, CallFailure } from '../../outbound/call-error.js';

/** A failed question is asked at most so often in all. */
const ATTEMPTS = 3;
const FIRST_DELAY_MS = 250;

/** Failures that may be gone a moment later. */
const PASSING: ReadonlySet<CallFailure> = new Set([
  'unreachable',
  'status-408',
  'status-429',
  'status-500',
  'status-502',
  'status-503',
  'status-504',
]);

/**
 * Milliseconds to wait before attempt `attempt + 1`, the first being 1; undefined where another would not help.
 * Anything up to 250 ms, 500 ms, … so that callers that failed together do not come again together; after the rest that
 * the geocoder asked for, if it did. `random` gives 0 to 1.
 */
export function againAfterMs(
  { reason, restMs }: Pick<CallError, 'reason' | 'restMs'>,
  attempt: number,
  random: () => number,
): number | undefined {
  // A rest that the geocoder asked for is waited for, a cool-down of our own is not.
  const mayPass = PASSING.has(reason) || (reason === 'cooling-down' && restMs !== undefined);
  if (attempt === ATTEMPTS || !mayPass) return undefined;
  const jitterMs = random() * FIRST_DELAY_MS * 2 ** (attempt - 1);
  // Timers may be early by a millisecond.
  return restMs === undefined ? jitterMs : restMs + 1 + jitterMs;
}
