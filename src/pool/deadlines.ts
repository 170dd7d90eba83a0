/** Expires items that take too long. */
export interface Deadlines {
  /** To be called when an item has been added: makes sure that the timer runs. */
  start(): void;
  /** Stops the timer: nothing expires any more. */
  stop(): void;
}

/** An item with a time limit. */
export interface Timed {
  readonly askedAtMs: number;
  /** Whether it is settled, so that it need not expire any more. */
  readonly isOver: boolean;
}

/**
 * Uses one timer for all items instead of one each, which is possible because all have the same time limit. When the timer
 * fires, it checks every item that is `open`, expires those that are overdue, and is set again for the oldest of the others.
 *
 * The items are deliberately not kept in a Set or Map here: V8 chains the tables that a growing one leaves behind, and once
 * one of these tables has reached the old generation, it keeps short-lived entries in memory until the next full collection.
 */
export function createDeadlines<T extends Timed>(
  timeoutMs: number,
  now: () => number,
  open: () => Iterable<T>,
  expire: (item: T) => void,
): Deadlines {
  let timer: NodeJS.Timeout | undefined;

  const sweep = (): void => {
    timer = undefined;
    const nowMs = now();
    let nextMs = Number.POSITIVE_INFINITY;
    // A copy, since an item that expires may be removed at once, and others added in its place.
    for (const item of [...open()]) {
      if (item.isOver) continue;
      const leftMs = item.askedAtMs + timeoutMs - nowMs;
      if (leftMs > 0) nextMs = Math.min(nextMs, leftMs);
      else expire(item);
    }
    if (nextMs === Number.POSITIVE_INFINITY) return;
    // An added item may have set it, for a later moment.
    clearTimeout(timer);
    timer = setTimeout(sweep, Math.ceil(nextMs));
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
