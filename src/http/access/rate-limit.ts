import type { KeyIdentity } from '../../keys/key-identity.js';
import type { HitStore } from '../../tallies/hit-store.js';

/** The state of a key's rate limit, as its answers report it. */
export interface LimitStatus {
  /** Requests allowed per window. */
  readonly limit: number;
  /** Requests that are still allowed now. */
  readonly remaining: number;
  /**
   * Whole seconds, at least 1, until the oldest counted request leaves the window and another one is allowed. Where the limit
   * has been lowered below what was counted before, until all of them have left.
   */
  readonly resetSeconds: number;
  /** Whether this request was refused. Refused requests do not count. */
  readonly refused: boolean;
}

/** The headers that tell a limit's state, as alternating names and values. */
export function limitHeaders({ limit, remaining, resetSeconds }: LimitStatus): string[] {
  const reset = ['X-RateLimit-Reset', String(resetSeconds)];
  return ['X-RateLimit-Limit', String(limit), 'X-RateLimit-Remaining', String(remaining), ...reset];
}

/** Limits the requests of each key. */
export interface RateLimiter {
  /** Counts a request if its key's limit allows it, else refuses it; undefined for a key without limit. */
  hit(key: KeyIdentity): LimitStatus | undefined;
  /** The number of keys with a counted request in their window. */
  activeKeys(): number;
}

export interface RateLimiterOptions {
  /** Requests per window for keys without a limit of their own; 0 for unlimited. */
  readonly max: number;
  readonly hits: HitStore;
}

/**
 * An exact sliding window: at any moment, at most the key's limit of requests have been accepted in the window that ends at
 * that moment. A request leaves the window as soon as its age equals the window's length.
 */
export function createRateLimiter({ max, hits }: RateLimiterOptions): RateLimiter {
  return {
    hit: ({ id, rateLimitMax }) => {
      const limit = rateLimitMax ?? max;
      if (limit === 0) return undefined;
      const { refused, count, awaitedAgeMs } = hits.hit(id, limit);
      return {
        limit,
        // Also where a request below the limit is refused because there is no memory to count it in.
        remaining: refused ? 0 : limit - count,
        resetSeconds: Math.max(1, Math.ceil((hits.windowMs - awaitedAgeMs) / 1000)),
        refused,
      };
    },
    activeKeys: hits.activeKeys,
  };
}
