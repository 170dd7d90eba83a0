import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundTo } from '../../src/core/rounding.js';
import { evenly } from '../support/evenly.js';

const MAX_DECIMALS = 7;

/** Rounds a number as it is written, with whole numbers alone. */
function roundOnPaper(value: number, decimals: number): number {
  const [whole = '', fraction = ''] = String(Math.abs(value)).split('.');
  const unit = 10n ** BigInt(fraction.length);
  const units = BigInt(whole + fraction) * 10n ** BigInt(decimals);
  const rounded = Number(`${(2n * units + unit) / (2n * unit)}e-${decimals}`);
  return value < 0 ? -rounded : rounded;
}

const decimals = fc.integer({ min: 0, max: MAX_DECIMALS });
/** Halves between two decimals, some of which no double is equal to. */
const half = fc
  .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), decimals)
  .map(([whole, places]) => Number(`${whole * 10 + 5}e-${places + 1}`));
const difference = fc
  .tuple(fc.integer({ max: 10_000_000 }), fc.integer({ max: 10_000_000 }))
  .map(([a, b]) => a / 100 - b / 100);
const any = fc.oneof(evenly(-1e8, 1e8), fc.double({ min: -1e8, max: 1e8, noNaN: true }));
/** More figures are noise: a double holds no more. */
const FIGURES = 15;

test('a number is rounded as on paper, by its shortest decimal form, halves away from zero', () => {
  fc.assert(
    fc.property(fc.oneof(half, difference, any), decimals, (given, places) => {
      const value = Number(given.toPrecision(FIGURES));
      fc.pre(!String(value).includes('e'));
      expect(roundTo(value, places)).toBe(roundOnPaper(value, places));
    }),
    { numRuns: 20_000 },
  );
});

test.each([
  [1.005, 2, 1.01],
  [-1.005, 2, -1.01],
  [0.285, 2, 0.29],
  // Its product with 100, a double again, falls short of the half.
  [135_000_001.015, 2, 135_000_001.02],
  [1e-9, 4, 0],
  [-0.00001, 4, -0],
  [1e21, 2, 1e21],
  [Number.NaN, 2, Number.NaN],
])('%d to %d decimals is %d', (value, places, rounded) => {
  expect(roundTo(value, places)).toBe(rounded);
});
