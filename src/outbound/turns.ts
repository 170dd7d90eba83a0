/** Spaces the starts of calls, also across processes. */
export interface Turns {
  /** Takes the next turn and returns 0 if it is due; otherwise returns the milliseconds until it is. */
  take(minIntervalMs: number): number;
}

export interface TurnsOptions {
  /** When the next turn is due, in microseconds of the clock; 0 at first. In shared memory if processes share the turns. */
  readonly nextAt: BigInt64Array;
  /** A monotonic clock, in milliseconds, that all processes sharing the memory have in common. */
  readonly now: () => number;
}

/** The share of the interval by which the last caller lets the others go first: more than timers run late. */
const COURTESY = 0.02;

/**
 * A turn is taken when the call starts, not reserved in advance: a late start delays the next one, and a process that dies
 * or gives up while waiting blocks no turn. The process that had the last turn tries for the next one slightly later than
 * the others, which might otherwise come a moment too late every time.
 */
export function createTurns({ nextAt, now }: TurnsOptions): Turns {
  /** The value that this process last wrote to `nextAt`. */
  let own: bigint | undefined;
  return {
    take: (minIntervalMs) => {
      if (minIntervalMs === 0) return 0;
      for (;;) {
        const next = Atomics.load(nextAt, 0);
        const at = BigInt(Math.floor(now() * 1000));
        const due = next === own ? next + BigInt(Math.ceil(minIntervalMs * 1000 * COURTESY)) : next;
        if (at < due) return Math.ceil(Number(due - at) / 1000);
        const after = at + BigInt(Math.ceil(minIntervalMs * 1000));
        if (Atomics.compareExchange(nextAt, 0, next, after) !== next) continue;
        own = after;
        return 0;
      }
    },
  };
}
