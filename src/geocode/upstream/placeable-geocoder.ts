import { type GeocodeOutcome, type GeocodeResult, type Geocoder, geocodeEach, type NoMatch } from '../geocoder.js';
import { parseAddress } from '../parse/parse-address.js';
import { textToSend } from './text-to-send.js';

/**
 * A geocoder that is asked only for what may be an address. A post office box, a telephone number or a name tells who
 * somebody is, not where: alone or beside an address, it stays on the machine. For crossings see {@link textToSend}.
 */
export function createPlaceableGeocoder(geocoder: Geocoder): Geocoder {
  return {
    geocode: async (address): Promise<GeocodeResult> => withoutPlace(address) ?? geocoder.geocode(textToSend(address)),
    geocodeAll: async (addresses): Promise<readonly GeocodeOutcome[]> => {
      const results = addresses.map((address): GeocodeOutcome | undefined => withoutPlace(address));
      const asked = addresses.filter((_, at) => results[at] === undefined);
      const outcomes = (await geocodeEach(geocoder, asked.map(textToSend))).values();
      return results.flatMap((result) => result ?? outcomes.next().value ?? []);
    },
  };
}

/** The result for a text that is not sent; undefined for one that is. */
function withoutPlace(address: string): NoMatch | undefined {
  const { kind } = parseAddress(address);
  if (kind === 'unplaceable') return { noMatch: 'cannot be placed' };
  return kind === 'nothing' ? { noMatch: 'no match' } : undefined;
}
