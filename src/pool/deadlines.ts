/** Ends what takes too long. */
export interface Deadlines {
  /** Something was asked. */
  start(): void;
  /** Nothing is ended any more. */
  stop(): void;
}

/** Something that is to be done within its time. */
export interface Timed {
  readonly askedAtMs: number;
  /** Whether nothing more is to be done about it. */
  readonly isOver: boolean;
}

/**
 * One timer for all, where each would otherwise have its own: all are given the same time. When it rings, it looks through
 * what is `open`, and is set again for the oldest of them.
 *
 * They are in no Set or Map of their own: V8 chains the tables that a growing one leaves behind, and once one of them has
 * become old, it keeps short-lived entries in memory until the next full collection.
 */
export function createDeadlines<T extends Timed>(
  timeoutMs: number,
  now: () => number,
  open: () => Iterable<T>,
  expire: (item: T) => void,
): Deadlines {
  let timer: NodeJS.Timeout | undefined;

  const sweep = (): void => {
    const nowMs = now();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const item of open()) {
      if (item.isOver) continue;
      const leftMs = item.askedAtMs + timeoutMs - nowMs;
      if (leftMs > 0) nextMs = Math.min(nextMs, leftMs);
      else expire(item);
    }
    timer = nextMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(sweep, Math.ceil(nextMs));
  };
  return {
    start: () => {
      timer ??= setTimeout(sweep, timeoutMs);
    },
    stop: () => {
      clearTimeout(timer);
    },
  };
}
