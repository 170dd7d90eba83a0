/** Nobody waits for longer than this. */
export const LONGEST_REST_MS = 10 * 60_000;

/**
 * The rest in milliseconds that a `Retry-After` header asks for (RFC 9110, 10.2.3), cut to `longestMs`; undefined without a
 * valid one.
 */
export function parseRetryAfter(header: string | null, nowMs: number, longestMs = LONGEST_REST_MS): number | undefined {
  if (header === null) return undefined;
  const restMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(restMs) ? undefined : Math.min(Math.max(restMs, 0), longestMs);
}
