import { createHitLog, type HitLog } from './hit-log.js';

/** The requests that count in each key's window. */
export interface HitStore {
  readonly windowMs: number;
  /** Counts a request of a key where fewer than `limit` are in its window. */
  hit(id: string, limit: number): Hit;
  /** Keys with a counted request in their window. */
  activeKeys(): number;
}

/** What became of a request. */
export interface Hit {
  readonly refused: boolean;
  /** Requests in the window, with this one where it was not refused. */
  readonly count: number;
  /** Milliseconds since the oldest of them. */
  readonly oldestAgeMs: number;
}

export interface HitStoreOptions {
  readonly windowSeconds: number;
  /** A clock that never goes back, milliseconds. */
  readonly now: () => number;
}

/** The store of a process that serves alone. Keys whose window is empty are forgotten. A hit is O(1), amortized. */
export function createHitStore({ windowSeconds, now }: HitStoreOptions): HitStore {
  const windowMs = windowSeconds * 1000;
  const logs = new Map<string, HitLog>();
  let sweepAtMs = now() + windowMs;

  return {
    windowMs,
    hit: (id, limit) => {
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
      return { refused, count: log.size(), oldestAgeMs: nowMs - log.oldest() };
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
