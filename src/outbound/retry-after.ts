/** A longer rest is cut to this. */
const LONGEST_REST_MS = 10 * 60_000;

/** The rest in milliseconds that a `Retry-After` header asks for (RFC 9110, 10.2.3); undefined without a valid one. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const restMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(restMs) ? undefined : Math.min(Math.max(restMs, 0), LONGEST_REST_MS);
}
