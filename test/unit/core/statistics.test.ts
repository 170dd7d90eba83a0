import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  rankByThresholds,
  rankInTenths,
  rankInTenthsAmong,
  rankThresholds,
  roundedMean,
  sortedKnown,
} from '../../../src/core/statistics.js';

const ascending = (count: number): Float64Array => Float64Array.from({ length: count }, (_, at) => at);

test('a percentile rank is the share strictly below, a half rounded up where the share as a double is too small too', () => {
  expect(rankInTenths(ascending(400), 203)).toBe(508);
  expect([0, 3, 4].map((value) => rankInTenths(ascending(4), value))).toEqual([0, 750, 1000]);
  expect(rankInTenths(Float64Array.of(1, 2, 2, 3), 2)).toBe(250);
});

test('a value that is missing has no percentile rank, nor has one among none', () => {
  expect([rankInTenths(ascending(4), Number.NaN), rankInTenths(ascending(0), 1)]).toEqual([Number.NaN, Number.NaN]);
});

test('a percentile rank among values that are not sorted is the same, and leaves the missing out', () => {
  for (const value of [0, 203, 399, 400, Number.NaN]) {
    const values = [Number.NaN, ...ascending(400).toReversed(), Number.NaN];
    expect(rankInTenthsAmong(values, value)).toBe(rankInTenths(ascending(400), value));
  }
  expect(rankInTenthsAmong([Number.NaN], 1)).toBe(Number.NaN);
});

test('1000 thresholds give each value the rank that it has among all values, however many these are', () => {
  const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.double()), { maxLength: 3000, size: 'max' });
  fc.assert(
    fc.property(values, fc.array(fc.double()), (among, others) => {
      const sorted = sortedKnown(among);
      const thresholds = rankThresholds(sorted);
      // One expectation for all: one for each of these hundred thousands took nine tenths of the time.
      const ranked = [...among, ...others].map((value) => ({
        value,
        rank: rankByThresholds(thresholds, value),
        expected: rankInTenths(sorted, value),
      }));
      expect(ranked.filter(({ rank, expected }) => !Object.is(rank, expected))).toEqual([]);
    }),
  );
});

test('a mean is rounded half away from zero as on paper, also where doubles fall short of the half or are negative', () => {
  expect(roundedMean([0.0006, Number.NaN, 0.0001], 4)).toBe(0.0004);
  expect([roundedMean([1, 2], 0), roundedMean([-1, -2], 0)]).toEqual([2, -2]);
});
