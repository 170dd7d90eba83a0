import { FormatError } from '../format/format-error.js';
import { type AddressedDataset, unreadableRanges } from './embedded.js';
import {
  type GeocodeOutcome,
  type GeocodeResult,
  type Geocoder,
  GeocoderUnavailableError,
  geocodeEach,
  unavailableOrThrow,
} from './geocoder.js';
import { matchAddress } from './match/match-address.js';

/**
 * Matches several addresses against the live dataset's ranges on another thread. Gives what {@link matchAll} gave there, as
 * UTF-8 JSON.
 */
export type MatchElsewhere = (addresses: readonly string[]) => Promise<Uint8Array>;

/**
 * Fewer are matched on the main thread. 50 addresses take 1 ms of it if they are correctly written, 4 ms if misspelled
 * and without ZIP; on a worker they take 0.4 to 0.5 ms of it, for the way there and back (both on two busy cores, in one
 * run).
 */
const ELSEWHERE_FROM = 10;

/** An embedded geocoder that hands batches to another thread. */
export function createOffloadingGeocoder(geocoder: Geocoder, matchElsewhere: MatchElsewhere): Geocoder {
  return {
    geocode: geocoder.geocode,
    geocodeAll: async (addresses): Promise<readonly GeocodeOutcome[]> => {
      if (addresses.length < ELSEWHERE_FROM) return geocodeEach({ geocode: geocoder.geocode }, addresses);
      const matches = await matchElsewhere(addresses).then(readMatches).catch(unavailableOrThrow);
      return matches instanceof GeocoderUnavailableError ? addresses.map(() => matches) : matches;
    },
  };
}

/** The result for each address; null if the ranges cannot be read. */
export function matchAll(
  { addresses: files, outlines }: AddressedDataset,
  addresses: readonly string[],
): readonly GeocodeResult[] | null {
  if (!files) throw new Error('addresses are left to another thread only where ranges are loaded');
  try {
    return addresses.map((address) => matchAddress(files, outlines.locate, address));
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

/** Reads what {@link matchAll} gave there. Throws GeocoderUnavailableError. */
function readMatches(body: Uint8Array): GeocodeResult[] {
  const results: GeocodeResult[] | null = JSON.parse(
    Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'),
  );
  if (!results) throw unreadableRanges();
  return results;
}
