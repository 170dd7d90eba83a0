import { type GeocodeOutcome, type GeocodeResult, type Geocoder, geocodeEach, type NoMatch } from '../geocoder.js';
import { parseAddress } from '../parse/parse-address.js';
import { withoutTelephone } from '../parse/telephone.js';
import { tokenize, withoutCommas } from '../parse/tokens.js';

/**
 * A geocoder that is asked for nothing but what may be an address. A post office box, a telephone number, a name alone tell
 * who somebody is, and not where: they stay on the machine, and so does a telephone number behind an address.
 */
export function createPlaceableGeocoder(geocoder: Geocoder): Geocoder {
  return {
    geocode: async (address): Promise<GeocodeResult> => withoutPlace(address) ?? geocoder.geocode(placeIn(address)),
    geocodeAll: async (addresses): Promise<readonly GeocodeOutcome[]> => {
      const results = addresses.map((address): GeocodeOutcome | undefined => withoutPlace(address));
      const asked = addresses.filter((_, at) => results[at] === undefined);
      const outcomes = (await geocodeEach(geocoder, asked.map(placeIn))).values();
      return results.flatMap((result) => result ?? outcomes.next().value ?? []);
    },
  };
}

/** Why a text is not asked for; undefined where it is. */
function withoutPlace(address: string): NoMatch | undefined {
  const { kind } = parseAddress(address);
  if (kind === 'unplaceable') return { noMatch: 'cannot be placed' };
  return kind === 'nothing' ? { noMatch: 'no match' } : undefined;
}

/** The text as it was typed; put together anew where a telephone number had to be left out. */
function placeIn(address: string): string {
  const tokens = withoutCommas(tokenize(address));
  const place = withoutTelephone(tokens);
  return place.length === tokens.length ? address : place.join(' ').replaceAll(' ,', ',');
}
