import type { IncomingHttpHeaders } from 'node:http';

/** Cross-origin access by https://fetch.spec.whatwg.org/#http-cors-protocol, always without credentials. */
export interface Cors {
  /** Whether answers depend on the request's `Origin`. */
  readonly variesByOrigin: boolean;
  /** The CORS headers of the answer to a request with these headers, as alternating names and values. */
  headersFor(request: IncomingHttpHeaders): readonly string[];
  /** The additional headers of the answer to a preflight request. */
  preflight(request: IncomingHttpHeaders, methods: string): Readonly<Record<string, string>>;
}

/** Request headers that a page may send, besides the CORS-safelisted ones. */
const REQUEST_HEADERS = 'X-API-Key, Content-Type, X-Request-ID, If-None-Match';
/** Response headers that a page may read, besides the CORS-safelisted ones. */
const RESPONSE_HEADERS = [
  'ETag',
  'Retry-After',
  'X-Dataset-Generation',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-ID',
].join(', ');
/** Two hours, the longest that Chromium caches a preflight answer. */
const MAX_AGE_SECONDS = '7200';
const NONE: readonly string[] = [];

/** Allows the given origins, or all if one of them is `*`; an empty list allows none. */
export function createCors(origins: readonly string[]): Cors {
  const any = origins.includes('*');
  const allowed = new Set(origins);
  const headersByOrigin = (origin: string | undefined): readonly string[] => {
    if (origin === undefined || !(any || allowed.has(origin))) return NONE;
    const granted = any ? '*' : origin;
    return ['Access-Control-Allow-Origin', granted, 'Access-Control-Expose-Headers', RESPONSE_HEADERS];
  };
  return {
    variesByOrigin: !any && allowed.size > 0,
    headersFor: ({ origin }) => headersByOrigin(origin),
    preflight: (request, methods) => {
      const granted = headersByOrigin(request.origin) !== NONE;
      if (!granted || request['access-control-request-method'] === undefined) return {};
      return {
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': REQUEST_HEADERS,
        'Access-Control-Max-Age': MAX_AGE_SECONDS,
      };
    },
  };
}
