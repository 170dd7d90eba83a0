import { expect, test } from 'vitest';
import { signedArea } from '../../../src/core/signed-area.js';

/** An L of 6 square units, counter-clockwise, moved by so much. */
const bent = (x: number, y: number): number[] =>
  [0, 0, 4, 0, 4, 1, 1, 1, 1, 3, 0, 3, 0, 0].map((at, index) => at + (index % 2 === 0 ? x : y));
const reversed = (ring: readonly number[]): number[] =>
  ring.flatMap((_, at) => (at % 2 === 0 ? ring.slice(ring.length - at - 2, ring.length - at) : []));

test.each([
  [0, 0],
  [-1_700_000_000, 650_000_000],
  [2_000_000_000, -900_000_000],
])('a ring has its area wherever it is, negative if it runs clockwise: %i, %i', (x, y) => {
  expect(signedArea(Int32Array.from(bent(x, y)))).toBe(6);
  expect(signedArea(Int32Array.from(reversed(bent(x, y))))).toBe(-6);
});

test('a ring that goes back the way it came, or has no position, has none', () => {
  expect(signedArea(Int32Array.of(0, 0, 5, 2, 0, 0))).toBe(0);
  expect(signedArea(new Int32Array(0))).toBe(0);
});
