import { obtain } from '../core/obtain.js';
import { createHitLog, type HitLog } from './hit-log.js';

/** The counted requests in each key's rate-limit window. */
export interface HitStore {
  readonly windowMs: number;
  /** Counts a key's request if its window holds fewer than `limit`; otherwise refuses it. */
  hit(id: string, limit: number): Hit;
  /** The number of keys with a counted request in their window. */
  activeKeys(): number;
}

/** Whether a request was counted or refused, and the state of its key's window afterwards. */
export interface Hit {
  readonly refused: boolean;
  /** Requests in the window, including this one unless it was refused. */
  readonly count: number;
  /**
   * Milliseconds since the request that has to leave the window before another one is counted: the oldest, or, where the
   * limit has been lowered below what was counted before, the newest, by which all have left.
   */
  readonly awaitedAgeMs: number;
}

export interface HitStoreOptions {
  readonly windowSeconds: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** The store of a single-process service. Forgets keys whose window is empty. A hit takes amortized O(1). */
export function createHitStore({ windowSeconds, now }: HitStoreOptions): HitStore {
  const windowMs = windowSeconds * 1000;
  const logs = new Map<string, HitLog>();
  let sweepAtMs = now() + windowMs;

  return {
    windowMs,
    hit: (id, limit) => {
      const nowMs = now();
      if (nowMs >= sweepAtMs) sweep(nowMs);
      const log = obtain(logs, id, createHitLog);
      log.forgetUntil(nowMs - windowMs);
      const refused = log.size() >= limit;
      if (!refused) log.add(nowMs);
      const awaitedAtMs = log.size() > limit ? log.newest() : log.oldest();
      return { refused, count: log.size(), awaitedAgeMs: nowMs - awaitedAtMs };
    },
    activeKeys: () => {
      sweep(now());
      return logs.size;
    },
  };

  /** Runs once per window, so that an idle key's memory is freed at most one window after its last request has expired. */
  function sweep(nowMs: number): void {
    sweepAtMs = nowMs + windowMs;
    for (const [id, log] of logs) {
      log.forgetUntil(nowMs - windowMs);
      if (log.size() === 0) logs.delete(id);
    }
  }
}
