/** Ends what takes too long. */
export interface Deadlines<T> {
  add(item: T): void;
  /** The item is done with. */
  remove(item: T): void;
  /** Everything that is not removed yet, the oldest first. */
  items(): Iterable<T>;
  /** Forgets all. */
  clear(): void;
}

/**
 * One timer for all items, where each would otherwise have its own: they are given the same time, so that the oldest is
 * due first. A set keeps the order in which they came. O(1) each.
 */
export function createDeadlines<T extends { readonly askedAtMs: number }>(
  timeoutMs: number,
  now: () => number,
  expire: (item: T) => void,
): Deadlines<T> {
  const open = new Set<T>();
  let timer: NodeJS.Timeout | undefined;

  const sweep = (): void => {
    timer = undefined;
    const nowMs = now();
    for (const item of open) {
      const leftMs = item.askedAtMs + timeoutMs - nowMs;
      if (leftMs > 0) {
        timer = setTimeout(sweep, Math.ceil(leftMs));
        return;
      }
      open.delete(item);
      expire(item);
    }
  };
  return {
    add: (item) => {
      open.add(item);
      timer ??= setTimeout(sweep, timeoutMs);
    },
    remove: (item) => {
      open.delete(item);
    },
    items: () => open,
    clear: () => {
      open.clear();
      clearTimeout(timer);
    },
  };
}
