import { setImmediate as turnsEnd } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLoopTurns } from '../../../src/pool/loop-turns.js';

/** Turns over clocks that the test moves. */
function setUp() {
  const clock = { nowMs: 1000, idleMs: 0 };
  const turns = createLoopTurns({ now: () => clock.nowMs, idle: () => clock.idleMs });
  return {
    turns,
    /** Something comes after so long. */
    askAfter: (milliseconds: number, idleMs = 0) => {
      clock.nowMs += milliseconds;
      clock.idleMs += idleMs;
      turns.ask();
    },
  };
}

test('a task that arrives after an idle time may have waited since this turn began', async () => {
  const { turns, askAfter } = setUp();
  askAfter(500, 499);
  expect(turns.behindMs()).toBe(0);
  askAfter(3);
  expect(turns.behindMs()).toBe(3);
  await turnsEnd();
  askAfter(200, 0.6);
  expect([turns.behindMs(), turns.lastMs(), turns.together()]).toEqual([0, 0, 1]);
});

test('a task that arrives right after another turn may have waited since that turn began', async () => {
  const { turns, askAfter } = setUp();
  askAfter(500, 499);
  for (let count = 1; count < 7; count++) askAfter(5);
  await turnsEnd();
  // A loop that is busy counts its looks at sockets as idle.
  askAfter(10, 0.005);
  expect([turns.behindMs(), turns.lastMs(), turns.together()]).toEqual([40, 40, 7]);
  askAfter(2);
  expect([turns.behindMs(), turns.lastMs(), turns.together()]).toEqual([42, 40, 7]);
  await turnsEnd();
  askAfter(1);
  expect([turns.behindMs(), turns.lastMs(), turns.together()]).toEqual([3, 3, 2]);
});
