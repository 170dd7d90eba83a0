import type { LatLng } from '../core/coordinates.js';

/** The geocoders that a service can be configured to ask, named as in its counts. */
export type GeocoderName = 'embedded' | 'census' | 'nominatim';

/**
 * How precise a position is: the building itself, interpolated along its street's numbers, somewhere on its street, or
 * somewhere in its ZIP code. The last says too little about the tract, so no geocoder here returns it; its count is 0.
 */
export const MATCH_TYPES = ['exact', 'interpolated', 'street', 'zip'] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

/** A matched address. */
export interface GeocodedAddress extends LatLng {
  /** The address in its normalized form. */
  readonly matchedAddress: string;
  /** Left out if the geocoder does not say. */
  readonly matchType?: MatchType;
}

/**
 * Why an address has no position: nothing like it is known; several places match equally well but lie in different
 * tracts; it names no place on the ground at all, such as a post office box; or nothing is loaded of its state or ZIP.
 */
export type NoMatchReason = 'no match' | 'tie' | 'cannot be placed' | 'not loaded';

export interface NoMatch {
  readonly noMatch: NoMatchReason;
}

/** Nothing like the address is known. */
export const NO_MATCH: NoMatch = { noMatch: 'no match' };

export type GeocodeResult = GeocodedAddress | NoMatch;

/** The outcome for one of several addresses: an error if the geocoder could not be asked for it. */
export type GeocodeOutcome = GeocodeResult | GeocoderUnavailableError;

/** Turns US street addresses into positions. */
export interface Geocoder {
  /** Whether it may ask geocoders beyond this machine, whose answers can change without a new generation. */
  readonly asksOthers?: boolean;
  /** The position, or why there is none. Throws {@link GeocoderUnavailableError}. */
  geocode(address: string): Promise<GeocodeResult>;
  /** The same for several addresses, in their order; only in geocoders that are better asked for many at once. */
  geocodeAll?(addresses: readonly string[]): Promise<readonly GeocodeOutcome[]>;
}

/** No geocoder could be asked. The error never contains the address. */
export class GeocoderUnavailableError extends Error {
  override readonly name: string = 'GeocoderUnavailableError';
}

/** There is nothing to geocode by, and asking again will not help. */
export class NothingToGeocodeByError extends GeocoderUnavailableError {
  override readonly name = 'NothingToGeocodeByError';
}

/** The outcome for each of several addresses, in their order. The failure of one does not affect the others. */
export async function geocodeEach(
  geocoder: Geocoder,
  addresses: readonly string[],
): Promise<readonly GeocodeOutcome[]> {
  if (geocoder.geocodeAll) return geocoder.geocodeAll(addresses);
  return Promise.all(addresses.map((address) => geocoder.geocode(address).catch(unavailableOrThrow)));
}

/** A geocoder that looks up one address as it does several. */
export function geocoderOfSeveral(
  geocodeAll: (addresses: readonly string[]) => Promise<readonly GeocodeOutcome[]>,
): Geocoder {
  return {
    geocode: async (address) => {
      const [outcome = new GeocoderUnavailableError('the geocoder gave no answer')] = await geocodeAll([address]);
      if (outcome instanceof GeocoderUnavailableError) throw outcome;
      return outcome;
    },
    geocodeAll,
  };
}

/** For `catch`: returns an expected failure as a value, and rethrows anything else, which is a bug. */
export function unavailableOrThrow(error: unknown): GeocoderUnavailableError {
  if (error instanceof GeocoderUnavailableError) return error;
  throw error;
}

/** Whether a geocoder's answer is a position. */
export function isMatch(result: GeocodeOutcome): result is GeocodedAddress {
  return 'matchedAddress' in result;
}
