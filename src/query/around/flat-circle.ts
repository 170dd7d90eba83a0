import { EARTH_RADIUS_KM, KM_PER_STATUTE_MILE, type LatLng } from '../../core/coordinates.js';

/**
 * A circle on the sphere, projected onto a plane of degrees around its centre, where distances need no trigonometry: the
 * estimate of a squared distance is `y² + (cosine − slope · y) · x²` for x degrees of longitude and y degrees of latitude
 * from the centre. Everywhere in the circle, its root differs from the distance by a relative error of less than `error`.
 */
export interface FlatCircle {
  readonly center: LatLng;
  readonly radiusMiles: number;
  /** Half the width and height of the box around the circle in degrees, rounded up a little. */
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly cosine: number;
  readonly slope: number;
  /** The least and the greatest factor of x² within the circle, for bounds on the estimates in a box. */
  readonly leastCosine: number;
  readonly greatestCosine: number;
  /** Points with estimates up to `inside` are certainly within the radius, those above `outside` certainly beyond it. */
  readonly inside: number;
  readonly outside: number;
  /** The greatest estimate of any point that, in hundredths of a mile, is no farther away than one with this estimate. */
  widen(estimate: number): number;
}

const RADIANS = Math.PI / 180;
/** Beyond these limits the plane is too inaccurate, or the circle may contain a pole. */
const MAX_LATITUDE = 75;
const MAX_RADIUS_DEGREES = 2;
/** Rounding errors of the exact distance and of the estimate: relative, and absolute in degrees (0.01 mm). */
const ROUNDING = 1e-12;
const ROUNDING_DEGREES = 1e-10;
/** A hundredth of a mile along a great circle. */
const HUNDREDTH_DEGREES = (0.01 * KM_PER_STATUTE_MILE) / EARTH_RADIUS_KM / RADIANS;

/** Projects a circle onto the plane; undefined if the circle is too large or too near a pole. */
export function flattenCircle(center: LatLng, radiusMiles: number): FlatCircle | undefined {
  const radius = (radiusMiles * KM_PER_STATUTE_MILE) / EARTH_RADIUS_KM;
  const radiusDegrees = radius / RADIANS;
  const highest = Math.abs(center.lat) + radiusDegrees;
  if (!(highest <= MAX_LATITUDE && radiusDegrees <= MAX_RADIUS_DEGREES)) return undefined;

  const lat = center.lat * RADIANS;
  const cosine = Math.cos(lat);
  const leastCosine = Math.cos(highest * RADIANS);
  const lowest = Math.max(0, Math.abs(center.lat) - radiusDegrees);
  const halfWidth = Math.asin(Math.sin(radius) / cosine);
  // Four times the terms that the estimate leaves out: of sin² (relative x²/12) and of the cosine (y²/2, relative to the
  // least cosine); halved, since distances are the roots of estimates.
  const error = (halfWidth * halfWidth) / 6 + (radius * radius) / leastCosine + ROUNDING;
  const farther = (degrees: number): number => degrees * (1 + error) + ROUNDING_DEGREES;
  const nearest = radiusDegrees * (1 - error) - ROUNDING_DEGREES;
  return {
    center,
    radiusMiles,
    halfWidth: farther(halfWidth / RADIANS),
    halfHeight: farther(radiusDegrees),
    cosine: cosine * cosine,
    slope: cosine * Math.sin(lat) * RADIANS,
    leastCosine: cosine * leastCosine,
    greatestCosine: cosine * Math.cos(lowest * RADIANS),
    inside: nearest > 0 ? nearest * nearest : -1,
    outside: farther(radiusDegrees) ** 2,
    // Both estimates have an error, and a point that rounds to the same hundredth can be a hundredth farther away.
    widen: (estimate) => farther(farther(Math.sqrt(estimate)) + HUNDREDTH_DEGREES) ** 2,
  };
}
