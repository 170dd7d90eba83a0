import type { Request } from 'express';
import type { Keyring } from '../../keys/keyring.js';
import { DETAILS } from '../error-details.js';
import { ApiError } from '../errors.js';
import type { RequestMetrics } from '../metrics/request-metrics.js';
import type { RequestState } from '../request-state.js';
import { authenticate } from './authenticate.js';
import type { RateLimiter } from './rate-limit.js';
import type { RequireScope } from './scopes.js';

/**
 * Admits a request by its key: authenticates it, counts it against the key's rate limit, and checks the path's scope. Does
 * nothing if the request has been admitted before. Throws 401, 403 or 429.
 */
export type Admit = (request: Request, state: RequestState) => void;

export interface AdmissionDeps {
  readonly keyring: Keyring;
  readonly limiter: RateLimiter;
  readonly requireScope: RequireScope;
  readonly metrics: RequestMetrics;
}

export function createAdmit({ keyring, limiter, requireScope, metrics }: AdmissionDeps): Admit {
  return (request, state) => {
    if (state.key) return;
    try {
      state.key = authenticate(request, keyring);
    } catch (error) {
      metrics.countAuthFailure();
      const presented = state.headers['x-api-key'];
      if (typeof presented === 'string') state.refusedKeyId = keyring.findRefused(presented, request.socket);
      throw error;
    }
    state.limit = limiter.hit(state.key);
    // A request without the scope is counted like any other; if it is over the limit, too, the client gets the 403.
    requireScope(state.key, request.path);
    if (!state.limit?.refused) return;
    const retryAfter = { 'Retry-After': String(state.limit.resetSeconds) };
    throw new ApiError('rate_limited', DETAILS.rateLimited, retryAfter);
  };
}
