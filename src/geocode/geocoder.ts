import type { LatLng } from '../core/coordinates.js';

/** The geocoders that a service can be told to ask, as their counts are named. */
export type GeocoderName = 'embedded' | 'census' | 'nominatim';

/**
 * How sure a position is: the building itself, interpolated along its street's numbers, somewhere on its street, or
 * somewhere in its ZIP code. The last says too little of the tract, so that no geocoder here gives it; its count is 0.
 */
export const MATCH_TYPES = ['exact', 'interpolated', 'street', 'zip'] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

/** A matched address. */
export interface GeocodedAddress extends LatLng {
  /** The address in its normalized form. */
  readonly matchedAddress: string;
  /** Left out where a geocoder does not tell. */
  readonly matchType?: MatchType;
}

/**
 * Why an address has no position: nothing like it is known; several places are equally good and differ in tract; or it
 * names no place on the ground at all, such as a post office box.
 */
export type NoMatchReason = 'no match' | 'tie' | 'cannot be placed';

export interface NoMatch {
  readonly noMatch: NoMatchReason;
}

export type GeocodeResult = GeocodedAddress | NoMatch;

/** What became of one address of several: an error where the geocoder could not be asked for it. */
export type GeocodeOutcome = GeocodeResult | GeocoderUnavailableError;

/** Turns US street addresses into positions. */
export interface Geocoder {
  /** Whether it may ask geocoders beyond this machine, whose answers change without a new generation. */
  readonly asksOthers?: boolean;
  /** The position, or why there is none. Throws {@link GeocoderUnavailableError}. */
  geocode(address: string): Promise<GeocodeResult>;
  /** The same for each of several, in their order, where they are better asked for together. */
  geocodeAll?(addresses: readonly string[]): Promise<readonly GeocodeOutcome[]>;
}

/** No geocoder could be asked. It never carries the address. */
export class GeocoderUnavailableError extends Error {
  override readonly name: string = 'GeocoderUnavailableError';
}

/** There is nothing to geocode by, and it will not help to ask again. */
export class NothingToGeocodeByError extends GeocoderUnavailableError {
  override readonly name = 'NothingToGeocodeByError';
}

/** What becomes of each of several addresses, in their order. One that fails leaves the others alone. */
export async function geocodeEach(
  geocoder: Geocoder,
  addresses: readonly string[],
): Promise<readonly GeocodeOutcome[]> {
  if (geocoder.geocodeAll) return geocoder.geocodeAll(addresses);
  return Promise.all(addresses.map((address) => geocoder.geocode(address).catch(unavailableOrThrow)));
}

/** For `catch`: an expected failure as a value. Whatever else was thrown is a bug. */
export function unavailableOrThrow(error: unknown): GeocoderUnavailableError {
  if (error instanceof GeocoderUnavailableError) return error;
  throw error;
}

/** Whether a geocoder's answer is a position. */
export function isMatch(result: GeocodeOutcome): result is GeocodedAddress {
  return 'matchedAddress' in result;
}
