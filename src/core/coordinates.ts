/** A position in degrees. NAD83 and WGS84 are interchangeable at this service's precision. */
export interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

/** A rectangle in degrees, including its borders. If west is greater than east, it crosses the antimeridian. */
export interface LatLngBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Outlines are stored as integers in units of 1e-7 degrees, about a centimetre. */
export const UNITS_PER_DEGREE = 1e7;

export const KM_PER_STATUTE_MILE = 1.609344;

/** The mean Earth radius that geokdbush uses, so that both compute the same distance. */
export const EARTH_RADIUS_KM = 6371;

const RADIANS = Math.PI / 180;
export const RADIANS_PER_UNIT = RADIANS / UNITS_PER_DEGREE;

/** Degrees in whole units of 1e-7. Halves round toward +∞ for every caller, so that equal coordinates stay equal. */
export function quantize(degrees: number): number {
  return Math.round(degrees * UNITS_PER_DEGREE);
}

/** Great-circle distance in statute miles (haversine: accurate enough near and far, and across the antimeridian). */
export function distanceMiles(a: LatLng, b: LatLng): number {
  return milesFrom(a)(b.lat, b.lng);
}

/** {@link distanceMiles} from one point to many, each given by its latitude and longitude in degrees. */
export function milesFrom({ lat: fromLat, lng: fromLng }: LatLng): (lat: number, lng: number) => number {
  const cosFromLat = Math.cos(fromLat * RADIANS);
  return (lat, lng) => {
    const sinLat = Math.sin(((lat - fromLat) * RADIANS) / 2);
    const sinLng = Math.sin(((lng - fromLng) * RADIANS) / 2);
    const h = sinLat * sinLat + cosFromLat * Math.cos(lat * RADIANS) * sinLng * sinLng;
    return (2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)))) / KM_PER_STATUTE_MILE;
  };
}
