import { expect, test } from 'vitest';
import { createGeocoderChain } from '../../../src/geocode/chain.js';
import { countLookups, createCountingGeocoder } from '../../../src/geocode/counting-geocoder.js';
import { type GeocodeOutcome, type Geocoder, GeocoderUnavailableError } from '../../../src/geocode/geocoder.js';

const OUTCOMES: Readonly<Record<string, GeocodeOutcome | TypeError>> = {
  exact: { lat: 1, lng: 2, matchedAddress: 'A', matchType: 'exact' },
  untold: { lat: 1, lng: 2, matchedAddress: 'A' },
  tie: { noMatch: 'tie' },
  box: { noMatch: 'cannot be placed' },
  down: new GeocoderUnavailableError('down'),
  bug: new TypeError('bug'),
};
const knowing = (...addresses: string[]): Geocoder => ({
  geocode: async (address) => {
    const outcome = addresses.includes(address) ? OUTCOMES[address] : undefined;
    if (outcome instanceof Error) throw outcome;
    return outcome ?? { noMatch: 'no match' };
  },
});
const NO_TYPES = { exact: 0, interpolated: 0, street: 0, zip: 0 };

test('lookups are counted by outcome, type and reason, alone and in batches, bugs among the failures', async () => {
  const { geocode, geocodeAll, stats } = createCountingGeocoder(knowing(...Object.keys(OUTCOMES)));
  await geocode('exact');
  await geocodeAll?.(['untold', 'tie', 'box', 'other', 'down']);
  await expect(geocode('down')).rejects.toThrow('down');
  await expect(geocode('bug')).rejects.toThrow('bug');
  await expect(geocodeAll?.(['exact', 'bug'])).rejects.toThrow('bug');
  expect(stats()).toEqual({
    requests: 10,
    matched: 2,
    no_match: 3,
    failures: 5,
    matches_by_type: { ...NO_TYPES, exact: 1 },
    no_matches_by_reason: { unknown: 1, tie: 1, unplaceable: 1, not_loaded: 0 },
    by_geocoder: {},
  });
});

test('each geocoder of a chain has its own counts beside those of the whole', async () => {
  const parts = [
    { name: 'embedded' as const, ...countLookups(knowing('tie')) },
    { name: 'census' as const, ...countLookups(knowing('exact')) },
  ];
  const { geocode, stats } = createCountingGeocoder(createGeocoderChain(parts), parts);
  await geocode('exact');
  await geocode('tie');
  expect(stats()).toMatchObject({
    requests: 2,
    matched: 1,
    no_match: 1,
    by_geocoder: {
      embedded: {
        requests: 2,
        matched: 0,
        no_matches_by_reason: { unknown: 1, tie: 1, unplaceable: 0, not_loaded: 0 },
      },
      census: { requests: 2, matched: 1, matches_by_type: { ...NO_TYPES, exact: 1 } },
    },
  });
});
