import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantize } from '../../src/core/coordinates.js';
import { groupBy } from '../../src/core/group-by.js';
import { buildCountyMap } from '../../src/load/synthetic/county-map.js';
import { addVertex, boundsOf, containsPoint, emptyRings, type Rings } from '../../src/load/synthetic/rings.js';
import { createSeams, type Seams } from '../../src/load/synthetic/seams.js';
import { splitRings } from '../../src/load/synthetic/split.js';
import { weave } from '../../src/load/synthetic/weave.js';
import { evenly } from '../support/evenly.js';
import { edgesOfOutline, twiceArea, unmatchedEdges } from '../unit/synthetic/edges.js';
import { record } from '../unit/synthetic/recorder.js';

/** A star around a point, clockwise or counter-clockwise: as concave as its radii make it. */
function addStar(rings: Rings, seams: Seams, center: number, radii: readonly number[], direction: 1 | -1): void {
  const vertices = radii.map((radius, index) => {
    const angle = (direction * 2 * Math.PI * index) / radii.length;
    return [center + Math.round(radius * Math.cos(angle)), center + Math.round(radius * Math.sin(angle))] as const;
  });
  rings.starts.push(rings.xs.length);
  vertices.forEach(([ax, ay], index) => {
    const [bx, by] = vertices[(index + 1) % vertices.length] ?? [ax, ay];
    const forward = ax < bx || (ax === bx && ay < by);
    const edge = forward ? { ax, ay, bx, by } : { ax: bx, ay: by, bx: ax, by: ay };
    addVertex(rings, ax, ay, seams.add(edge));
  });
}

const radius = fc.integer({ min: 40_000, max: 1_000_000 });
const shapes = fc.record({
  outer: fc.array(radius, { minLength: 5, maxLength: 40 }),
  hole: fc.array(fc.integer({ min: 2_000, max: 10_000 }), { minLength: 5, maxLength: 12 }),
  island: fc.array(radius, { minLength: 5, maxLength: 12 }),
  cuts: fc.array(
    fc.tuple(fc.constantFrom('x' as const, 'y' as const), fc.double({ min: 0.01, max: 0.99, noNaN: true })),
    {
      minLength: 1,
      maxLength: 6,
    },
  ),
});

describe('splitting', () => {
  it('divides any polygon with holes and parts without gap or overlap, however often it is cut', () => {
    fc.assert(
      fc.property(shapes, ({ outer, hole, island, cuts }) => {
        const seams = createSeams();
        const whole = emptyRings();
        addStar(whole, seams, 0, outer, -1);
        addStar(whole, seams, 0, hole, 1);
        addStar(whole, seams, 3_000_000, island, -1);
        let pieces: Rings[] = [whole];
        for (const [axis, share] of cuts) {
          pieces = pieces.flatMap((piece) => {
            const { minX, minY, maxX, maxY } = boundsOf(piece);
            const [values, low, high] = axis === 'x' ? [piece.xs, minX, maxX] : [piece.ys, minY, maxY];
            const where = Math.round(low + (high - low) * share);
            if (where <= low || where >= high || values.includes(where)) return [piece];
            return [...splitRings(piece, { axis, where, seam: seams.add() }, seams)];
          });
        }
        const edges = pieces.flatMap((piece) => [...edgesOfOutline({ rings: weave(piece, seams) })]);
        const outline = [...edgesOfOutline({ rings: weave(whole, seams) })];
        // Unmatched in the outline itself too: rounding can close the last unit before a sharp corner to a line.
        expect(unmatchedEdges(edges).map(String).sort()).toEqual(unmatchedEdges(outline).map(String).sort());
        expect(twiceArea(edges)).toBe(twiceArea(outline));
      }),
      { numRuns: 100 },
    );
  });

  it('refuses an outline that crosses itself rather than make tracts that overlap', () => {
    const seams = createSeams();
    const rings = emptyRings();
    addStar(rings, seams, 0, [1000, 1000, 1000, 1000, 1000], -1);
    addStar(rings, seams, 300, [1000, 1000, 1000, 1000, 1000], -1);
    expect(() => splitRings(rings, { axis: 'x', where: 111, seam: seams.add() }, seams)).toThrow('crosses itself');
  });
});

describe('synthetic tracts', () => {
  const states = ['02', '10', '11', '15', '51'];
  const recording = record({ states: new Set(states), seed: 1 });
  const counties = buildCountyMap().counties.filter(({ fips }) => states.includes(fips.slice(0, 2)));

  const edgesByTract = new Map(
    [...recording.outlines].map(([geoid, outline]) => [geoid, [...edgesOfOutline(outline)]]),
  );
  const tractsByCounty = groupBy(edgesByTract.keys(), (geoid) => geoid.slice(0, 5));

  /** The naive scan: how many of the county's tracts a point is in. */
  const tractsAt = (fips: string, x: number, y: number): number =>
    (tractsByCounty.get(fips) ?? []).filter((geoid) => isWithin(edgesByTract.get(geoid) ?? [], x, y)).length;
  const isWithin = (edges: readonly (readonly [number, number, number, number])[], x: number, y: number): boolean =>
    edges.filter(([ax, ay, bx, by]) => ay > y !== by > y && ax + ((bx - ax) * (y - ay)) / (by - ay) < x).length % 2 ===
    1;

  it('hold each point of their county in exactly one of them, and no point outside', () => {
    const share = evenly(0, 1);
    fc.assert(
      fc.property(fc.constantFrom(...counties), share, share, ({ fips, outline }, shareX, shareY) => {
        const { minX, minY, maxX, maxY } = boundsOf(outline);
        const [x, y] = [
          Math.round(minX + (maxX - minX) * shareX) + 0.5,
          Math.round(minY + (maxY - minY) * shareY) + 0.5,
        ];
        expect(tractsAt(fips, x, y)).toBe(containsPoint(outline, x, y) ? 1 : 0);
      }),
      { numRuns: 500 },
    );
  });

  it('have their internal point inside, and land and water of their size', () => {
    for (const [geoid, { lat, lng, landSqm, waterSqm }] of recording.tracts) {
      const edges = edgesByTract.get(geoid) ?? [];
      expect([geoid, isWithin(edges, quantize(lng), quantize(lat))]).toEqual([geoid, true]);
      expect(waterSqm).toBeGreaterThanOrEqual(0);
      const metresPerUnit = 0.0111195;
      const area = (Math.abs(Number(twiceArea(edges))) / 2) * metresPerUnit ** 2 * Math.cos((lat * Math.PI) / 180);
      expect((landSqm + waterSqm) / area).toBeCloseTo(1, 3);
    }
  });
});
