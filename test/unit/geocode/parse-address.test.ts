import { expect, test } from 'vitest';
import { streetKey } from '../../../src/core/street-words.js';
import { MAX_ADDRESS_LENGTH, parseAddress } from '../../../src/geocode/parse-address.js';

/** The likeliest reading in short: number, street, city, state, ZIP. */
function firstReading(address: string): string {
  const [reading] = parseAddress(address);
  if (!reading) return 'none';
  const { houseNumber, street, city, stateFips, zip } = reading;
  return [houseNumber, street, city, stateFips, zip].join('|');
}

const WHOLE = '123|SAMPLEWOOD AVE|SAMPLETON|10|19901';

test.each([
  '123 Samplewood Ave, Sampleton, DE 19901',
  '123 samplewood avenue, sampleton, de, 19901',
  '  123  SAMPLEWOOD AV. , Sampleton , Delaware 19901-1234 ',
  '123 Samplewood Ave, Sampleton, DE 199011234, USA',
  '123 Samplewood Ave Apt 4B, Sampleton, DE 19901, United States',
  '123 Samplewood Ave, Suite 200, Sampleton DE 19901',
  '123 Samplewood Ave #12, Sampleton, DE 19901',
  '123 Samplewood Ave, Unit # C, Sampleton, D.E. 19901',
  '123 1/2 Samplewood Ave\nSampleton, DE 19901',
  '123A Samplewood Ave, Sampleton, DE 19901 United States of America',
])('reads %j', (address) => {
  expect(firstReading(address)).toBe(WHOLE);
});

test('without commas, the street ends after any of the words', () => {
  const splits = parseAddress('123 Samplewood Ave New Sampleton NY 10001').map(({ street, city }) => [street, city]);
  expect(splits.slice(0, 4)).toEqual([
    ['SAMPLEWOOD AVE NEW SAMPLETON', undefined],
    ['SAMPLEWOOD AVE NEW', 'SAMPLETON'],
    ['SAMPLEWOOD AVE', 'NEW SAMPLETON'],
    ['SAMPLEWOOD', 'AVE NEW SAMPLETON'],
  ]);
});

test('a court is not taken for Connecticut alone', () => {
  const streets = parseAddress('5 Demo Ct 06001').map(({ street, stateFips }) => [street, stateFips]);
  expect(streets).toContainEqual(['DEMO CT', undefined]);
  expect(firstReading('5 Demo Ct, CT 06001')).toBe('5|DEMO CT||09|06001');
});

test.each([
  ['District of Columbia', '11'],
  ['West Virginia', '54'],
  ['new york', '36'],
])('knows the state %s by its name', (name, fips) => {
  expect(parseAddress(`1 Demo St, Town, ${name}`)[0]?.stateFips).toBe(fips);
});

test.each([
  '',
  ' ',
  '19901',
  'Sampleton, DE',
  'Samplewood Ave, Sampleton, DE 19901',
  'PO Box 12, Sampleton, DE 19901',
  '302-555-0100',
  "'; DROP TABLE tracts; --",
  '🏠🏠🏠',
  '東京都千代田区1-1',
  '12 улица Пример, Sampleton, DE 19901',
  '\u0000\u0001\u0002',
  '5th Ave & Main St',
  `1 ${'A'.repeat(MAX_ADDRESS_LENGTH)}`,
])('gives no reading for %j', (address) => {
  expect(parseAddress(address)).toEqual([]);
});

test('an address that ends after its number names no street', () => {
  expect(parseAddress('123').map(({ street }) => street)).toEqual([]);
});

test.each([
  ['North Samplewood Avenue', 'N SAMPLEWOOD AVE'],
  ['n. samplewood av', 'N SAMPLEWOOD AVE'],
  ["St. Mary's Boulevard", 'ST MARYS BLVD'],
  ['Doña Ana Way', 'DONA ANA WAY'],
])('compares %s as %s', (street, key) => {
  expect(streetKey(street)).toBe(key);
});
