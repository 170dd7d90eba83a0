import { EARTH_RADIUS_KM, KM_PER_STATUTE_MILE, type LatLng } from '../../core/coordinates.js';

/**
 * A circle on the sphere, drawn on a plane around its center: x degrees of longitude to the east, y degrees of latitude to
 * the north. There, distances need no trigonometry: {@link estimateAt} estimates their squares, which is enough to decide
 * about all points but those in a thin ring:
 *
 *     0 ──────────── inside ──────────── outside ───────────▶ estimate, degrees²
 *      within the radius ╎ to be measured ╎ beyond the radius
 *
 * Why these limits are safe is shown at {@link relativeErrorOf}.
 */
export interface FlatCircle {
  readonly center: LatLng;
  readonly radiusMiles: number;
  /** No point in the circle is farther from the center than this in longitude or in latitude. */
  readonly halfWidthDegrees: number;
  readonly halfHeightDegrees: number;
  /** The weight of x² in the estimate of a point as far north as the center, and its decrease with each degree to the north. */
  readonly weight: number;
  readonly weightDrop: number;
  /** For bounds on whole boxes: within the circle, the product of the cosines of both latitudes lies between these. */
  readonly leastWeight: number;
  readonly greatestWeight: number;
  /** Any point with an estimate up to this is within the radius. Negative if no estimate is certain enough. */
  readonly inside: number;
  /** Any point with an estimate above this is beyond the radius. */
  readonly outside: number;
  /** The greatest estimate of any point that, in hundredths of a mile, is no farther away than one with this estimate. */
  widen(estimate: number): number;
}

/**
 * The estimate of the squared distance, in degrees², of a point x degrees east and y degrees north of the center of a circle
 * with these two numbers.
 */
export function estimateAt(weight: number, weightDrop: number, x: number, y: number): number {
  return y * y + (weight - weightDrop * y) * x * x;
}

const RADIANS_PER_DEGREE = Math.PI / 180;
/** Beyond these limits the plane is too inaccurate, or the circle may contain a pole. */
const MAX_LATITUDE_DEGREES = 75;
const MAX_RADIUS_DEGREES = 2;
/** Rounding errors of the exact distance and of the estimate: relative, and absolute (0.01 mm). */
const ROUNDING = 1e-12;
const ROUNDING_DEGREES = 1e-10;
/** A hundredth of a mile along a great circle. */
const HUNDREDTH_DEGREES = (0.01 * KM_PER_STATUTE_MILE) / EARTH_RADIUS_KM / RADIANS_PER_DEGREE;

/** Draws a circle on the plane; undefined if the circle is too large or too near a pole. */
export function flattenCircle(center: LatLng, radiusMiles: number): FlatCircle | undefined {
  const radius = (radiusMiles * KM_PER_STATUTE_MILE) / EARTH_RADIUS_KM;
  const radiusDegrees = radius / RADIANS_PER_DEGREE;
  const highestDegrees = Math.abs(center.lat) + radiusDegrees;
  if (!(highestDegrees <= MAX_LATITUDE_DEGREES && radiusDegrees <= MAX_RADIUS_DEGREES)) return undefined;

  const lowestDegrees = Math.max(0, Math.abs(center.lat) - radiusDegrees);
  const lat = center.lat * RADIANS_PER_DEGREE;
  const cosine = Math.cos(lat);
  const leastCosine = Math.cos(highestDegrees * RADIANS_PER_DEGREE);
  const greatestCosine = Math.cos(lowestDegrees * RADIANS_PER_DEGREE);
  // Up to the meridian that touches the circle: that, the radius to where it does, and the center's meridian are the sides
  // of a right-angled triangle on the sphere.
  const halfWidth = Math.asin(Math.sin(radius) / cosine);
  const error = relativeErrorOf({ radius, halfWidth, leastCosine });
  // Turns a distance into the greatest root of an estimate that a point so far away can have, and the other way round.
  const atMost = (degrees: number): number => degrees * (1 + error) + ROUNDING_DEGREES;
  const atLeast = (degrees: number): number => degrees * (1 - error) - ROUNDING_DEGREES;
  const insideDegrees = atLeast(radiusDegrees);
  return {
    center,
    radiusMiles,
    halfWidthDegrees: atMost(halfWidth / RADIANS_PER_DEGREE),
    halfHeightDegrees: atMost(radiusDegrees),
    weight: cosine * cosine,
    weightDrop: cosine * Math.sin(lat) * RADIANS_PER_DEGREE,
    leastWeight: cosine * leastCosine,
    greatestWeight: cosine * greatestCosine,
    inside: insideDegrees > 0 ? insideDegrees ** 2 : -1,
    outside: atMost(radiusDegrees) ** 2,
    widen: (estimate) => {
      const farthestDegrees = atMost(Math.sqrt(estimate));
      // What is shown as the same hundredth can be a hundredth farther away.
      return atMost(farthestDegrees + HUNDREDTH_DEGREES) ** 2;
    },
  };
}

/**
 * How far the root of an estimate may be from the distance d of a point in the circle, relative to either of them.
 *
 * With all angles in radians, φ₀ for the center's latitude and φ = φ₀ + y for the point's, the haversine formula says
 *
 *     4 sin²(d/2) = 4 sin²(y/2) + cos φ₀ · cos φ · 4 sin²(x/2)
 *
 * and the estimate is
 *
 *     y² + cos φ₀ · (cos φ₀ − y · sin φ₀) · x²
 *
 * 1. The squares are larger than what they stand for, as d² is: u² · (1 − u²/12) ≤ 4 sin²(u/2) ≤ u². None of d, x and y
 *    exceeds the half width. This makes a difference of up to halfWidth²/12, relative to d².
 * 2. The bracket is the tangent to the cosine in φ₀, which lies above it. It is larger than cos φ by at most y²/2 (Taylor),
 *    relative to cos φ by at most radius² / (2 · leastCosine).
 *
 * The root halves the sum of both. Four times that is returned, which leaves room for products of these small terms, and
 * for points just outside of the circle.
 *
 * What is larger is larger for all points of the sphere, in the circle or not: 4 sin²(d/2) ≤ estimate. So a small estimate
 * is a proof that a point is near; and as the tangent is never negative, no estimate is less than y².
 */
function relativeErrorOf(circle: {
  readonly radius: number;
  readonly halfWidth: number;
  readonly leastCosine: number;
}): number {
  const { radius, halfWidth, leastCosine } = circle;
  const ofSquares = (halfWidth * halfWidth) / 12;
  const ofTangent = (radius * radius) / (2 * leastCosine);
  return (4 * (ofSquares + ofTangent)) / 2 + ROUNDING;
}
