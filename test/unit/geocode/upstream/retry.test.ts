import { describe, expect, test } from 'vitest';
import { retryDelayMs } from '../../../../src/geocode/upstream/retry.js';
import { parseRetryAfter } from '../../../../src/outbound/retry-after.js';

const NOW_MS = Date.parse('2024-05-01T12:00:00Z');

describe('Retry-After', () => {
  test.each([
    ['120', 120_000],
    ['0', 0],
    ['Wed, 01 May 2024 12:00:30 GMT', 30_000],
    ['Wed, 01 May 2024 11:00:00 GMT', 0],
    ['86400', 600_000],
    ['99999999999999999999', 600_000],
    ['soon', undefined],
    ['-5s', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j is %j milliseconds', (header, restMs) => {
    expect(parseRetryAfter(header, NOW_MS)).toBe(restMs);
  });
});

test('waits grow, differ from caller to caller, and come after the rest that was asked for', () => {
  const waits = [1, 2, 3].map((attempt) => retryDelayMs(attempt, undefined, () => 1));
  expect(waits).toEqual([250, 500, 1000]);
  expect(retryDelayMs(2, undefined, () => 0.1)).toBe(50);
  expect(retryDelayMs(1, 3000, () => 0)).toBeGreaterThan(3000);
});
