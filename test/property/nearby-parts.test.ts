import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundTo } from '../../src/core/rounding.js';
import { nthSmallest } from '../../src/query/around/nth-smallest.js';
import { sortNeighbours } from '../../src/query/around/sort-neighbours.js';
import { hundredthsLength, toHundredths, writeHundredths } from '../../src/query/hundredths.js';
import { evenly } from '../support/evenly.js';

/** The number as the bytes of a body have it. */
function written(value: number): string {
  const hundredths = toHundredths(value);
  const bytes = Buffer.alloc(20, 'x');
  const end = writeHundredths(bytes, 3, hundredths);
  expect(end - 3).toBe(hundredthsLength(hundredths));
  expect(bytes.subarray(end).toString()).toBe('x'.repeat(20 - end));
  return bytes.subarray(3, end).toString();
}

test('a distance is written as JSON writes it rounded to two decimals, halves included', () => {
  const anything = evenly(0, 100_000);
  const halves = fc.nat(10_000_000).map((thousandths) => thousandths / 1000);
  const tiny = fc.double({ min: 0, max: 1e-6, noNaN: true });
  const property = fc.property(fc.oneof(anything, halves, tiny), (value) => {
    expect(written(value)).toBe(JSON.stringify(roundTo(value, 2)));
  });
  fc.assert(property, { numRuns: 1000 });
});

test.each([
  [0, '0'],
  [1.005, '1.01'],
  [0.095, '0.1'],
  [9.995, '10'],
  [49.999, '50'],
  [12.3, '12.3'],
  [1234.56, '1234.56'],
])('%d is written as %s', (value, text) => expect(written(value)).toBe(text));

test('the nth smallest is what stands there when all are sorted', () => {
  const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ min: 0, max: 1e9, noNaN: true })), {
    minLength: 1,
    maxLength: 200,
  });
  const property = fc.property(values, fc.nat(), fc.nat(5), (list, seed, spare) => {
    const position = seed % list.length;
    const array = Float64Array.from([...list, ...Array<number>(spare).fill(-1)]);
    expect(nthSmallest(array, list.length, position)).toBe(list.toSorted((a, b) => a - b)[position]);
  });
  fc.assert(property, { numRuns: 1000 });
});

test('few and many neighbours are sorted nearest first, ties by row', () => {
  const distances = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 400, size: 'max' });
  const property = fc.property(distances, (list) => {
    const rows = list.map((miles, at) => ({
      row: (at * 7919) % 10_007,
      distanceMiles: miles / 8,
      hundredths: Math.round(miles * 12.5),
    }));
    const expected = rows.toSorted((a, b) => a.hundredths - b.hundredths || a.row - b.row);
    expect(sortNeighbours(rows)).toEqual(expected);
  });
  fc.assert(property, { numRuns: 200 });
});
