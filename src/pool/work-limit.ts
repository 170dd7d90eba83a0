/**
 * Says how much work may wait. A number of requests is no measure of it: a thousand small searches take 20 ms, a hundred
 * large ones seconds. So waiting is counted in the time that tasks are expected to take.
 */
export interface WorkLimit {
  /** Whether a task that takes so long may come behind these. */
  admits(ahead: Ahead, taskMs: number): boolean;
  /** Nothing waits any more and a thread is free, until the next `busy`. */
  idle(): void;
  /** A thread has something to do. That it had nothing before earns no burst where the event loop was only behind. */
  busy(isBehind: boolean): void;
}

/** What a task waits for. */
export interface Ahead {
  /** Others that are not answered yet. */
  readonly count: number;
  /** What they take together, milliseconds. */
  readonly ms: number;
  /** How long it has waited already, until it was read from its socket, milliseconds at most. */
  readonly socketMs: number;
  /** How many were read from sockets together. */
  readonly together: number;
}

/**
 * Under lasting overload, whoever is admitted waits about this long, in a socket and here, and all others are told at
 * once to come again. It is a few times what an answer takes at half of the load, so that those who are answered hardly
 * notice the overload.
 */
const STANDING_MAX_MS = 20;
/**
 * A queue that is always allowed, however late the event loop is. Clients that are refused and come again at once keep it
 * late; without this, nobody would be answered any more.
 */
const STANDING_MIN_MS = 10;
/**
 * So few requests for each thread are no overload: they are what one server in front of this one keeps open. It matters for
 * long searches, and on a machine with other work, where all of them are long.
 */
const FEW = 96;
/**
 * A page of many searches at once is no overload. Threads that were idle have earned a queue as long as their idleness, up
 * to this: it delays about one in a hundred of a minute's answers when a lasting overload begins. (CoDel, RFC 8289,
 * tells a burst from a standing queue by the same sign.)
 */
const BURST_MAX_MS = 250;

/** A limit for so many threads. The clock never goes back, milliseconds. */
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
