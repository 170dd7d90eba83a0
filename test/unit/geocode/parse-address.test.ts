import { expect, test } from 'vitest';
import { parseAddress } from '../../../src/geocode/parse/parse-address.js';
import type { AddressReading } from '../../../src/geocode/parse/readings.js';
import { MAX_ADDRESS_LENGTH } from '../../../src/geocode/parse/tokens.js';

/** The likeliest reading in short: number, words of the street, city, state, ZIP. */
function firstReading(address: string): string {
  const parsed = parseAddress(address);
  if (parsed.kind !== 'address') return parsed.kind;
  const [reading] = parsed.readings;
  if (!reading) return 'none';
  const { number, words, city, stateFips, zip } = reading;
  return [number.written, words.join(' '), city.join(' '), stateFips, zip].join('|');
}

/** Where words before the street are left out. */
function otherReadings(address: string): readonly AddressReading[] {
  const parsed = parseAddress(address);
  return parsed.kind === 'unplaceable' ? [] : parsed.otherwise();
}

const WHOLE = '123|SAMPLEWOOD AVE|SAMPLETON|10|19901';

test.each([
  '123 Samplewood Ave, Sampleton, DE 19901',
  '123 samplewood ave, sampleton, de, 19901',
  '  123  SAMPLEWOOD AVE. , Sampleton , Delaware 19901-1234 ',
  '123 Samplewood Ave, Sampleton, DE 199011234, USA',
  '123 Samplewood Ave, Sampleton, DE 19901 1234, U.S.A.',
  '123 Samplewood Ave Apt 4B, Sampleton, DE 19901, United States',
  '123 Samplewood Ave Apt 4B Sampleton, DE 19901',
  '123 Samplewood Ave, Suite 200, Sampleton DE 19901',
  '123 Samplewood Ave #12, Sampleton, DE 19901',
  '123 Samplewood Ave, # 12, Sampleton, DE 19901',
  '123 Samplewood Ave, Unit # C, Sampleton, D.E. 19901',
  '123 Samplewood Ave, 2nd Floor, Sampleton, DE 19901',
  '123 Samplewood Ave Bsmt, Sampleton, DE 19901',
  '123 1/2 Samplewood Ave\nSampleton, DE 19901',
  '123½ Samplewood Ave; Sampleton; DE 19901',
  '123 Samplewood Ave | Sampleton | DE | 19901',
  '123 SAMPLEWOOD AVE^APT 4B^SAMPLETON^DE^19901^USA',
  '123 SAMPLEWOOD AVE^^SAMPLETON^DE^19901-1234',
  '123A Samplewood Ave, Sampleton, DE 19901 United States of America',
  '123-A Samplewood Ave, Sampleton, DE 19901',
  'Apt 4B 123 Samplewood Ave, Sampleton, DE 19901',
  'Sample Clinic, 123 Samplewood Ave, Sampleton, DE 19901',
  '123 Samplewood Ave, PO Box 7, Sampleton, DE 19901',
  '123 Samplewood Ave PO Box 7, Sampleton, DE 19901',
  '123 Samplewood Ave P O Box 7, Sampleton, DE 19901',
  '123 Samplewood Ave POBOX 7, Sampleton, DE 19901',
  '123 Samplewood Ave POB7, Sampleton, DE 19901',
  'PO Box 7 / 123 Samplewood Ave, Sampleton, DE 19901',
  'P.O. Box #7 and 123 Samplewood Ave, Sampleton, DE 19901',
  'POB 7 123 Samplewood Ave, Sampleton, DE 19901',
  '#123 Samplewood Ave, Sampleton, DE 19901',
  '123, Samplewood Ave, Sampleton, DE 19901',
  '123 Samplewood Ave Apt.4B, Sampleton, DE 19901.0',
])('reads %j', (address) => {
  expect(firstReading(address)).toBe(WHOLE);
});

test.each([
  ['37-18 Sample St, NY 11101', '37-18|SAMPLE ST||36|11101'],
  ['117-01 Sample St, NY 11101', '117-01|SAMPLE ST||36|11101'],
  ['P99 Sample Rd, NC 27944', 'P99|SAMPLE RD||37|27944'],
  ['N6W23001 Sample Rd, Town WI', 'N6W23001|SAMPLE RD|TOWN|55|'],
  ['12 Dempsey-White Ln, NC 27944', '12|DEMPSEY WHITE LN||37|27944'],
  ['12 CR-5, MT 59645', '12|CR 5||30|59645'],
  ['12 Peña Way, CA 90001', '12|PENA WAY||06|90001'],
  ["12 O'Brien St., Washington, D.C.", '12|OBRIEN ST|WASHINGTON|11|'],
  ['12 Samplewood Ave New Sampleton NY 10001', '12|SAMPLEWOOD AVE NEW SAMPLETON||36|10001'],
  ['12 Sample St, Charleston, West Virginia', '12|SAMPLE ST|CHARLESTON|54|'],
  ['5 Demo Ct, CT 06001', '5|DEMO CT||09|6001'],
])('reads %j as %s', (address, expected) => {
  expect(firstReading(address)).toBe(expected);
});

test('a court is not taken for Connecticut alone, and a letter behind the number not for the street alone', () => {
  const readings = (address: string) => {
    const parsed = parseAddress(address);
    return parsed.kind === 'address' ? parsed.readings.map(({ words, stateFips }) => [words.join(' '), stateFips]) : [];
  };
  expect(readings('5 Demo Ct 06001')).toEqual([
    ['DEMO', '09'],
    ['DEMO CT', undefined],
  ]);
  expect(readings('5 A Main St, DE')).toEqual([
    ['A MAIN ST', '10'],
    ['MAIN ST', '10'],
  ]);
});

test.each([
  '5th Ave & Main St, Town, DE',
  '5th Ave and Main St, Town DE',
  '5th Ave/Main St, Town, DE',
  '5th Ave @ Main St, Town DE',
])('%j is a crossing', (address) => {
  const parsed = parseAddress(address);
  if (parsed.kind !== 'crossing') return expect.fail(parsed.kind);
  expect(parsed.readings[0]?.streets[0]).toEqual(['5TH', 'AVE']);
  expect(parsed.readings[0]?.streets[1].slice(0, 2)).toEqual(['MAIN', 'ST']);
});

test.each([
  'PO Box 12, Sampleton, DE 19901',
  'PO Box 12 5, Sampleton, DE 19901',
  'PO Box 120 1st St, Sampleton, DE 19901',
  'P.O. Box 12, Sampleton, DE 19901',
  'p o box 12 sampleton de 19901',
  'Post Office Box 12, Sampleton DE',
  'POB 12, Sampleton, DE 19901',
  'P.O.Box12, Sampleton, DE 19901',
  'PO Box12 Sampleton DE',
  'P.O. Drawer 12, Sampleton, DE',
  'Jane Sample PO Box 12, Sampleton, DE',
  'Jane Sample P O Box 12, Sampleton, DE',
  'Jane Sample POBOX 12, Sampleton, DE',
  'Jane Sample POB12, Sampleton, DE',
  '12 HC 2 Box 15, Sampleton, DE',
  'Sample & Sons, P.O. Box #12, Sampleton, DE',
  'Suite 5, POB 12, Sampleton, DE',
  '5 P O Box 12, Sampleton, DE',
  '12 RR 2 Box 15, Sampleton, DE',
  'Lock Box 12, Sampleton, DE 19901',
  'RR 2 Box 15, Sampleton, DE 19901',
  'RR #2 Box 15, Sampleton, DE 19901',
  'RFD 2 Box 15, Sampleton, DE 19901',
  'RD #2 Box 15 Sampleton DE 19901',
  'Rt 2 Box 15, Sampleton, DE 19901',
  'Route 2 Box 15 Sampleton DE',
  'HC 63 Box 5, Sampleton, DE 19901',
  'General Delivery, Sampleton, DE 19901',
  'PSC 3 Box 1234, APO AE 09012',
  'Unit 5 Box 77, FPO AP 96350',
  'Sgt J Sample, 12 Sample St, APO, AE 09012',
])('%j names no place on the ground', (address) => {
  expect(parseAddress(address).kind).toBe('unplaceable');
});

test.each([
  '',
  ' ',
  '19901',
  'Sampleton',
  'Sampleton, DE',
  'Samplewood Ave, Sampleton, DE 19901',
  "'; DROP TABLE tracts; --",
  '🏠🏠🏠',
  '東京都千代田区1-1',
  '12 улица Пример, Sampleton, DE 19901',
  '１２ شارع, Sampleton, DE 19901',
  '\u0000\u0001\u0002',
  `1 ${'A'.repeat(MAX_ADDRESS_LENGTH)}`,
  '123',
  '(302) 555-0100',
  '302 5550100',
  '302-555-0100, DE',
  '123, DE',
  'tel. 302-555-0100',
  'Jane Sample (302) 555-0100',
  'Jane Sample 302 555 0100, Sampleton, DE',
])('%j is nothing', (address) => {
  expect(parseAddress(address).kind).toBe('nothing');
  expect(otherReadings(address)).toEqual([]);
});

test('an address is as long as it has code points, the measure by which requests are accepted', () => {
  const address = '123 Main St, Town, DE';
  const houses = (count: number): string => `${'🏠'.repeat(count)} ${address}`;
  const most = MAX_ADDRESS_LENGTH - address.length - 1;
  expect(firstReading(houses(most))).toBe(firstReading(address));
  expect(firstReading(houses(most + 1))).toBe('nothing');
});

test.each([
  ['5th & Main St, Town, DE', 'crossing', 0],
  ['5 & 7 Main St, Town, DE', 'crossing', 1],
  ['123 Main St, Town, DE', 'address', 0],
  ['100 and 102 Main St, Town, DE', 'address', 1],
  ['Jane Sample 123 Main St, Town, DE', 'nothing', 1],
  ['Jane Sample & Sons 123 Main St, Town, DE', 'crossing', 1],
  ['Jane Sample 45 Main St, 123 Main St, Town, DE', 'address', 0],
] as const)('what is written decides first: %s', (address, kind, others) => {
  expect(parseAddress(address).kind).toBe(kind);
  // The state may be a part of the city, too.
  expect(otherReadings(address).filter(({ stateFips }) => stateFips === '10')).toHaveLength(others);
});
