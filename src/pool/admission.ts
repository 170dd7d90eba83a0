import { createExpectedTimes } from './expected-times.js';
import { createLoopTurns, LOOP_CLOCK } from './loop-turns.js';
import type { Task } from './protocol.js';
import { LONG_TURN_MS } from './take-batch.js';
import { createWorkLimit } from './work-limit.js';

/** Who is let into a pool: as much as its threads can do before those who wait would rather be told to come again. */
export interface Admission {
  /** Lets a task in, and gives what it will take, about, milliseconds; undefined where too much waits already. */
  admit(task: Task): number | undefined;
  /** One that was let in with so many milliseconds is answered, or given up. */
  leave(expectedMs: number): void;
  /** A query took so long. */
  tookMs(task: Task, milliseconds: number): void;
  /** Nothing waits any more and a thread is free. */
  idle(): void;
  /** A thread is given something to do. */
  busy(): void;
  /** How long the turn of the event loop before this one took; 0 where it had nothing to do in between. */
  lastTurnMs(): number;
}

export interface AdmissionOptions {
  readonly threads: number;
  /** Tasks that may wait for a thread; fewer where they take long, see {@link createWorkLimit}. */
  readonly queueMaxTasks: number;
  readonly now: () => number;
}

export function createAdmission({ threads, queueMaxTasks, now }: AdmissionOptions): Admission {
  const limit = createWorkLimit(threads, now);
  const expected = createExpectedTimes();
  const turns = createLoopTurns(LOOP_CLOCK);
  /** Tasks that are not answered yet, waiting or with a thread, and what they take in all. */
  let openCount = 0;
  let openMs = 0;

  return {
    admit: (task) => {
      turns.ask();
      if (openCount >= threads + queueMaxTasks) return undefined;
      const expectedMs = expected.expectMs(task);
      const ahead = { count: openCount, ms: openMs, socketMs: turns.behindMs(), together: turns.together() };
      if (!limit.admits(ahead, expectedMs)) return undefined;
      openCount++;
      openMs += expectedMs;
      return expectedMs;
    },
    leave: (expectedMs) => {
      openCount--;
      // Sums of fractions drift; nothing open is no work at all.
      openMs = openCount === 0 ? 0 : openMs - expectedMs;
    },
    tookMs: expected.tookMs,
    idle: limit.idle,
    busy: () => limit.busy(turns.lastMs() >= LONG_TURN_MS),
    lastTurnMs: turns.lastMs,
  };
}
