import { expect, test, vi } from 'vitest';
import { distanceMiles } from '../../../src/core/coordinates.js';
import type { StreetSegment } from '../../../src/core/street-segment.js';
import { streetKey } from '../../../src/core/street-words.js';
import { createEmbeddedGeocoder } from '../../../src/geocode/embedded.js';
import { GeocoderUnavailableError, isMatch } from '../../../src/geocode/geocoder.js';

const METRES_PER_MILE = 1609.344;

/** From west to east along 45° N, about 788 m long. */
const street: StreetSegment = {
  street: 'Samplewood Ave',
  city: 'Sampleton',
  stateFips: '10',
  from: { lat: 45, lng: -75.01 },
  to: { lat: 45, lng: -75 },
  left: { from: 101, to: 199, zip: '19901' },
  right: { from: 198, to: 100, zip: '19901' },
};

/** Tracts: 0 north of 45° N, 1 south of it. */
const outlines = { locate: ({ lat }: { lat: number }) => (lat >= 45 ? 0 : 1) };

function geocoderOf(...segments: StreetSegment[]) {
  const find = vi.fn((key: string, place: { zip?: string | undefined }) =>
    segments.filter(
      (segment) => streetKey(segment.street) === key && [undefined, segment.left?.zip].includes(place.zip),
    ),
  );
  return { find, ...createEmbeddedGeocoder(() => ({ addresses: { find }, outlines })) };
}

test('an address is interpolated along its street and set off to its own side, as the range runs', async () => {
  const { geocode } = geocoderOf(street);
  const at = async (houseNumber: number) => {
    const result = await geocode(`${houseNumber} Samplewood Ave, Sampleton, DE 19901`);
    return isMatch(result) ? result : expect.fail(`${houseNumber} has no match`);
  };
  const [odd, even] = [await at(101), await at(198)];
  expect(odd.matchedAddress).toBe('101 Samplewood Ave, Sampleton, DE 19901');
  // Both are at the street's west end, north and south of it.
  expect(odd.lng).toBeCloseTo(even.lng, 6);
  expect(odd.lng).toBeLessThan(-75.009);
  expect(odd.lat).toBeGreaterThan(45);
  expect(even.lat).toBeLessThan(45);
  expect(distanceMiles(odd, even) * METRES_PER_MILE).toBeCloseTo(20, 0);
  expect((await at(199)).lng).toBeGreaterThan(-75.001);
  expect((await at(100)).lng).toBeGreaterThan(-75.001);
});

test.each(['99', '200', '201', '0', '999999'])('number %s is outside of the ranges: no match', async (houseNumber) => {
  const { geocode } = geocoderOf(street);
  expect(await geocode(`${houseNumber} Samplewood Ave, Sampleton, DE 19901`)).toEqual({ noMatch: 'no match' });
});

test('a side has only numbers of its own parity, unless its ends differ in parity', async () => {
  const oddOnly = geocoderOf({ ...street, right: undefined });
  expect(await oddOnly.geocode('150 Samplewood Ave 19901')).toEqual({ noMatch: 'no match' });
  const mixed = geocoderOf({ ...street, left: { from: 101, to: 200, zip: '19901' }, right: undefined });
  expect(isMatch(await mixed.geocode('150 Samplewood Ave 19901'))).toBe(true);
});

test('two places in different tracts are a tie, in the same tract a match', async () => {
  const north = { ...street, right: undefined };
  const farNorth = { ...north, from: { lat: 46, lng: -75.01 }, to: { lat: 46, lng: -75 } };
  const south = { ...north, from: { lat: 44, lng: -75.01 }, to: { lat: 44, lng: -75 } };
  const address = '151 Samplewood Ave, Sampleton, DE 19901';
  expect(isMatch(await geocoderOf(north, farNorth).geocode(address))).toBe(true);
  expect(await geocoderOf(north, south).geocode(address)).toEqual({ noMatch: 'tie' });
});

test('a city that is not set off by a comma must be the city: half a street name is not a match', async () => {
  const { geocode, find } = geocoderOf({ ...street, street: 'Samplewood' });
  await geocode('151 Samplewood Ave 19901');
  expect(find.mock.calls).toContainEqual(['SAMPLEWOOD', { zip: '19901', stateFips: undefined, city: 'AVE' }]);
});

test('without a dataset or without address ranges nobody can be asked, and the error does not carry the address', async () => {
  for (const dataset of [undefined, { addresses: undefined, outlines }]) {
    const failure = await createEmbeddedGeocoder(() => dataset)
      .geocode('7 Marked St')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GeocoderUnavailableError);
    expect(String(failure)).not.toContain('Marked');
  }
});

test('the longest nonsense costs a bounded number of lookups', async () => {
  const { geocode, find } = geocoderOf(street);
  const nonsense = [
    `1 ${'a '.repeat(249)}`,
    `1 ${'#'.repeat(498)}`,
    `1 ${','.repeat(498)}`,
    `1 ${'apt '.repeat(124)}`,
    `1${'-1'.repeat(249)}`,
    `1 ${'ct '.repeat(166)}`,
    'x'.repeat(500),
    '9'.repeat(500),
    `1 ${'\u{FDFA}'.repeat(498)}`,
  ];
  for (const text of nonsense) {
    find.mockClear();
    expect(await geocode(text)).toEqual({ noMatch: 'no match' });
    expect(find.mock.calls.length).toBeLessThanOrEqual(16);
  }
});
