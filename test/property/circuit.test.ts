import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCircuit } from '../../src/outbound/circuit.js';

const FAILURE_LIMIT = 3;
const COOL_DOWN_MS = 100;

/** One call after a wait: what comes of it where it is let through. */
const step = fc.record({
  waitMs: fc.integer({ min: 0, max: 150 }),
  outcome: fc.constantFrom('succeeded', 'failed', 'rest', 'unknown'),
  restMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 })),
});

test('lets all through while closed, none in a rest, one a cool-down while open, and closes on the first success', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let nowMs = 0;
      const circuit = createCircuit({ failureLimit: FAILURE_LIMIT, coolDownMs: COOL_DOWN_MS, now: () => nowMs });
      // What the circuit is to do, told by its history alone.
      let failuresInRow = 0;
      let coolUntilMs = 0;
      let restUntilMs = 0;
      for (const { waitMs, outcome, restMs } of steps) {
        nowMs += waitMs;
        const isOpen = failuresInRow >= FAILURE_LIMIT;
        const mayEnter = nowMs >= restUntilMs && (!isOpen || nowMs >= coolUntilMs);
        expect(circuit.restMs()).toBe(nowMs < restUntilMs ? restUntilMs - nowMs : undefined);
        expect(circuit.tryEnter()).toBe(mayEnter);
        if (!mayEnter) continue;
        if (isOpen) coolUntilMs = nowMs + COOL_DOWN_MS;
        if (outcome === 'succeeded') {
          circuit.succeeded();
          failuresInRow = 0;
        } else if (outcome === 'failed' || (outcome === 'rest' && restMs === 0)) {
          circuit.failed(outcome === 'rest' ? restMs : undefined);
          failuresInRow++;
          coolUntilMs = nowMs + COOL_DOWN_MS;
        } else if (outcome === 'rest') {
          circuit.failed(restMs);
          failuresInRow = FAILURE_LIMIT - 1;
          restUntilMs = nowMs + restMs;
        }
      }
    }),
  );
});
