import { EARTH_RADIUS_KM, KM_PER_STATUTE_MILE, type LatLng } from '../../core/coordinates.js';

/**
 * A circle on the sphere as seen on a plane of degrees around its centre, where no trigonometry is needed: the estimate of
 * a squared distance is `y² + (cosine − slope · y) · x²` for x degrees of longitude and y of latitude from the centre.
 * It is off by less than `error`, as a part of the distance, everywhere in the circle.
 */
export interface FlatCircle {
  readonly center: LatLng;
  readonly radiusMiles: number;
  /** Half the width and height of the box around the circle, degrees, a little too large. */
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly cosine: number;
  readonly slope: number;
  /** The least and the greatest factor of x² within the circle: bounds for boxes. */
  readonly leastCosine: number;
  readonly greatestCosine: number;
  /** Estimates up to `inside` are surely within the radius, those above `outside` surely beyond. */
  readonly inside: number;
  readonly outside: number;
  /** The greatest estimate that a point can have which, in hundredths of a mile, is no farther away than one with this. */
  widen(estimate: number): number;
}

const RADIANS = Math.PI / 180;
/** Beyond these the plane is too coarse, or the circle may hold a pole. */
const MAX_LATITUDE = 75;
const MAX_RADIUS_DEGREES = 2;
/** What the rounding of the exact distance and of the estimate may add: as a part, and in degrees (0.01 mm). */
const ROUNDING = 1e-12;
const ROUNDING_DEGREES = 1e-10;
/** A hundredth of a mile along a great circle. */
const HUNDREDTH_DEGREES = (0.01 * KM_PER_STATUTE_MILE) / EARTH_RADIUS_KM / RADIANS;

/** The circle on the plane; undefined where it reaches too far for that. */
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
  // Four times what is left out of sin² (x²/12 of it) and of the cosine (y²/2, against the least cosine), with
  // distances being the roots of estimates.
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
    // Both estimates are off, and what rounds to the same hundredth can be a hundredth farther away.
    widen: (estimate) => farther(farther(Math.sqrt(estimate)) + HUNDREDTH_DEGREES) ** 2,
  };
}
