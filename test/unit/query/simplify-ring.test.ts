import { describe, expect, it } from 'vitest';
import { UNITS_PER_DEGREE } from '../../../src/core/coordinates.js';
import { signedArea } from '../../../src/core/signed-area.js';
import type { Ring } from '../../../src/query/outline/ring.js';
import { findJunctions } from '../../../src/query/outline/shared-borders.js';
import { simplifyRing } from '../../../src/query/outline/simplify-ring.js';
import { thinLine } from '../../../src/query/outline/thin-line.js';
import { plainOutlines, ringOf } from '../../support/plain-outlines.js';
import { edgesOfOutline, unmatchedEdges } from '../synthetic/edges.js';

type Corners = readonly (readonly [x: number, y: number])[];

/** The tracts' rings, one a tract, as they are shown at a tolerance. */
function simplified(tracts: readonly Corners[], toleranceDegrees: number): Ring[] {
  const rows = tracts.map((corners) => [ringOf(corners)]);
  const everyRow = rows.map((_, row) => row);
  const borders = findJunctions(plainOutlines(rows), everyRow);
  return rows.flat().map((ring) => simplifyRing(ring, borders, toleranceDegrees * UNITS_PER_DEGREE));
}

const reversed = (corners: Corners): Corners => [...corners].reverse();
const edgesOf = (rings: readonly Ring[]) => [...edgesOfOutline({ rings })];
const cornersOf = (ring: Ring) => ring.length / 2 - 1;

describe('a shared border', () => {
  it('with equally far vertices keeps the same one for both of its tracts, which run along it in opposite directions', () => {
    const border: Corners = [
      [0, 0],
      [2, 1],
      [8, 1],
      [10, 0],
    ];
    const above: Corners = [...reversed(border), [0, 9], [10, 9]];
    const below: Corners = [...border, [10, -9], [0, -9]];
    const [upper = ringOf([]), lower = ringOf([])] = simplified([above, below], 0.9);
    const outer = unmatchedEdges(edgesOf([upper, lower]));
    expect(outer.filter(([, ay, , by]) => Math.abs(ay) <= 1e7 && Math.abs(by) <= 1e7)).toEqual([]);
    expect(cornersOf(lower)).toBe(5);
  });

  it('of a tract with four corners is thinned as its neighbour’s is', () => {
    const border: Corners = [
      [0, 0],
      [2, 1],
      [8, 1],
      [10, 0],
    ];
    const rings = simplified(
      [
        border,
        [...reversed(border), [0, 9], [10, 9]],
        [
          [0, 0],
          [10, 0],
          [5, -9],
        ],
      ],
      0.9,
    );
    expect(cornersOf(rings[0] ?? ringOf([]))).toBe(3);
    expect(unmatchedEdges(edgesOf(rings)).filter(([, ay, , by]) => Math.abs(ay) <= 1e7 && Math.abs(by) <= 1e7)).toEqual(
      [],
    );
  });

  it('around an enclosed tract is the same for the tract and for the hole around it', () => {
    const lake: Corners = Array.from({ length: 40 }, (_, at) => {
      const angle = (at / 40) * 2 * Math.PI;
      return [5 + 2 * Math.cos(angle), 5 + Math.sin(3 * angle)] as const;
    });
    const outer = ringOf([
      [0, 0],
      [0, 10],
      [10, 10],
      [10, 0],
    ]);
    const rows = [[outer, ringOf(reversed(lake))], [ringOf([...lake.slice(13), ...lake.slice(0, 13)])]];
    const borders = findJunctions(plainOutlines(rows), [0, 1]);
    const [hole, island] = [rows[0]?.[1] ?? ringOf([]), rows[1]?.[0] ?? ringOf([])].map((ring) =>
      simplifyRing(ring, borders, 0.5 * UNITS_PER_DEGREE),
    );
    expect(unmatchedEdges(edgesOf([hole ?? ringOf([]), island ?? ringOf([])]))).toEqual([]);
    expect(cornersOf(island ?? ringOf([]))).toBeLessThan(20);
  });
});

describe('a tract narrower than the tolerance', () => {
  it('between two neighbours keeps an inside, and its neighbours the same borders', () => {
    const upperBank: Corners = [
      [0, 0],
      [5, 0.2],
      [10, 0],
    ];
    const lowerBank: Corners = [
      [0, 0],
      [5, -0.1],
      [10, 0],
    ];
    const river: Corners = [...upperBank, [5, -0.1]];
    const above: Corners = [...reversed(upperBank), [0, 9], [10, 9]];
    const below: Corners = [...lowerBank, [10, -9], [0, -9]];
    const rings = simplified([river, above, below], 1);
    expect(signedArea(rings[0] ?? ringOf([]))).not.toBe(0);
    expect(unmatchedEdges(edgesOf(rings)).filter(([, ay, , by]) => Math.abs(ay) < 1e7 && Math.abs(by) < 1e7)).toEqual(
      [],
    );
  });

  it('without neighbours keeps the vertices that lie farthest apart', () => {
    const sliver: Corners = [
      [0, 0],
      [4, 0.2],
      [9, 0.1],
      [10, 0],
      [5, -0.3],
    ];
    const [ring = ringOf([])] = simplified([sliver], 5);
    expect(cornersOf(ring)).toBe(4);
    expect(signedArea(ring)).not.toBe(0);
  });

  it('that has three corners stays as it is', () => {
    const triangle: Corners = [
      [0, 0],
      [0.1, 0.1],
      [0.2, 0],
    ];
    expect(simplified([triangle], 5)).toEqual([ringOf(triangle)]);
  });
});

it('a vertex beyond the end of a stretch is as far away as that end, although it lies in the line of the stretch', () => {
  const spike = [Float64Array.of(0, 100, 10), Float64Array.of(0, 0, 0)] as const;
  expect([...thinLine(...spike, 80)]).toEqual([1, 1, 1]);
  const between = [Float64Array.of(0, 1, 5, 10), Float64Array.of(0, 0, 0, 0)] as const;
  expect([...thinLine(...between, 80)]).toEqual([1, 0, 0, 1]);
});
