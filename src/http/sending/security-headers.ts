/** An API's answers load nothing and stand in no frame. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/**
 * Names and values in turn, for answers that are data. Node spends most of a microsecond on each, so here are only those
 * that do something for data; the policy does all that `X-Frame-Options` would. There is no `Strict-Transport-Security`:
 * TLS ends in front of this service, and belongs to whoever ends it.
 */
export const DATA_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  NOTHING,
];

/** The same for a page, with what it may load. */
export function pageHeaders(contentSecurityPolicy: string): readonly string[] {
  return [
    'X-Content-Type-Options',
    'nosniff',
    'Content-Security-Policy',
    contentSecurityPolicy,
    'X-Frame-Options',
    'DENY',
    'Referrer-Policy',
    'no-referrer',
    'Cross-Origin-Opener-Policy',
    'same-origin',
    'Cross-Origin-Resource-Policy',
    'same-origin',
  ];
}
