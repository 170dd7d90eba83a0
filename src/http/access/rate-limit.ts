import type { KeyIdentity } from '../../keys/key-identity.js';
import type { HitStore } from '../../tallies/hit-store.js';

/** Where a key stands, as its answers tell it. */
export interface LimitStatus {
  /** Requests that a window takes. */
  readonly limit: number;
  /** Requests that it would take now. */
  readonly remaining: number;
  /** Whole seconds, at least 1, until the oldest counted request leaves the window: a place becomes free. */
  readonly resetSeconds: number;
  /** Whether this request was refused. Refused requests do not count. */
  readonly refused: boolean;
}

/** Limits the requests of each key. */
export interface RateLimiter {
  /** Counts a request where its key may still make one; undefined for a key without limit. */
  hit(key: KeyIdentity): LimitStatus | undefined;
  /** Keys with a counted request in their window. */
  activeKeys(): number;
}

export interface RateLimiterOptions {
  /** Requests a window, for keys that carry no limit of their own; 0 for any number. */
  readonly max: number;
  readonly hits: HitStore;
}

/**
 * An exact sliding window: at no moment were more than `max` requests accepted in the window that ends there. A request
 * leaves the window as soon as it is as old as the window is long.
 */
export function createRateLimiter({ max, hits }: RateLimiterOptions): RateLimiter {
  return {
    hit: ({ id, rateLimitMax }) => {
      const limit = rateLimitMax ?? max;
      if (limit === 0) return undefined;
      const { refused, count, oldestAgeMs } = hits.hit(id, limit);
      return {
        limit,
        remaining: Math.max(0, limit - count),
        resetSeconds: Math.max(1, Math.ceil((hits.windowMs - oldestAgeMs) / 1000)),
        refused,
      };
    },
    activeKeys: hits.activeKeys,
  };
}
