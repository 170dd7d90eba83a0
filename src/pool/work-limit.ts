/**
 * Limits how much work may wait. The number of requests would be no measure of it: a thousand small searches take 20 ms, a
 * hundred large ones take seconds. So the queue is measured by the time that its tasks are expected to take.
 */
export interface WorkLimit {
  /** Whether a task that is expected to take `taskMs` may be queued behind the work that is `ahead` of it. */
  admits(ahead: Ahead, taskMs: number): boolean;
  /** To be called when no task waits any more and a thread is free; it stays so until the next `busy`. */
  idle(): void;
  /**
   * To be called when a thread is given work. The idle time before it earns no burst if `isBehind`: then the thread had
   * nothing to do only because the event loop was late.
   */
  busy(isBehind: boolean): void;
}

/** The work that is queued ahead of a new task, and how late the event loop is. */
export interface Ahead {
  /** How many other tasks are unanswered. */
  readonly count: number;
  /** How long these are expected to take in total, milliseconds. */
  readonly ms: number;
  /** How long the new task may already have waited in its socket before it was read: an upper bound, milliseconds. */
  readonly socketMs: number;
  /** How many tasks were read from sockets in the same turn of the event loop. */
  readonly together: number;
}

/**
 * Under lasting overload, an admitted task waits about this long, in its socket and in the queue together, and all others
 * are told at once to come again. It is a few times what an answer takes at half of the load, so that clients that are
 * answered hardly notice the overload.
 */
const STANDING_MAX_MS = 20;
/**
 * A queue of this length is always allowed, however late the event loop is. Refused clients that retry at once keep the
 * loop late; without this minimum, no request would be admitted any more. More than the threads can begin before they are
 * looked after again would only take the processor from the loop, which then falls further behind: at twice the maximum rate
 * of the costliest searches on two cores, client included, 12,000 a second were answered after 0.9 to 1.7 s (half of them)
 * with 10, 7,500 after 90 to 560 ms with 3, and 6,500 after 30 to 40 ms with 1.
 */
const STANDING_MIN_MS = 1;
/**
 * Fewer requests per thread than this are no overload: a single server in front of this one keeps that many open. The rule
 * matters for long searches, and on a machine that is busy with other work, where all searches take long.
 */
const FEW = 96;
/**
 * A web page that sends many searches at once is no overload. Threads that were idle have earned a queue as long as their
 * idle time, up to this limit: it delays about 1% of a minute's answers when a lasting overload begins. (CoDel, RFC 8289,
 * tells a burst from a standing queue by the same criterion.)
 */
const BURST_MAX_MS = 250;

/** Creates the limit of a pool with this many threads. `now` is a monotonic clock in milliseconds. */
export function createWorkLimit(threads: number, now: () => number): WorkLimit {
  let burstMs = BURST_MAX_MS;
  let idleSinceMs: number | undefined = now();
  return {
    admits: ({ count, ms, socketMs, together }, taskMs) => {
      const queueMs = ms / threads;
      if (queueMs <= Math.max(STANDING_MIN_MS, STANDING_MAX_MS - socketMs)) return true;
      const few = Math.max(count, together) / threads < FEW;
      if (few && queueMs <= BURST_MAX_MS) return true;
      const ownMs = taskMs / threads;
      if (burstMs < ownMs) return false;
      burstMs -= ownMs;
      return true;
    },
    idle: () => {
      idleSinceMs ??= now();
    },
    busy: (isBehind) => {
      if (idleSinceMs === undefined) return;
      if (!isBehind) burstMs = Math.min(BURST_MAX_MS, burstMs + now() - idleSinceMs);
      idleSinceMs = undefined;
    },
  };
}
