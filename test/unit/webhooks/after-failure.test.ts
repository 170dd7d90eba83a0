import { expect, test } from 'vitest';
import { afterFailure, type Standing } from '../../../src/webhooks/after-failure.js';
import { DELIVERY_LIMITS } from '../../../src/webhooks/delivery-limits.js';
import type { Outcome } from '../../../src/webhooks/sender.js';

const FIRST: Standing = { failedAttempts: 0, failuresInARow: 0, deadLetters: 1 };
const after = (failure: Outcome['failure'], standing: Partial<Standing> = {}, status: number | null = null) =>
  afterFailure({ status, failure, durationMs: 1 }, { ...FIRST, ...standing }, DELIVERY_LIMITS);
const givenUp = (afterMs: number, pause?: 'failures' | 'dead-letters') => ({ kind: 'give-up', afterMs, pause });

test.each([
  ['status', 500],
  ['status', 599],
  ['timeout', null],
  ['network', null],
  ['dns', null],
  ['certificate', null],
] as const)('%s (%s) is tried again after 1 s, then after 2 s, and is then given up', (failure, status) => {
  expect(after(failure, {}, status)).toEqual({ kind: 'retry', afterMs: 1000 });
  expect(after(failure, { failedAttempts: 1 }, status)).toEqual({ kind: 'retry', afterMs: 2000 });
  expect(after(failure, { failedAttempts: 2 }, status)).toEqual(givenUp(0));
});

test.each([
  ['status', 499],
  ['status', 302],
  ['refused', null],
  ['secret', null],
] as const)('%s (%s) is given up at once', (failure, status) => {
  expect(after(failure, {}, status)).toEqual(givenUp(0));
});

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
