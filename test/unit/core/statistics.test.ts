import { expect, test } from 'vitest';
import { rankInTenths } from '../../../src/core/statistics.js';

const ascending = (count: number): Float64Array => Float64Array.from({ length: count }, (_, at) => at);

test('a percentile rank is the share strictly below, a half rounded up where the share as a double is too small too', () => {
  expect(rankInTenths(ascending(400), 203)).toBe(508);
  expect([0, 3, 4].map((value) => rankInTenths(ascending(4), value))).toEqual([0, 750, 1000]);
  expect(rankInTenths(Float64Array.of(1, 2, 2, 3), 2)).toBe(250);
});

test('a value that is missing has no percentile rank, nor has one among none', () => {
  expect([rankInTenths(ascending(4), Number.NaN), rankInTenths(ascending(0), 1)]).toEqual([Number.NaN, Number.NaN]);
});
