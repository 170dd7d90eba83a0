import {
  type GeocodeOutcome,
  type Geocoder,
  GeocoderUnavailableError,
  geocodeEach,
  geocoderOfSeveral,
  isMatch,
  type NoMatchReason,
  NothingToGeocodeByError,
} from './geocoder.js';

/**
 * Asks geocoders in turn: each is asked only for the addresses that those before it could not match, or could not be
 * asked for. An address that cannot be placed at all goes no further. If none matches, see {@link verdict}.
 */
export function createGeocoderChain(geocoders: readonly Geocoder[]): Geocoder {
  return geocoderOfSeveral(async (addresses) => {
    const told = addresses.map((): GeocodeOutcome[] => []);
    let open = addresses.map((_, at) => at);
    for (const geocoder of geocoders) {
      if (open.length === 0) break;
      const asked = open;
      const outcomes = await geocodeEach(
        geocoder,
        asked.map((at) => addresses[at] ?? ''),
      );
      asked.forEach((at, position) => {
        const outcome = outcomes[position];
        if (outcome) told[at]?.push(outcome);
      });
      open = asked.filter((_, position) => !isFinal(outcomes[position]));
    }
    return told.map(verdict);
  });
}

function isFinal(outcome: GeocodeOutcome | undefined): boolean {
  if (!outcome || outcome instanceof GeocoderUnavailableError) return false;
  return isMatch(outcome) || outcome.noMatch === 'cannot be placed';
}

/**
 * Combines what the geocoders said of one address: a final outcome, if there is one; else that one of them was
 * unavailable, since it might have matched (one that has nothing to geocode by could not); else a tie; else no match by one
 * that could have matched.
 */
function verdict(told: readonly GeocodeOutcome[]): GeocodeOutcome {
  const toldAs = (reason: NoMatchReason): GeocodeOutcome | undefined =>
    told.find((outcome) => 'noMatch' in outcome && outcome.noMatch === reason);
  const isDown = (outcome: GeocodeOutcome): boolean =>
    outcome instanceof GeocoderUnavailableError && !(outcome instanceof NothingToGeocodeByError);
  return (
    told.find(isFinal) ??
    told.find(isDown) ??
    toldAs('tie') ??
    toldAs('no match') ??
    toldAs('not loaded') ??
    told[0] ??
    new NothingToGeocodeByError('no geocoder is configured')
  );
}
