/**
 * Turns of the event loop in which something is asked, by which it is known how far the loop is behind: what waits in
 * sockets is counted nowhere else.
 */
export interface LoopTurns {
  /** Something is asked. */
  ask(): void;
  /**
   * How long what is asked now may have waited in its socket, milliseconds at most: it came after the turn before had read
   * the sockets. A loop that has had nothing to do since is not behind.
   */
  behindMs(): number;
  /**
   * How long it was from the beginning of the turn before to that of this one; 0 where the loop had nothing to do in
   * between.
   */
  lastMs(): number;
  /** How many were asked in this turn, or in the one right before it where those were more. */
  together(): number;
}

/** Clocks that never go back, milliseconds. */
export interface LoopClock {
  now(): number;
  /** How long the event loop has had nothing to do, in all. */
  idle(): number;
}

export const LOOP_CLOCK: LoopClock = {
  now: () => performance.now(),
  idle: () => performance.nodeTiming.idleTime,
};

/** A loop with something to do counts some microseconds a turn as idle. */
const IDLE_MIN_MS = 0.5;

export function createLoopTurns(clock: LoopClock): LoopTurns {
  let open = false;
  let beganAtMs = clock.now();
  let idleMs = clock.idle();
  /** How long ago the turn before began, then, and how many came in it. */
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
