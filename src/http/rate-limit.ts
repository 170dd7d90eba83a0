import type { KeyIdentity } from '../keys/keyring.js';
import { createHitLog, type HitLog } from './hit-log.js';

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
  /** Counts a request where its key may still make one; undefined for a key without limit. O(1), amortized. */
  hit(key: KeyIdentity): LimitStatus | undefined;
  /** Keys with a counted request in their window. */
  activeKeys(): number;
}

export interface RateLimiterOptions {
  /** Requests a window, for keys that carry no limit of their own; 0 for any number. */
  readonly max: number;
  readonly windowSeconds: number;
  /** A clock that never goes back, milliseconds. */
  readonly now: () => number;
}

/**
 * An exact sliding window: at no moment were more than `max` requests accepted in the window that ends there. A request
 * leaves the window as soon as it is `windowSeconds` old. Keys whose window is empty are forgotten.
 */
export function createRateLimiter({ max, windowSeconds, now }: RateLimiterOptions): RateLimiter {
  const windowMs = windowSeconds * 1000;
  const logs = new Map<string, HitLog>();
  let sweepAtMs = now() + windowMs;

  return {
    hit: ({ id, rateLimitMax }) => {
      const limit = rateLimitMax ?? max;
      if (limit === 0) return undefined;
      const nowMs = now();
      if (nowMs >= sweepAtMs) sweep(nowMs);
      let log = logs.get(id);
      if (!log) {
        log = createHitLog();
        logs.set(id, log);
      }
      log.forgetUntil(nowMs - windowMs);
      const refused = log.size() >= limit;
      if (!refused) log.add(nowMs);
      return {
        limit,
        remaining: Math.max(0, limit - log.size()),
        resetSeconds: Math.max(1, Math.ceil((log.oldest() + windowMs - nowMs) / 1000)),
        refused,
      };
    },
    activeKeys: () => {
      sweep(now());
      return logs.size;
    },
  };

  /** Once a window: the keys of a window that is over cost no memory for longer than the next one. */
  function sweep(nowMs: number): void {
    sweepAtMs = nowMs + windowMs;
    for (const [id, log] of logs) {
      log.forgetUntil(nowMs - windowMs);
      if (log.size() === 0) logs.delete(id);
    }
  }
}
