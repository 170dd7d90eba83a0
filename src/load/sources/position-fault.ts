import type { LatLng } from '../../core/coordinates.js';
import { couldBeInUnitedStates } from '../us-bounds.js';

/** What is wrong with a position, as a short phrase; undefined if it can be a place in the United States. */
export function positionFault({ lat, lng }: LatLng): string | undefined {
  if (Number.isNaN(lat) || Number.isNaN(lng)) return 'coordinate is not a number';
  if (lat === 0 && lng === 0) return 'coordinates are 0,0';
  if (couldBeInUnitedStates(lat, lng)) return undefined;
  return couldBeInUnitedStates(lng, lat) ? 'latitude and longitude swapped' : 'coordinates out of range';
}
