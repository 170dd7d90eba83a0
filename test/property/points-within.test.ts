import fc from 'fast-check';
import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { describe, expect, test } from 'vitest';
import { distanceMiles, KM_PER_STATUTE_MILE, type LatLng } from '../../src/core/coordinates.js';
import { roundTo } from '../../src/core/rounding.js';
import { type IndexedPoints, pointsWithin } from '../../src/query/around/points-within.js';
import { degrees, pointIn } from '../support/arbitrary-points.js';

/** One KD-tree over all points. */
function inOneTree(points: readonly LatLng[]): IndexedPoints {
  return { ...columns(points), trees: [{ index: treeOver(points) }] };
}

/** A tree of every third point from the first on, from the second on, from the third on. */
function inThreeTrees(points: readonly LatLng[]): IndexedPoints {
  const trees = [0, 1, 2].map((first) => {
    const rows = Uint32Array.from(points.keys()).filter((row) => row % 3 === first);
    return { index: treeOver(points.filter((_, row) => row % 3 === first)), rows };
  });
  return { ...columns(points), trees };
}

function treeOver(points: readonly LatLng[]): KDBush {
  const index = new KDBush(points.length, 8);
  for (const { lat, lng } of points) index.add(lng, lat);
  return index.finish();
}

const columns = (points: readonly LatLng[]) => ({
  lats: Float64Array.from(points, ({ lat }) => lat),
  lngs: Float64Array.from(points, ({ lng }) => lng),
});

/** All points within, by looking at every one. */
function naive(points: readonly LatLng[], center: LatLng, radiusMiles: number) {
  return points
    .map((point, row) => ({ row, distanceMiles: distanceMiles(center, point) }))
    .filter((neighbour) => neighbour.distanceMiles <= radiusMiles)
    .map((neighbour) => ({ ...neighbour, hundredths: Math.round(roundTo(neighbour.distanceMiles, 2) * 100) }))
    .sort((a, b) => a.hundredths - b.hundredths || a.row - b.row);
}

const regions = {
  'a city': pointIn(45, 45.2, -93.2, -93),
  'the middle of the country': pointIn(44, 46, -94, -92),
  'the equator': pointIn(-1, 1, -1, 1),
  'south of it': pointIn(-15, -14, -171, -170),
  'both sides of the antimeridian': fc.oneof(pointIn(51, 53, 179, 180), pointIn(51, 53, -180, -179)),
  'where the plane of degrees is given up for the sphere': pointIn(73, 76, 10, 14),
  'the north pole': pointIn(89, 90, -180, 180),
  'the whole earth': pointIn(-90, 90, -180, 180),
};

for (const [place, point] of Object.entries(regions)) {
  test(`each page, with the total, is that of a scan of all points, in one tree or several: ${place}`, () => {
    const property = fc.property(
      fc.array(point, { maxLength: 400, size: 'max' }),
      point,
      fc.oneof(degrees(0.001, 50), degrees(0.001, 5), fc.constant(50)),
      fc.nat(20),
      fc.oneof(fc.constant(0), fc.nat(60)),
      (points, center, radiusMiles, moreThanOne, offset) => {
        const query = { center, radiusMiles, limit: 1 + moreThanOne, offset };
        const expected = naive(points, center, radiusMiles);
        const answer = { total: expected.length, page: expected.slice(offset, offset + query.limit) };
        expect(pointsWithin(inOneTree(points), query)).toEqual(answer);
        expect(pointsWithin(inThreeTrees(points), query)).toEqual(answer);
      },
    );
    fc.assert(property, { numRuns: 80 });
  });

  test(`a point exactly as far away as the radius is within, and just below it is not: ${place}`, () => {
    const property = fc.property(fc.array(point, { minLength: 1, maxLength: 100 }), point, (points, center) => {
      const distances = points
        .map((other) => distanceMiles(center, other))
        .filter((miles) => miles > 0 && miles <= 100);
      for (const radiusMiles of distances.flatMap((miles) => [miles, miles * (1 - Number.EPSILON)])) {
        const expected = naive(points, center, radiusMiles);
        const found = pointsWithin(inOneTree(points), { center, radiusMiles, limit: 1000, offset: 0 });
        expect(found).toEqual({ total: expected.length, page: expected });
      }
    });
    fc.assert(property, { numRuns: 25 });
  });

  test(`the nearest are those that geokdbush gives: ${place}`, () => {
    const property = fc.property(
      fc.array(point, { minLength: 1, maxLength: 400, size: 'max' }),
      point,
      degrees(0.001, 50),
      fc.integer({ min: 1, max: 30 }),
      (points, center, radiusMiles, limit) => {
        const indexed = inOneTree(points);
        const { page } = pointsWithin(indexed, { center, radiusMiles, limit, offset: 0 });
        const found = around(treeOver(points), center.lng, center.lat, limit, radiusMiles * KM_PER_STATUTE_MILE);
        // It has no order among ties, and rounds otherwise at the rim: distances are compared.
        const miles = found.map((row) => distanceMiles(center, points[row] ?? center));
        expect(Math.abs(page.length - miles.length)).toBeLessThanOrEqual(onTheRim(points, center, radiusMiles));
        for (const [at, distance] of miles.slice(0, page.length).entries()) {
          // In hundredths of a mile, as the page is ordered.
          expect(Math.abs((page[at]?.distanceMiles ?? Number.NaN) - distance)).toBeLessThan(0.0100001);
        }
      },
    );
    fc.assert(property, { numRuns: 40 });
  });
}

const onTheRim = (points: readonly LatLng[], center: LatLng, radiusMiles: number): number =>
  points.filter((point) => Math.abs(distanceMiles(center, point) - radiusMiles) < 1e-6).length;

describe('many points at one place', () => {
  const [here, there] = [
    { lat: 40, lng: -100 },
    { lat: 40.01, lng: -100 },
  ];
  const points = Array.from({ length: 6000 }, (_, row) => (row % 2 === 0 ? there : here));
  const query = { center: here, radiusMiles: 5, limit: 10 };

  test('more ties than candidates are wanted are put in the order of rows', () => {
    const { total, page } = pointsWithin(inOneTree(points), { ...query, offset: 0 });
    expect(total).toBe(6000);
    expect(page.map(({ row }) => row)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
  });

  test('a page far behind, or behind the end, is right, too', () => {
    const { page } = pointsWithin(inThreeTrees(points), { ...query, offset: 2995 });
    expect(page.map(({ row }) => row)).toEqual([5991, 5993, 5995, 5997, 5999, 0, 2, 4, 6, 8]);
    expect(pointsWithin(inOneTree(points), { ...query, offset: 6000 })).toEqual({ total: 6000, page: [] });
  });
});

test('a point without a place is nowhere', () => {
  const points = [
    { lat: 40, lng: -100 },
    { lat: Number.NaN, lng: Number.NaN },
  ];
  const center = { lat: 40, lng: -100 };
  expect(pointsWithin(inOneTree(points), { center, radiusMiles: 50, limit: 5, offset: 0 }).total).toBe(1);
});

test.each([40, 80])(
  'where there are no points there are none within, nor does the search hang: at %i° north',
  (lat) => {
    const query = { center: { lat, lng: -100 }, radiusMiles: 50, limit: 5, offset: 0 };
    expect(pointsWithin({ ...columns([]), trees: [] }, query)).toEqual({ total: 0, page: [] });
    expect(pointsWithin(inOneTree([]), query)).toEqual({ total: 0, page: [] });
  },
);
