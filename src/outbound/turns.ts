/** Keeps the starts of calls apart, also those of several processes. */
export interface Turns {
  /** Takes the next turn where it has come, and gives 0; else gives the milliseconds until it comes. */
  take(minIntervalMs: number): number;
}

export interface TurnsOptions {
  /** When the next turn comes, in microseconds of the clock; 0 at first. Processes that take turns together share it. */
  readonly nextAt: BigInt64Array;
  /** A clock that never goes back, and that all who share the memory have in common, milliseconds. */
  readonly now: () => number;
}

/** Of the interval, what the others are let go first by: more than timers are late. */
const COURTESY = 0.02;

/**
 * A turn is taken at the moment of the start and not ahead of it: a start that is late makes the next one later, and
 * who dies or gives up while waiting leaves nothing behind. Whoever had the last turn comes for the next one a little
 * later than the others, who could else be late by a moment each time.
 */
export function createTurns({ nextAt, now }: TurnsOptions): Turns {
  /** The next turn as the last one that was taken here has set it. */
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
