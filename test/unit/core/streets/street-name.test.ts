import { expect, test } from 'vitest';
import { plainWords } from '../../../../src/core/streets/fold-text.js';
import { parseHouseNumber } from '../../../../src/core/streets/house-number.js';
import { otherReadings } from '../../../../src/core/streets/other-readings.js';
import { pointBeside, shareOfNumber } from '../../../../src/core/streets/street-line.js';
import { parseStreetText, type StreetName } from '../../../../src/core/streets/street-name.js';

const parts = ({ before, key, type, after }: StreetName) => [before, key, type, after];

/** Each row's spellings are one name. */
test.each([
  ['N Samplewood Ave', 'north samplewood avenue', 'N. Sample wood Av', 'North Samplewood AVENUE'],
  ['5th Ave', 'Fifth Avenue', '5 Av', 'fifth ave.'],
  ['21st St NW', 'Twenty-First Street Northwest', '21 St N.W.', 'twentyfirst st nw'],
  ['St Marys Blvd', "Saint Mary's Boulevard", 'St. Marys Blvd.'],
  ['US Hwy 12', 'U.S. Highway 12', 'US 12', 'US-12', 'US Route 12', 'United States Hwy 12', 'u s rte 12'],
  ['State Hwy 360', 'State Highway 360', 'SR 360', 'SR-360', 'State Route 360', 'Montana 360', 'MT-360', 'MT Hwy 360'],
  ['Co Rd 5', 'County Road 5', 'CR-5', 'CR 5', 'County Hwy 5', 'Cnty Rd 5'],
  ['Co Rd A', 'County Road A'],
  ['State Hwy E', 'State Route E', 'MO Hwy E', 'State Highway East', 'Missouri Route East'],
  ['Hwy N', 'Highway N', 'Highway North'],
  ['Co Hwy N', 'Co Highway North', 'County Highway North'],
  ['County Road North', 'County Rd North'],
  ['Texas Rd E', 'Texas Road East'],
  ['Delaware E', 'Delaware East'],
  ['US Hwy 89 N', 'US Highway 89 North', 'US-89 N'],
  ['Mountain View Trl', 'Mountainview Trail', 'Mtn View Trl', 'Mountain Vw Trl'],
  ['Castle Mtn Ests Rd', 'Castle Mountain Estates Road'],
  ['E St NW', 'East Street NW'],
  ['Ave B', 'Avenue B'],
  ['Ave N', 'Avenue N', 'Avenue North'],
  ['Doña Ana Way', 'Dona Ana Wy'],
  ['Lazy W Ln', 'Lazy West Lane'],
])('%s is one name, however it is written', (first, ...others) => {
  const expected = parseStreetText(first);
  expect(expected).toBeDefined();
  for (const other of others) expect(parseStreetText(other), other).toEqual(expected);
});

test.each([
  ['N Main St', 'S Main St'],
  ['Main St', 'Main Ave'],
  ['1st Ave SE', '1st Ave SW'],
  ['5th Ave', '6th Ave'],
  ['US Hwy 12', 'State Hwy 12'],
  ['Co Rd 5', 'Co Rd 15'],
])('%s and %s are two', (a, b) => {
  expect(parseStreetText(a)).not.toEqual(parseStreetText(b));
});

test.each([
  ['E South St', [3, 'SOUTH', 'ST', 0]],
  ['North St', [0, 'NORTH', 'ST', 0]],
  ['S East Rd', [5, 'EAST', 'RD', 0]],
  ['1st Ave SW', [0, '1', 'AVE', 6]],
  ['W Main', [7, 'MAIN', '', 0]],
  ['Grasshopper', [0, 'GRASSHOPPER', '', 0]],
  ['S Edenton Road St', [5, 'EDENTONROAD', 'ST', 0]],
  ['Street', [0, 'STREET', '', 0]],
  ['Avenue N', [0, 'AVENUENORTH', '', 0]],
  ['Avenue B N', [0, 'AVENUEB', '', 1]],
])('%s is taken apart', (street, expected) => {
  const name = parseStreetText(street);
  expect(name && parts(name)).toEqual(expected);
});

test('what is taken for a kind of street or a direction may be of the name', () => {
  const readings = (street: string) => {
    const words = plainWords(street);
    const usual = parseStreetText(street);
    return usual ? otherReadings(words, usual).map(({ key }) => key) : [];
  };
  expect(readings('Perrys Bridge')).toEqual(['PERRYSBRIDGE']);
  expect(readings('Nw Hope Rd')).toEqual(['HOPEROAD', 'NWHOPE', 'NWHOPEROAD']);
  expect(readings('Grasshopper')).toEqual([]);
  expect(readings('W 8 Mile Rd')).toContain('EIGHTMILE');
  expect(readings('Twelve Oaks Ln')).toContain('12OAKS');
  expect(readings('Green Mt Rd')).toContain('GREENMOUNTAIN');
});

test.each([
  ['123', '', 123],
  ['123A', '', 123],
  ['123-A', '', 123],
  ['37-18', '37-', 18],
  ['117-01', '117-', 1],
  ['P99', 'P', 99],
  ['LO98', 'LO', 98],
  ['N6W23001', 'N6W', 23_001],
  ['1-400', '1-', 400],
  ['N6W123456789', 'N6W', 123_456_789],
])('the house number %s has the prefix %j and the value %i', (text, prefix, value) => {
  expect(parseHouseNumber(text)).toMatchObject({ prefix, value });
});

test.each(['', 'A', '-', '12-', '1234567890', 'ABCDEFGHIJKL1', '1/2', '12ABC'])('%j is no house number', (text) => {
  expect(parseHouseNumber(text)).toBeUndefined();
});

test('a point beside a bent line is along its length and on its side', () => {
  // A kilometre east, then a kilometre north, at the equator.
  const line = Int32Array.of(0, 0, 10_000, 0, 10_000, 10_000);
  expect(pointBeside(line, 0.25, 'left', 0)).toEqual({ lat: 0, lng: 0.005 });
  expect(pointBeside(line, 0.25, 'left', 11.1195)).toEqual({ lat: 0.0001, lng: 0.005 });
  expect(pointBeside(line, 0.25, 'right', 11.1195)).toEqual({ lat: -0.0001, lng: 0.005 });
  expect(pointBeside(line, 0.75, 'left', 11.1195)).toEqual({ lat: 0.005, lng: 0.0099 });
  expect(pointBeside(line, 1, 'right', 11.1195)).toEqual({ lat: 0.01, lng: 0.0101 });
  expect(pointBeside(Int32Array.of(5, 7), 0.5, 'left', 10)).toEqual({ lat: 7e-6, lng: 5e-6 });
});

test('a point beside a line that repeats a place is beside the rest of the line', () => {
  const line = Int32Array.of(0, 0, 0, 0, 10_000, 0, 10_000, 0);
  expect(pointBeside(line, 0, 'left', 11.1195)).toEqual({ lat: 0.0001, lng: 0 });
  expect(pointBeside(line, 0.5, 'left', 11.1195)).toEqual({ lat: 0.0001, lng: 0.005 });
  expect(pointBeside(line, 1, 'left', 11.1195)).toEqual({ lat: 0.0001, lng: 0.01 });
});

test.each([
  [1, 101, 51, 0.5],
  [101, 1, 26, 0.725],
  [1, 99, 1, 0.05],
  [1, 99, 99, 0.95],
  [1, 99, 101, 0.95],
  [99, 1, 101, 0.05],
  // A range of one house.
  [7, 7, 7, 0.5],
])('of a range from %i to %i, number %i is at a share of %d of the line', (from, to, value, share) => {
  expect(shareOfNumber(from, to, value)).toBeCloseTo(share, 12);
});

test('words within a name are the same, abbreviated or not', () => {
  for (const [short, whole] of [
    ['Sunny Pk Dr', 'Sunny Park Dr'],
    ['Pso del Norte', 'Paseo del Norte'],
    ['Ave de la Playa', 'Avenida de la Playa'],
    ['Oak Arprt Rd', 'Oak Airport Rd'],
  ] as const) {
    expect(parseStreetText(short)?.key, short).toBe(parseStreetText(whole)?.key);
  }
});
