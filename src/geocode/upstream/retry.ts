import type { CallError, CallFailure } from '../../outbound/call-error.js';

/** How many times a question is asked at most, the first included. */
const ATTEMPTS = 3;
const FIRST_DELAY_MS = 250;

/** Failures that may be transient. */
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
 * Milliseconds to wait after attempt `attempt`, the first being 1, has failed; undefined if another would not help. A
 * random delay of up to 250 ms, 500 ms, … so that callers that failed together do not retry together, in addition to the
 * rest that the geocoder asked for, if any. `random` gives 0 to 1.
 */
export function againAfterMs(
  { reason, restMs }: Pick<CallError, 'reason' | 'restMs'>,
  attempt: number,
  random: () => number,
): number | undefined {
  // A rest that the geocoder asked for is waited out, a cool-down of our own is not.
  const mayPass = PASSING.has(reason) || (reason === 'cooling-down' && restMs !== undefined);
  if (attempt === ATTEMPTS || !mayPass) return undefined;
  const jitterMs = random() * FIRST_DELAY_MS * 2 ** (attempt - 1);
  // Timers may fire a millisecond early.
  return restMs === undefined ? jitterMs : restMs + 1 + jitterMs;
}
