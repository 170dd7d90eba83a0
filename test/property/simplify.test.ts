import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UNITS_PER_DEGREE } from '../../src/core/coordinates.js';
import { signedArea } from '../../src/core/signed-area.js';
import type { Ring } from '../../src/query/outline/ring.js';
import { findJunctions } from '../../src/query/outline/shared-borders.js';
import { simplifyRing } from '../../src/query/outline/simplify-ring.js';
import { plainOutlines } from '../support/plain-outlines.js';
import { edgesOfOutline, twiceArea, unmatchedEdges } from '../unit/synthetic/edges.js';
import { record } from '../unit/synthetic/recorder.js';

/** Bays and islands; a small dense state; tracts on both sides of the antimeridian. */
const statesOfMaps = [['10'], ['11', '44'], ['15']];
const { outlines } = record({ states: new Set(statesOfMaps.flat()), seed: 1 });
const maps = statesOfMaps.map((states) =>
  [...outlines].filter(([geoid]) => states.includes(geoid.slice(0, 2))).map(([, { rings }]) => rings),
);

const map = fc.constantFrom(...maps);
const toleranceDegrees = fc.oneof(
  fc.constantFrom(0.000001, 0.0001, 0.001, 0.01),
  fc.double({ min: 1e-7, max: 0.01, noNaN: true }),
);

/** The rings of some rows as they are shown at a tolerance. */
function simplified(rows: readonly (readonly Ring[])[], wanted: readonly number[], degrees: number): Ring[][] {
  const borders = findJunctions(plainOutlines(rows), wanted);
  return wanted.map((row) => (rows[row] ?? []).map((ring) => simplifyRing(ring, borders, degrees * UNITS_PER_DEGREE)));
}

const everyRow = (rows: readonly unknown[]): number[] => rows.map((_, row) => row);

describe('simplified outlines', () => {
  it('share every border inside with the neighbour, and cover together what their outer border encloses', () => {
    const property = fc.property(map, toleranceDegrees, (rows, degrees) => {
      const shown = simplified(rows, everyRow(rows), degrees);
      const edges = shown.flatMap((rings) => [...edgesOfOutline({ rings })]);
      const outer = unmatchedEdges(edges);
      // What has no neighbour now had none before: no gap has opened along a border that was shared.
      const before = new Set(
        unmatchedEdges(rows.flatMap((rings) => [...edgesOfOutline({ rings })])).flatMap(([ax, ay, bx, by]) => [
          `${ax},${ay}`,
          `${bx},${by}`,
        ]),
      );
      const inner = outer.filter(([ax, ay, bx, by]) => !before.has(`${ax},${ay}`) || !before.has(`${bx},${by}`));
      expect(inner).toEqual([]);
      expect(twiceArea(edges)).toBe(twiceArea(outer));
    });
    fc.assert(property, { numRuns: 15 });
  });

  it('are the same for a tract whichever others are asked for', () => {
    const property = fc.property(map, toleranceDegrees, fc.infiniteStream(fc.nat()), (rows, degrees, picks) => {
      const all = simplified(rows, everyRow(rows), degrees);
      const [a = 0, b = 0, c = 0] = [...picks.take(3)].map((pick) => pick % rows.length);
      for (const wanted of [[a], [a, b], [a, b, c]]) {
        expect(simplified(rows, wanted, degrees)).toEqual(wanted.map((row) => all[row]));
      }
    });
    fc.assert(property, { numRuns: 15 });
  });

  it('leave out no vertex farther than the tolerance, keep at least a triangle with an inside, and invent no vertex', () => {
    const property = fc.property(map, toleranceDegrees, fc.nat(), (rows, degrees, pick) => {
      const row = pick % rows.length;
      const [rings = []] = simplified(rows, [row], degrees);
      (rows[row] ?? []).forEach((ring, at) => {
        const shown = rings[at] ?? new Int32Array();
        const positions = positionsOf(shown);
        expect(positions.length).toBeGreaterThanOrEqual(4);
        expect(positions.at(-1)).toEqual(positions[0]);
        expect(signedArea(shown)).not.toBe(0);
        const own = new Set(positionsOf(ring).map(String));
        expect(positions.filter((position) => !own.has(String(position)))).toEqual([]);
        for (const [x, y] of positionsOf(ring)) {
          expect(distanceToRing(positions, x, y)).toBeLessThanOrEqual(degrees * UNITS_PER_DEGREE * (1 + 1e-9));
        }
      });
    });
    fc.assert(property, { numRuns: 40 });
  });

  it('have fewer vertices the greater the tolerance', () => {
    for (const rows of maps) {
      const sizes = [0.0001, 0.001, 0.01].map((degrees) =>
        simplified(rows, everyRow(rows), degrees)
          .flat()
          .reduce((sum, ring) => sum + ring.length, 0),
      );
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      expect(new Set(sizes).size).toBe(sizes.length);
    }
  });
});

function positionsOf(ring: Ring): (readonly [number, number])[] {
  return Array.from({ length: ring.length / 2 }, (_, at) => [ring[at * 2] ?? 0, ring[at * 2 + 1] ?? 0] as const);
}

function distanceToRing(positions: readonly (readonly [number, number])[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  positions.slice(1).forEach(([bx, by], at) => {
    const [ax, ay] = positions[at] ?? [bx, by];
    const squaredLength = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = squaredLength === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squaredLength;
    const share = Math.max(0, Math.min(1, along));
    least = Math.min(least, Math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay)));
  });
  return least;
}
