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
