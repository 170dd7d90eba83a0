import { expect, test } from 'vitest';
import type { Failed, NoResponse } from '../../../src/webhooks/attempt.js';
import { afterFailure, type Standing } from '../../../src/webhooks/delivery/after-failure.js';
import { DELIVERY_LIMITS } from '../../../src/webhooks/delivery/delivery-limits.js';

const FIRST: Standing = { failedAttempts: 0, failuresInARow: 0, deadLetters: 1 };
const afterOutcome = (outcome: Failed, standing: Partial<Standing> = {}) =>
  afterFailure(outcome, { ...FIRST, ...standing }, DELIVERY_LIMITS);
const status = (code: number): Failed => ({ status: code, failure: 'status', durationMs: 1 });
const failed = (failure: NoResponse): Failed => ({ status: null, failure, durationMs: 1 });
const after = (failure: NoResponse, standing?: Partial<Standing>) => afterOutcome(failed(failure), standing);
const givenUp = (afterMs: number, pause?: 'failures' | 'dead-letters') => ({ kind: 'give-up', afterMs, pause });

test.each([status(500), status(599), failed('timeout'), failed('network'), failed('dns'), failed('certificate')])(
  '$failure ($status) is tried again after 1 s, then after 2 s, and is then given up',
  (outcome) => {
    expect(afterOutcome(outcome)).toEqual({ kind: 'retry', afterMs: 1000 });
    expect(afterOutcome(outcome, { failedAttempts: 1 })).toEqual({ kind: 'retry', afterMs: 2000 });
    expect(afterOutcome(outcome, { failedAttempts: 2 })).toEqual(givenUp(0));
  },
);

test.each([status(499), status(302), failed('refused'), failed('secret')])(
  '$failure ($status) is given up at once',
  (outcome) => {
    expect(afterOutcome(outcome)).toEqual(givenUp(0));
  },
);

test.each([
  [0, 0],
  [1, 10_000],
  [2, 20_000],
  [8, 1_280_000],
])('after %i events in a row that were given up, one more means a rest of %i ms', (failuresInARow, restMs) => {
  expect(after('refused', { failuresInARow })).toEqual(givenUp(restMs));
});

test('the tenth event in a row pauses, and so does the thousandth dead letter, but a failed replay does not', () => {
  expect(after('refused', { failuresInARow: 9 })).toEqual(givenUp(2_560_000, 'failures'));
  expect(after('refused', { deadLetters: 999 })).toEqual(givenUp(0));
  expect(after('refused', { deadLetters: 1000 })).toEqual(givenUp(0, 'dead-letters'));
  expect(after('refused', { deadLetters: undefined })).toEqual(givenUp(0));
  expect(after('refused', { deadLetters: undefined, failuresInARow: 9 })).toMatchObject({ pause: 'failures' });
  expect(after('refused', { deadLetters: 1000, failuresInARow: 9 })).toMatchObject({ pause: 'failures' });
  expect(after('timeout', { deadLetters: 1000, failuresInARow: 9 })).toEqual({ kind: 'retry', afterMs: 1000 });
});
