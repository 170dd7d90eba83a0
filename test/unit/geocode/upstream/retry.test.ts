import { describe, expect, test } from 'vitest';
import { againAfterMs } from '../../../../src/geocode/upstream/retry.js';
import { CallError } from '../../../../src/outbound/call-error.js';
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

  test('may be of any length for a caller that wants to know', () => {
    expect(parseRetryAfter('86400', NOW_MS, Number.POSITIVE_INFINITY)).toBe(86_400_000);
  });
});

test('waits grow, differ from caller to caller, and come after the rest that was asked for', () => {
  const failed = new CallError('unreachable');
  const waits = [1, 2, 3].map((attempt) => againAfterMs(failed, attempt, () => 1));
  expect(waits).toEqual([250, 500, undefined]);
  expect(againAfterMs(failed, 2, () => 0.1)).toBe(50);
  expect(againAfterMs(new CallError('status-429', 3000), 1, () => 0)).toBeGreaterThan(3000);
});
