import { expect, test } from 'vitest';
import { indexOutlines } from '../../../src/format/outline-builder.js';
import { partContains } from '../../../src/format/outline-index.js';

/** Consecutive Fibonacci numbers: as edges and points, their cross products are 1 and −1, whatever their size. */
const [F43, F44, F45, F46] = [433_494_437, 701_408_733, 1_134_903_170, 1_836_311_903] as const;
/** The southern end of an edge across 184 degrees of longitude and 113 of latitude, so that both ends are on the globe. */
const [WEST, SOUTH] = [-918_155_951, -567_451_585] as const;

test('a point 10⁻¹⁰ of an edge’s length beside it is on its own side, where products of doubles are equal', () => {
  expect(F46 * F44 - F45 * F45).toBe(0);
  const ends = [WEST, SOUTH, WEST + F46, SOUTH + F45] as const;
  const corner = [WEST, SOUTH + F45] as const;
  const rings = [
    Int32Array.of(...ends, ...corner, WEST, SOUTH),
    Int32Array.of(...corner, ...ends.slice(2), WEST, SOUTH, ...corner),
  ];
  for (const ring of rings) {
    const contains = (x: number, y: number): boolean => partContains(indexOutlines([[ring]]), 0, WEST + x, SOUTH + y);
    expect([contains(F45, F44), contains(F44, F43)]).toEqual([false, true]);
    expect([contains(0, 0), contains(F46, F45)]).toEqual([true, true]);
  }
});
