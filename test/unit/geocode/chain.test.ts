import { describe, expect, test, vi } from 'vitest';
import { createGeocoderChain } from '../../../src/geocode/chain.js';
import {
  type GeocodeOutcome,
  type Geocoder,
  GeocoderUnavailableError,
  geocodeEach,
  NothingToGeocodeByError,
} from '../../../src/geocode/geocoder.js';

const MATCH = { lat: 1, lng: 2, matchedAddress: '7 MAIN ST' };
const OTHER = { lat: 3, lng: 4, matchedAddress: '7 MAIN RD' };
const NONE = { noMatch: 'no match' } as const;
const TIE = { noMatch: 'tie' } as const;
const NOT_LOADED = { noMatch: 'not loaded' } as const;
const UNPLACEABLE = { noMatch: 'cannot be placed' } as const;
const DOWN = new GeocoderUnavailableError('down');
const EMPTY = new NothingToGeocodeByError('nothing is loaded');

/** A geocoder that answers by the address, and all others alike. */
function fake(otherwise: GeocodeOutcome, answers: Readonly<Record<string, GeocodeOutcome>> = {}) {
  const geocode = vi.fn<Geocoder['geocode']>(async (address) => {
    const outcome = answers[address] ?? otherwise;
    if (outcome instanceof GeocoderUnavailableError) throw outcome;
    return outcome;
  });
  return { geocode };
}

describe('of two geocoders', () => {
  test.each<[string, GeocodeOutcome, GeocodeOutcome, GeocodeOutcome]>([
    ['the second matches what the first does not', NONE, MATCH, MATCH],
    ['the second matches where the first is down', DOWN, MATCH, MATCH],
    ['the second matches where the first has nothing to go by', EMPTY, MATCH, MATCH],
    ['the second decides what the first leaves as a tie', TIE, MATCH, MATCH],
    ['neither matches', NONE, NONE, NONE],
    ['a tie stays one where the second knows nothing', TIE, NONE, TIE],
    ['a tie of the second is one', NONE, TIE, TIE],
    ['nothing is known while one that might have matched is down', NONE, DOWN, DOWN],
    ['nothing is known while the first is down, whatever the second does not know', DOWN, NONE, DOWN],
    ['what has nothing to go by does not count', EMPTY, NONE, NONE],
    ['the second does not know what is not loaded for the first', NOT_LOADED, NONE, NONE],
    ['the second is not asked in vain for it', NOT_LOADED, MATCH, MATCH],
    ['nothing is loaded for either', NOT_LOADED, EMPTY, NOT_LOADED],
    ['both are down', DOWN, EMPTY, DOWN],
    ['neither has anything to go by', EMPTY, EMPTY, EMPTY],
  ])('%s', async (_, first, second, expected) => {
    const chain = createGeocoderChain([fake(first), fake(second)]);
    expect(await geocodeEach(chain, ['7 Main St'])).toEqual([expected]);
    const alone = await chain.geocode('7 Main St').catch((error: unknown) => error);
    expect(alone).toEqual(expected);
  });

  test.each([MATCH, UNPLACEABLE])('the second is not asked for what the first has settled: %j', async (settled) => {
    const second = fake(OTHER);
    expect(await createGeocoderChain([fake(settled), second]).geocode('7 Main St')).toEqual(settled);
    expect(second.geocode).not.toHaveBeenCalled();
  });
});

test('of a batch, only unmatched addresses go to the next geocoder, and all keep their order', async () => {
  const first = fake(NONE, { a: MATCH, c: DOWN, d: UNPLACEABLE, e: TIE });
  const second = fake(NONE, { b: OTHER, c: OTHER });
  const outcomes = await geocodeEach(createGeocoderChain([first, second]), ['a', 'b', 'c', 'd', 'e']);
  expect(outcomes).toEqual([MATCH, OTHER, OTHER, UNPLACEABLE, TIE]);
  expect(second.geocode.mock.calls.flat()).toEqual(['b', 'c', 'e']);
});

test('a bug is not taken for a geocoder that is down', async () => {
  const broken: Geocoder = { geocode: () => Promise.reject(new TypeError('bug')) };
  await expect(createGeocoderChain([broken, fake(MATCH)]).geocode('x')).rejects.toThrow(TypeError);
});
