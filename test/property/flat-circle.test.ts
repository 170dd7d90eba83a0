import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceMiles, EARTH_RADIUS_KM, KM_PER_STATUTE_MILE, type LatLng } from '../../src/core/coordinates.js';
import { estimateAt, type FlatCircle, flattenCircle } from '../../src/query/around/flat-circle.js';
import { degrees, pointIn } from '../support/arbitrary-points.js';

const RADIANS_PER_DEGREE = Math.PI / 180;
const RADIANS_PER_MILE = KM_PER_STATUTE_MILE / EARTH_RADIUS_KM;

/** The circles that can be drawn on the plane, up to the limits of latitude and radius. */
const circles = fc
  .tuple(pointIn(-75, 75, -180, 180), fc.oneof(degrees(0.001, 138), fc.constantFrom(0.001, 5, 50, 138)))
  .map(([center, radiusMiles]) => flattenCircle(center, radiusMiles))
  .filter((circle) => circle !== undefined);

const bearings = degrees(0, 360);

/** The point at a distance and bearing (radians) from another. https://www.movable-type.co.uk/scripts/latlong.html */
function pointAt({ lat, lng }: LatLng, miles: number, bearingDegrees: number): LatLng {
  const [from, far, bearing] = [
    lat * RADIANS_PER_DEGREE,
    miles * RADIANS_PER_MILE,
    bearingDegrees * RADIANS_PER_DEGREE,
  ];
  const sine = Math.sin(from) * Math.cos(far) + Math.cos(from) * Math.sin(far) * Math.cos(bearing);
  const east = Math.atan2(Math.sin(bearing) * Math.sin(far) * Math.cos(from), Math.cos(far) - Math.sin(from) * sine);
  // The longitude is not brought back to ±180: the plane has none of its own.
  return { lat: Math.asin(sine) / RADIANS_PER_DEGREE, lng: lng + east / RADIANS_PER_DEGREE };
}

function estimateOf({ weight, weightDrop, center }: FlatCircle, { lat, lng }: LatLng): number {
  return estimateAt(weight, weightDrop, lng - center.lng, lat - center.lat);
}

test('what is certainly inside is within the radius, and what is within is not certainly outside', () => {
  // Most points are near the rim, on both sides of it.
  const share = fc.oneof(degrees(0, 2), degrees(0.99, 1.01), degrees(0.999999, 1.000001));
  const property = fc.property(circles, share, bearings, (circle, part, bearing) => {
    const point = pointAt(circle.center, circle.radiusMiles * part, bearing);
    const estimate = estimateOf(circle, point);
    const isWithin = distanceMiles(circle.center, point) <= circle.radiusMiles;
    if (estimate <= circle.inside) expect(isWithin).toBe(true);
    if (estimate > circle.outside) expect(isWithin).toBe(false);
  });
  fc.assert(property, { numRuns: 5000 });
});

test('no point of the sphere is farther away, through the ground, than its estimate says', () => {
  const property = fc.property(
    circles,
    pointIn(-90, 90, -180, 180),
    fc.constantFrom(-360, 0, 360),
    (circle, at, turn) => {
      const point = { ...at, lng: at.lng + turn };
      const radians = distanceMiles(circle.center, point) * RADIANS_PER_MILE;
      const throughDegrees = (2 * Math.sin(radians / 2)) / RADIANS_PER_DEGREE;
      expect(estimateOf(circle, point) * (1 + 1e-12) + 1e-12).toBeGreaterThanOrEqual(throughDegrees ** 2);
    },
  );
  fc.assert(property, { numRuns: 5000 });
});

test('within a circle, the estimate is off by less than a quarter of what its limits allow for', () => {
  const property = fc.property(circles, degrees(0.1, 1), bearings, (circle, part, bearing) => {
    const point = pointAt(circle.center, circle.radiusMiles * part, bearing);
    const exactDegrees = (distanceMiles(circle.center, point) * RADIANS_PER_MILE) / RADIANS_PER_DEGREE;
    const radiusDegrees = (circle.radiusMiles * RADIANS_PER_MILE) / RADIANS_PER_DEGREE;
    const allowed = Math.sqrt(circle.outside) / radiusDegrees - 1;
    const error = Math.abs(Math.sqrt(estimateOf(circle, point)) / exactDegrees - 1);
    // The rounding errors of a distance of meters are larger than those of the plane.
    expect(error).toBeLessThanOrEqual(allowed / 4 + 1e-9);
  });
  fc.assert(property, { numRuns: 5000 });
});

test('a circle lies in the box around it', () => {
  const property = fc.property(circles, bearings, (circle, bearing) => {
    const { lat, lng } = pointAt(circle.center, circle.radiusMiles, bearing);
    expect(Math.abs(lat - circle.center.lat)).toBeLessThanOrEqual(circle.halfHeightDegrees);
    expect(Math.abs(lng - circle.center.lng)).toBeLessThanOrEqual(circle.halfWidthDegrees);
    expect(circle.halfWidthDegrees).toBeLessThan(7.5);
  });
  fc.assert(property, { numRuns: 5000 });
});

test('what is shown as the same hundredth of a mile, or less, is not beyond the widened estimate', () => {
  const property = fc.property(circles, degrees(0, 1), fc.tuple(bearings, bearings), (circle, part, [one, other]) => {
    const miles = circle.radiusMiles * part;
    const first = pointAt(circle.center, miles, one);
    const second = pointAt(circle.center, Math.min(circle.radiusMiles, miles + 0.0099999), other);
    const limit = circle.widen(estimateOf(circle, first));
    expect(estimateOf(circle, second)).toBeLessThanOrEqual(limit);
  });
  fc.assert(property, { numRuns: 5000 });
});

test('the plane is given up for circles of continental size or near a pole', () => {
  expect(flattenCircle({ lat: 45, lng: 0 }, 139)).toBeUndefined();
  expect(flattenCircle({ lat: 74.9, lng: 0 }, 10)).toBeUndefined();
  expect(flattenCircle({ lat: -74.9, lng: 0 }, 10)).toBeUndefined();
  expect(flattenCircle({ lat: Number.NaN, lng: 0 }, 10)).toBeUndefined();
});
