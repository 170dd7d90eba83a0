import { describe, expect, it } from 'vitest';
import { groupRings } from '../../../src/query/outline/polygons.js';
import { ringOf } from '../../support/plain-outlines.js';

/** A square ring; a negative side turns its winding. */
const square = (x: number, y: number, side: number): Int32Array => {
  const size = Math.abs(side);
  const corners = [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
  ] as const;
  return ringOf(side > 0 ? corners : [...corners].reverse());
};

describe('a tract’s rings', () => {
  it('that lie apart are polygons of their own', () => {
    expect(groupRings([square(0, 0, 1), square(5, 5, 1)])).toEqual([
      { outer: 0, holes: [] },
      { outer: 1, holes: [] },
    ]);
  });

  it.each([
    ['wound as in a shapefile', -1, 1],
    ['wound as in GeoJSON', 1, -1],
    ['all wound alike', 1, 1],
  ])('within another are its holes, and an island in a hole is a polygon (%s)', (_, outer, hole) => {
    const rings = [square(2, 2, hole), square(0, 0, 10 * outer), square(4, 4, 5 * hole), square(5, 5, 2 * outer)];
    expect(groupRings(rings)).toEqual([
      { outer: 1, holes: [0, 2] },
      { outer: 3, holes: [] },
    ]);
  });

  it('are holes even where they touch the ring around them', () => {
    const outer = ringOf([
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
      [0, 2],
    ]);
    const touching = ringOf([
      [0, 2],
      [1, 3],
      [1, 1],
    ]);
    const atEveryCorner = ringOf([
      [2, 0],
      [4, 2],
      [2, 4],
    ]);
    expect(groupRings([outer, touching])).toEqual([{ outer: 0, holes: [1] }]);
    expect(groupRings([atEveryCorner, square(0, 0, 4)])).toEqual([{ outer: 1, holes: [0] }]);
  });

  it('belong to the smallest polygon around them', () => {
    const rings = [square(0, 0, 20), square(1, 1, -18), square(2, 2, 16), square(3, 3, -1)];
    expect(groupRings(rings)).toEqual([
      { outer: 0, holes: [1] },
      { outer: 2, holes: [3] },
    ]);
  });

  it('that touch a polygon from outside are no holes, be they within its box', () => {
    const corner = ringOf([
      [0, 0],
      [4, 0],
      [4, 1],
      [1, 1],
      [1, 4],
      [0, 4],
    ]);
    expect(groupRings([corner, square(1, 1, 2)])).toEqual([
      { outer: 0, holes: [] },
      { outer: 1, holes: [] },
    ]);
  });

  it('of fewer than three sides are left out', () => {
    expect(groupRings([Int32Array.of(0, 0, 1, 1, 0, 0), square(0, 0, 1)])).toEqual([{ outer: 1, holes: [] }]);
    expect(groupRings([])).toEqual([]);
  });
});
