import { describe, expect, test, vi } from 'vitest';
import { type Geocoder, GeocoderUnavailableError, NothingToGeocodeByError } from '../../../src/geocode/geocoder.js';
import { createGeocoderTogether, type MatchElsewhere, matchesBody } from '../../../src/geocode/together.js';

const ADDRESSES = Array.from({ length: 50 }, (_, at) => `${at} Main St`);
const match = (address: string) => ({ lat: 1, lng: 2, matchedAddress: address.toUpperCase() });

function setUp(elsewhere: MatchElsewhere) {
  const geocode = vi.fn<Geocoder['geocode']>(async (address) => match(address));
  const matchElsewhere = vi.fn(elsewhere);
  return { ...createGeocoderTogether({ geocode }, matchElsewhere), geocode, matchElsewhere };
}

/** What another thread gives, as a part of a larger buffer. */
const answering: MatchElsewhere = async (addresses) => {
  const body = Buffer.from(`..${JSON.stringify(addresses.map(match))}..`);
  return body.subarray(2, -2);
};

describe('a batch', () => {
  test('is one task of another thread, in order', async () => {
    const { geocodeAll, geocode, matchElsewhere } = setUp(answering);
    expect(await geocodeAll?.(ADDRESSES)).toEqual(ADDRESSES.map(match));
    expect(matchElsewhere.mock.calls).toEqual([[ADDRESSES]]);
    expect(geocode).not.toHaveBeenCalled();
  });

  test('of few addresses is matched on the spot, each by itself', async () => {
    const { geocodeAll, geocode, matchElsewhere } = setUp(answering);
    geocode.mockRejectedValueOnce(new GeocoderUnavailableError('down'));
    expect(await geocodeAll?.(['a', 'b'])).toEqual([expect.any(GeocoderUnavailableError), match('b')]);
    expect(matchElsewhere).not.toHaveBeenCalled();
  });

  test('without anything to match by says so for each address', async () => {
    const nothing = new NothingToGeocodeByError('no address ranges are loaded');
    const { geocodeAll } = setUp(() => Promise.reject(nothing));
    expect(await geocodeAll?.(ADDRESSES)).toEqual(ADDRESSES.map(() => nothing));
  });

  test('fails as a whole where no thread can take it', async () => {
    const { geocodeAll } = setUp(() => Promise.reject(new Error('queue-full')));
    await expect(geocodeAll?.(ADDRESSES)).rejects.toThrow('queue-full');
  });
});

test('the body has an outcome for each address, in memory that was asked for', () => {
  const allocate = vi.fn((sizeBytes: number) => Buffer.alloc(sizeBytes));
  const body = matchesBody({ addresses: undefined, outlines: { locate: () => -1 } }, ['PO Box 7', 'x'], allocate);
  expect(JSON.parse(Buffer.from(body).toString())).toEqual([{ noMatch: 'no match' }, { noMatch: 'no match' }]);
  expect(allocate.mock.calls).toEqual([[body.byteLength]]);
});
