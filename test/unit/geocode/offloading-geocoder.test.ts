import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDataset } from '../../../src/format/dataset.js';
import { type Geocoder, GeocoderUnavailableError, NothingToGeocodeByError } from '../../../src/geocode/geocoder.js';
import { createOffloadingGeocoder, type MatchElsewhere, matchAll } from '../../../src/geocode/offloading-geocoder.js';
import { sampleAddresses } from '../../support/sample-addresses.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

const ADDRESSES = Array.from({ length: 50 }, (_, at) => `${at} Main St`);
const match = (address: string) => ({ lat: 1, lng: 2, matchedAddress: address.toUpperCase() });

function setUp(elsewhere: MatchElsewhere) {
  const geocode = vi.fn<Geocoder['geocode']>(async (address) => match(address));
  const matchElsewhere = vi.fn(elsewhere);
  return { ...createOffloadingGeocoder({ geocode }, matchElsewhere), geocode, matchElsewhere };
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

  test('whose ranges the other thread cannot read says so for each address', async () => {
    const { geocodeAll } = setUp(() => Promise.resolve(Buffer.from('null')));
    const unavailable = expect.any(GeocoderUnavailableError);
    expect(await geocodeAll?.(ADDRESSES)).toEqual(ADDRESSES.map(() => unavailable));
  });

  test('fails as a whole where no thread can take it', async () => {
    const { geocodeAll } = setUp(() => Promise.reject(new Error('queue-full')));
    await expect(geocodeAll?.(ADDRESSES)).rejects.toThrow('queue-full');
  });
});

test('another thread has an outcome for each address', () => {
  const directory = temporaryDirectory();
  const dataset = openDataset(join(directory, 'generations', publishTinyDataset(directory)));
  onTestFinished(dataset.release);
  const [known] = sampleAddresses(dataset, 1);
  expect(matchAll(dataset, ['PO Box 7', known?.address ?? expect.fail(), 'x'])).toEqual([
    { noMatch: expect.any(String) },
    expect.objectContaining({ lat: expect.closeTo(known?.near.lat ?? Number.NaN, 2) }),
    { noMatch: 'no match' },
  ]);
});

test('a thread is not asked where there are no ranges: that would be a bug, and no missing address', () => {
  const without = { addresses: undefined, outlines: { locate: () => -1 } };
  expect(() => matchAll(without, ['1 Main St'])).toThrow('only where ranges are loaded');
});
