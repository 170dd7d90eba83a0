import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Lease } from '../catalog/leases.js';
import type { KeyIdentity } from '../keys/key-identity.js';
import { REFUSED_ROUTE, UNKNOWN_ROUTE } from '../keys/key-usage.js';
import type { LimitStatus } from './access/rate-limit.js';
import type { Generation } from './generation.js';
import type { RouteContext } from './route.js';

/** What the service knows of a request, beside the request itself. */
export interface RequestState extends RouteContext {
  /** The client's `X-Request-ID` where it is a usable one, else a new one. */
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds of `performance.now()`. */
  readonly startedAtMs: number;
  /** When its route began to answer it; undefined before. */
  beganAtMs: number | undefined;
  /** Taken when the request is answered, and released when it is. */
  lease: Lease<Generation> | undefined;
  /** The route's pattern, never the URL. */
  route: string;
  /** Whose key it is, once that is known. */
  key: KeyIdentity | undefined;
  /** Where that key stands, if it has a limit. */
  limit: LimitStatus | undefined;
  /** Names the answer, where it has such a name and is a 200 or 304. */
  entityTag: string | undefined;
}

declare global {
  namespace Express {
    interface Locals {
      request: RequestState;
    }
  }
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** For requests that no route knows, and those that were refused before one was looked for. */
const NO_ROUTE = 'none';

export function createRequestState({ headers, socket }: IncomingMessage): RequestState {
  const presented = headers['x-request-id'];
  return {
    client: { gone: () => socket.destroyed },
    requestId: typeof presented === 'string' && REQUEST_ID.test(presented) ? presented : randomUUID(),
    headers,
    startedAtMs: performance.now(),
    beganAtMs: undefined,
    lease: undefined,
    route: NO_ROUTE,
    key: undefined,
    limit: undefined,
    entityTag: undefined,
  };
}

/**
 * Under which name its key's usage has a request that was answered so: to look for the route of what is refused would
 * cost more than the refusal.
 */
export function usageRoute({ route }: RequestState, status: number): string {
  if (route !== NO_ROUTE) return route;
  return status === 404 ? UNKNOWN_ROUTE : REFUSED_ROUTE;
}

/** To be called when the answer is written: no body lies in the generation's memory, of which nothing is read then. */
export function releaseGeneration(state: RequestState): void {
  state.lease?.release();
  state.lease = undefined;
}
