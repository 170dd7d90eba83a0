import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Lease } from '../catalog/leases.js';
import type { KeyIdentity } from '../keys/key-identity.js';
import { REFUSED_ROUTE, UNKNOWN_ROUTE } from '../keys/key-usage.js';
import type { LimitStatus } from './access/rate-limit.js';
import type { Generation } from './generation.js';
import type { RouteContext } from './route.js';

/** What the service records about a request while handling it. */
export interface RequestState extends RouteContext {
  /** The client's `X-Request-ID` if it is well-formed, else a new UUID. */
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  /** When the request arrived, in milliseconds of `performance.now()`. */
  readonly startedAtMs: number;
  /** When its route began to answer it, on the same clock; undefined before. */
  beganAtMs: number | undefined;
  /** Taken when its route begins to answer, and released once the answer is written. */
  lease: Lease<Generation> | undefined;
  /** The route's pattern, never the URL. */
  route: string;
  /** The owner of the request's key, once it has been authenticated. */
  key: KeyIdentity | undefined;
  /** The id of the request's key if it was issued but is refused, since it is disabled or has expired. Only for the log. */
  refusedKeyId: string | undefined;
  /** The state of that key's rate limit, if it has one. */
  limit: LimitStatus | undefined;
  /** The answer's entity tag, if its route has them; sent only with a 200 or 304. */
  entityTag: string | undefined;
  /** The status of the refusal that was sent in place of its answer, since the rest of it turned out to be no HTTP. */
  refusedWith: number | undefined;
}

declare global {
  namespace Express {
    interface Locals {
      request: RequestState;
    }
  }
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Stands in for the route of requests that match none, or that were refused before routing. */
const NO_ROUTE = 'none';

/** The `X-Request-ID` of the answer to a request with these headers. */
export function requestIdOf({ 'x-request-id': presented }: IncomingHttpHeaders): string {
  return typeof presented === 'string' && REQUEST_ID.test(presented) ? presented : randomUUID();
}

export function createRequestState({ headers, socket }: IncomingMessage): RequestState {
  return {
    client: { gone: () => socket.destroyed },
    requestId: requestIdOf(headers),
    headers,
    startedAtMs: performance.now(),
    beganAtMs: undefined,
    lease: undefined,
    route: NO_ROUTE,
    key: undefined,
    refusedKeyId: undefined,
    limit: undefined,
    entityTag: undefined,
    refusedWith: undefined,
  };
}

/**
 * The route under which a request counts in its key's usage. Requests that were refused before routing share one name,
 * because finding their route would cost more than the refusal.
 */
export function usageRoute({ route }: RequestState, status: number): string {
  if (route !== NO_ROUTE) return route;
  return status === 404 ? UNKNOWN_ROUTE : REFUSED_ROUTE;
}

/** Call once the answer is written: no body points into the generation's memory, so nothing reads it from then on. */
export function releaseGeneration(state: RequestState): void {
  state.lease?.release();
  state.lease = undefined;
}
