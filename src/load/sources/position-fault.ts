import type { LatLng } from '../../core/coordinates.js';

/** Latitudes from American Samoa to the north of Alaska. */
const isUsLat = (degrees: number): boolean => degrees >= -15 && degrees <= 72;

/** Longitudes from Guam east across the antimeridian (the Aleutians lie on both sides of it) to the Virgin Islands. */
const isUsLng = (degrees: number): boolean => (degrees >= -180 && degrees <= -64) || (degrees >= 144 && degrees <= 180);

/** What is wrong with a position, as a short phrase; undefined if it can be a place in the United States. */
export function positionFault({ lat, lng }: LatLng): string | undefined {
  if (Number.isNaN(lat) || Number.isNaN(lng)) return 'coordinate is no number';
  if (lat === 0 && lng === 0) return 'coordinates are 0,0';
  if (isUsLat(lat) && isUsLng(lng)) return undefined;
  return isUsLat(lng) && isUsLng(lat) ? 'latitude and longitude swapped' : 'coordinates out of range';
}
