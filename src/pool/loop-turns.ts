/**
 * Measures the turns of the event loop in which tasks arrive, to tell how far the loop is behind: requests that wait in
 * sockets are counted nowhere else.
 */
export interface LoopTurns {
  /** To be called for each task that arrives. */
  ask(): void;
  /**
   * How long a task that arrives now may have waited in its socket: an upper bound, milliseconds. It came after the previous
   * turn had read the sockets. A loop that has been idle since then is not behind.
   */
  behindMs(): number;
  /** Milliseconds from the beginning of the previous turn to that of this one; 0 if the loop has been idle in between. */
  lastMs(): number;
  /** How many tasks arrived in this turn or, if those were more, in the one right before it. */
  together(): number;
}

/** Monotonic clocks, milliseconds. */
export interface LoopClock {
  now(): number;
  /** The event loop's total idle time. */
  idle(): number;
}

export const LOOP_CLOCK: LoopClock = {
  now: () => performance.now(),
  idle: () => performance.nodeTiming.idleTime,
};

/** Less idle time than this is no idleness: even a busy loop counts some microseconds a turn as idle. */
const IDLE_MIN_MS = 0.5;

export function createLoopTurns(clock: LoopClock): LoopTurns {
  let open = false;
  let beganAtMs = clock.now();
  let idleMs = clock.idle();
  /** How long the previous turn began before this one, and how many tasks arrived in it; 0 after an idle time. */
  let beforeMs = 0;
  let countBefore = 0;
  let count = 0;

  const begin = (): void => {
    open = true;
    setImmediate(() => {
      open = false;
    });
    const [nowMs, idleNowMs] = [clock.now(), clock.idle()];
    const isBehind = idleNowMs - idleMs < IDLE_MIN_MS;
    beforeMs = isBehind ? nowMs - beganAtMs : 0;
    countBefore = isBehind ? count : 0;
    count = 0;
    beganAtMs = nowMs;
    idleMs = idleNowMs;
  };
  return {
    ask: () => {
      if (!open) begin();
      count++;
    },
    behindMs: () => beforeMs + clock.now() - beganAtMs,
    lastMs: () => beforeMs,
    together: () => Math.max(count, countBefore),
  };
}
