/** Policy for an API's answers: they load nothing and must not be framed. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/**
 * Security headers for data, as alternating names and values. Node spends most of a microsecond on each, so only those that
 * matter for data are sent; the policy covers what `X-Frame-Options` would. `Strict-Transport-Security` is left to the proxy
 * that terminates TLS in front of this service.
 */
export const DATA_HEADERS: readonly string[] = headersWith(NOTHING);

/** Security headers for an HTML page, whose policy says what it may load. */
export function pageHeaders(contentSecurityPolicy: string): readonly string[] {
  return [
    ...headersWith(contentSecurityPolicy),
    ...['X-Frame-Options', 'DENY'],
    ...['Referrer-Policy', 'no-referrer'],
    ...['Cross-Origin-Opener-Policy', 'same-origin'],
    ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ];
}

function headersWith(contentSecurityPolicy: string): string[] {
  return ['X-Content-Type-Options', 'nosniff', 'Content-Security-Policy', contentSecurityPolicy];
}
