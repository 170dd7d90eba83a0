/** A position in degrees, NAD83 or WGS84 alike at this service's precision. */
export interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

/** Outlines are stored as integers of this many per degree: 1e-7 degrees is about a centimetre. */
export const UNITS_PER_DEGREE = 1e7;

export const KM_PER_STATUTE_MILE = 1.609344;

/** Mean Earth radius as geokdbush uses it, so that both give the same distance. */
export const EARTH_RADIUS_KM = 6371;

const RADIANS = Math.PI / 180;

/** Whole 1e-7 degrees. Halves round toward +∞ for every caller, so that equal coordinates stay equal. */
export function quantize(degrees: number): number {
  return Math.round(degrees * UNITS_PER_DEGREE);
}

/** Great-circle distance in statute miles (haversine, exact enough near and far, across the antimeridian too). */
export function distanceMiles(a: LatLng, b: LatLng): number {
  return milesFrom(a)(b.lat, b.lng);
}

/** {@link distanceMiles} from one point to many, by their latitude and longitude in degrees. */
export function milesFrom({ lat: fromLat, lng: fromLng }: LatLng): (lat: number, lng: number) => number {
  const cosFromLat = Math.cos(fromLat * RADIANS);
  return (lat, lng) => {
    const sinLat = Math.sin(((lat - fromLat) * RADIANS) / 2);
    const sinLng = Math.sin(((lng - fromLng) * RADIANS) / 2);
    const h = sinLat * sinLat + cosFromLat * Math.cos(lat * RADIANS) * sinLng * sinLng;
    return (2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)))) / KM_PER_STATUTE_MILE;
  };
}

/** Powers of ten that are worth knowing, by their exponent. */
const SCALES = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
/** Below this, a number times its scale is within a hundredth of {@link DOUBTFUL} of what it should be. */
const SCALED_MAX = 1e8;
/** So close to the middle between two decimals, the number's decimal form decides. */
const DOUBTFUL = 1e-6;

/**
 * Rounds half away from zero at a decimal place, by the number's shortest decimal form (1.005 → 1.01). Exact for
 * numbers of 15 figures at most.
 */
export function roundTo(value: number, decimals: number): number {
  const scale = SCALES[decimals] ?? Number.NaN;
  const scaled = Math.abs(value) * scale;
  const whole = Math.round(scaled);
  const isClear = scaled < SCALED_MAX && Math.abs(Math.abs(scaled - whole) - 0.5) > DOUBTFUL;
  // The quotient of two whole numbers is the double that is nearest to it, as a decimal's text is.
  const rounded = isClear ? whole / scale : roundText(Math.abs(value), decimals);
  return value < 0 ? -rounded : rounded;
}

/** The same of a number of at least 0, ten times as slow. */
function roundText(value: number, decimals: number): number {
  const text = value.toString();
  if (text.includes('e')) return Number(value.toFixed(decimals));
  return Number(`${Math.round(Number(`${text}e${decimals}`))}e-${decimals}`);
}
