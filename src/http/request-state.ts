import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { KeyIdentity } from '../keys/keyring.js';

/** What the service knows of a request, beside the request itself. */
export interface RequestState {
  /** The client's `X-Request-ID` where it is a usable one, else a new one. */
  readonly id: string;
  /** Milliseconds of `performance.now()`. */
  readonly startedAtMs: number;
  /** Whether the client sends a body. */
  readonly hasBody: boolean;
  /** The route's pattern, never the URL. */
  route: string;
  /** Whose key it is, once that is known. */
  key: KeyIdentity | undefined;
}

declare global {
  namespace Express {
    interface Locals {
      request: RequestState;
      /** Whether the server is stopping. */
      draining: () => boolean;
    }
  }
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** For requests that no route knows. */
export const NO_ROUTE = 'none';

export function createRequestState(request: IncomingMessage): RequestState {
  const presented = request.headers['x-request-id'];
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return {
    id: typeof presented === 'string' && REQUEST_ID.test(presented) ? presented : randomUUID(),
    startedAtMs: performance.now(),
    hasBody: encoding !== undefined || (length !== undefined && length !== '0'),
    route: NO_ROUTE,
    key: undefined,
  };
}
