import type { LatLng } from '../core/coordinates.js';

/** A matched address. */
export interface GeocodedAddress extends LatLng {
  /** The address in its normalized form. */
  readonly matchedAddress: string;
}

/** Why an address has no position: nothing like it is known, or several places are equally good and differ in tract. */
export type NoMatchReason = 'no match' | 'tie';

export interface NoMatch {
  readonly noMatch: NoMatchReason;
}

export type GeocodeResult = GeocodedAddress | NoMatch;

/** Turns a US street address into a position. */
export interface Geocoder {
  /** The position, or why there is none. Throws {@link GeocoderUnavailableError}. */
  geocode(address: string): Promise<GeocodeResult>;
}

/** No geocoder could be asked. It never carries the address. */
export class GeocoderUnavailableError extends Error {
  override readonly name = 'GeocoderUnavailableError';
}

/** Whether a geocoder's answer is a position. */
export function isMatch(result: GeocodeResult): result is GeocodedAddress {
  return !('noMatch' in result);
}

/** Stands in where no geocoder is configured: every address is unavailable, none is "not found". */
export function createUnconfiguredGeocoder(): Geocoder {
  return { geocode: () => Promise.reject(new GeocoderUnavailableError('no geocoder is configured')) };
}
