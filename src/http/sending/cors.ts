import type { IncomingHttpHeaders } from 'node:http';

/** Lets pages of other origins ask, by https://fetch.spec.whatwg.org/#http-cors-protocol. Never with credentials. */
export interface Cors {
  /** Whether answers depend on the request's `Origin`. */
  readonly variesByOrigin: boolean;
  /** Names and values in turn, for an answer to a request with these headers. */
  headersFor(request: IncomingHttpHeaders): readonly string[];
  /** What the answer to a browser that asks before a request has in addition. */
  preflight(request: IncomingHttpHeaders, methods: string): Readonly<Record<string, string>>;
}

/** What a client may send beside what browsers always allow. */
const REQUEST_HEADERS = 'X-API-Key, Content-Type, X-Request-ID, If-None-Match';
/** What a page may read beside what browsers always allow. */
const RESPONSE_HEADERS = [
  'ETag',
  'Retry-After',
  'X-Dataset-Generation',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-ID',
].join(', ');
/** Two hours, which is as long as Chromium keeps it. */
const MAX_AGE_SECONDS = '7200';
const NONE: readonly string[] = [];

/** Allows these origins, or all where one is `*`; none where there are none. */
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
