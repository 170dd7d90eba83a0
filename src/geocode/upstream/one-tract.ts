import type { LatLng } from '../../core/coordinates.js';
import type { GeocodedAddress, GeocodeResult } from '../geocoder.js';

/** Finds the row of the tract around a position; −1 if there is none. */
export type TractAt = (position: LatLng) => number;

/** The first of equally good candidates, or a tie if they are not all in one tract. */
export function agreedOn(candidates: readonly GeocodedAddress[], tractAt: TractAt): GeocodeResult {
  const [first, ...others] = candidates;
  if (!first) return { noMatch: 'no match' };
  const tract = tractAt(first);
  return others.some((other) => tractAt(other) !== tract) ? { noMatch: 'tie' } : first;
}
