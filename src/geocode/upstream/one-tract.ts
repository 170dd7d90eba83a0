import type { GeocodedAddress, GeocodeResult } from '../geocoder.js';
import type { Locate } from '../match/position.js';

/** The first of equally good candidates, or a tie if they are not all in one tract. */
export function agreedOn(candidates: readonly GeocodedAddress[], tractAt: Locate): GeocodeResult {
  const [first, ...others] = candidates;
  if (!first) return { noMatch: 'no match' };
  const tract = tractAt(first);
  return others.some((other) => tractAt(other) !== tract) ? { noMatch: 'tie' } : first;
}
