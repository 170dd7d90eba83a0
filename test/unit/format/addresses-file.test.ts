import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { StreetSegment } from '../../../src/core/street-segment.js';
import { ADDRESSES_FILE, openAddressesFile, writeAddressesFile } from '../../../src/format/addresses-file.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const segment = (given: Partial<StreetSegment>): StreetSegment => ({
  street: 'Sample St',
  city: 'Squareton',
  stateFips: '27',
  from: { lat: 45, lng: -95 },
  to: { lat: 45.0012345, lng: -94.9987654 },
  left: { from: 101, to: 199, zip: '55001' },
  right: { from: 100, to: 198, zip: '55002' },
  ...given,
});

function written(segments: readonly StreetSegment[]) {
  const path = join(temporaryDirectory(), ADDRESSES_FILE);
  writeAddressesFile(path, segments);
  const file = openAddressesFile(path);
  onTestFinished(() => file.container.release());
  return file;
}

test('a segment comes back as it was written: descending, one-sided, without ZIP or city', () => {
  const segments = [
    segment({}),
    segment({ street: 'N Sample St', left: { from: 299, to: 201, zip: '' }, right: undefined }),
    segment({ street: 'Doña Ana Way', city: '', left: undefined, right: { from: 0, to: 999_999, zip: '00501' } }),
  ];
  const file = written(segments);
  expect(file.segmentCount).toBe(3);
  const byName = (a: StreetSegment, b: StreetSegment) => (a.street < b.street ? -1 : 1);
  expect([0, 1, 2].map((row) => file.segment(row)).sort(byName)).toStrictEqual(segments.toSorted(byName));
});

test('streets are found by key, in any of the ZIPs of their sides, in their state and city', () => {
  const here = segment({});
  const elsewhere = segment({ city: 'North Demo-Field', stateFips: '55', left: undefined, right: undefined });
  const file = written([segment({ street: 'Sample Ave' }), here, elsewhere, segment({ street: 'Zz Rd' })]);
  expect(file.find('SAMPLE ST', {})).toStrictEqual([here, elsewhere]);
  expect(file.find('SAMPLE ST', { zip: '55001' })).toStrictEqual([here]);
  expect(file.find('SAMPLE ST', { zip: '55002' })).toStrictEqual([here]);
  expect(file.find('SAMPLE ST', { zip: '55003' })).toEqual([]);
  expect(file.find('SAMPLE ST', { stateFips: '55' })).toStrictEqual([elsewhere]);
  expect(file.find('SAMPLE ST', { city: 'north demo field' })).toStrictEqual([elsewhere]);
  expect(file.find('SAMPLE', {})).toEqual([]);
  expect(file.find('ZZZ', {})).toEqual([]);
});

test('names that differ only in their spelling are one street', () => {
  const spellings = [segment({ street: 'North Sample Street' }), segment({ street: 'N Sample St' })];
  const streets = written(spellings).find('N SAMPLE ST', {});
  expect(streets.map(({ street }) => street)).toEqual(['N Sample St', 'North Sample Street']);
});
