import type { ExpectedTimes } from './expected-times.js';
import { createLoopTurns, LOOP_CLOCK } from './loop-turns.js';
import type { Task } from './protocol.js';
import { LONG_TURN_MS } from './take-batch.js';
import { createWorkLimit } from './work-limit.js';

/**
 * Decides which tasks a pool accepts: as many as its threads can finish before a client would be better served by being
 * told to come again.
 */
export interface Admission {
  /** Admits a task and returns about how many milliseconds it will take; undefined if too much work waits already. */
  admit(task: Task): number | undefined;
  /**
   * To be called before an admitted request is settled: marks it as settled. Returns false if it has been before, when it
   * must not be settled again.
   */
  leave(request: Admitted): boolean;
  /** Records how long a task's query took. */
  tookMs(task: Task, milliseconds: number): void;
  /** To be called when no task waits any more and a thread is free. */
  idle(): void;
  /** To be called when a thread is given a batch. */
  busy(): void;
  /** How long the previous turn of the event loop took; 0 if the loop has been idle since. */
  lastTurnMs(): number;
}

/** A request whose task was admitted. */
export interface Admitted {
  /** What {@link Admission.admit} returned. */
  readonly expectedMs: number;
  isOver: boolean;
}

export interface AdmissionOptions {
  readonly threads: number;
  /** What tasks have taken so far. */
  readonly expected: ExpectedTimes;
  /** How many tasks may wait for a thread; fewer if they take long, see {@link createWorkLimit}. */
  readonly queueMaxTasks: number;
  readonly now: () => number;
}

export function createAdmission({ threads, expected, queueMaxTasks, now }: AdmissionOptions): Admission {
  const limit = createWorkLimit(threads, now);
  const turns = createLoopTurns(LOOP_CLOCK);
  /** How many tasks are unanswered, waiting or with a thread, and how long they are expected to take in total. */
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
    leave: (request) => {
      if (request.isOver) return false;
      request.isOver = true;
      openCount--;
      // A sum of fractions drifts, so it is reset whenever no task is open.
      openMs = openCount === 0 ? 0 : openMs - request.expectedMs;
      return true;
    },
    tookMs: expected.tookMs,
    idle: limit.idle,
    busy: () => limit.busy(turns.lastMs() >= LONG_TURN_MS),
    lastTurnMs: turns.lastMs,
  };
}
