import { describe, expect, onTestFinished, test } from 'vitest';
import { distanceMiles, type LatLng } from '../../../src/core/coordinates.js';
import type { Side } from '../../../src/core/streets/street-line.js';
import { addressFilesOf } from '../../../src/format/addresses/address-files.js';
import { createShardBuilder } from '../../../src/format/addresses/shard-builder.js';
import { createEmbeddedGeocoder } from '../../../src/geocode/embedded.js';
import { GeocoderUnavailableError, isMatch } from '../../../src/geocode/geocoder.js';
import { matchAddress } from '../../../src/geocode/match/match-address.js';
import { MATCH_THRESHOLD } from '../../../src/geocode/match/scores.js';
import { openBuilt } from '../../support/street-files.js';

const METRES_PER_MILE = 1609.344;

/** Tracts: 0 north of 45° N, 1 south of it. */
const locate = ({ lat }: LatLng): number => (lat >= 45 ? 0 : 1);

const BOTH: readonly Side[] = ['left', 'right'];

/** A street along a parallel, about 788 m long, with odd numbers on its left (north) side, even on its right. */
interface Street {
  readonly name: string;
  readonly lat?: number;
  readonly zip?: string;
  readonly first?: number;
  readonly prefix?: string;
  readonly sides?: readonly Side[];
}

type Cities = readonly (readonly [zip: string, city: string])[];

function files(streets: readonly Street[], cities: Cities = [], state = '10') {
  const builder = createShardBuilder(state);
  for (const { name, lat = 45, zip = '19901', first = 100, prefix = '', sides = BOTH } of streets) {
    const y = Math.round(lat * 1e6);
    const edge = builder.addEdge(Int32Array.of(-75_010_000, y, -75_000_000, y));
    for (const side of sides) {
      const from = first + (side === 'left' ? 1 : 0);
      const tract = lat > 45 || (lat === 45 && side === 'left') ? 0 : 1;
      builder.addRange({ street: name, zip, prefix, from, to: from + 98, mixed: false, side, edge, tract });
    }
  }
  for (const [zip, city] of cities) builder.addCity(zip, city);
  const opened = openBuilt(state, builder);
  onTestFinished(() => {
    for (const { container } of opened.shards) container.release();
  });
  return opened;
}

const STREET: Street = { name: 'Samplewood Ave' };
const CITY = [['19901', 'Sampleton']] as const;

/** What a set of streets makes of an address: where it matched, or why not. */
function ask(streets: readonly Street[], cities: Parameters<typeof files>[1] = CITY) {
  const opened = files(streets, cities);
  return (address: string) => matchAddress(opened, locate, address);
}

/** The same with streets in two states, Delaware and New Jersey, in the first ZIP of each. */
function askStates(...states: readonly (readonly [streets: readonly Street[], cities: Cities])[]) {
  const shards = states.flatMap(([streets, cities], at) => {
    const zip = cities[0]?.[0] ?? '';
    return files(
      streets.map((street) => ({ ...street, zip, lat: 45.5 - at })),
      cities,
      ['10', '34'][at],
    ).shards;
  });
  return (address: string) => matchAddress(addressFilesOf(shards), locate, address);
}

const matched = (result: ReturnType<typeof matchAddress>): string =>
  'noMatch' in result ? result.noMatch : `${result.matchedAddress} (${result.matchType})`;

describe('where an address lies', () => {
  test('is interpolated along its street and set off to its own side', () => {
    const at = (number: number) => {
      const result = ask([STREET])(`${number} Samplewood Ave, Sampleton, DE 19901`);
      return isMatch(result) ? result : expect.fail(`${number} has no match`);
    };
    const [odd, even] = [at(101), at(100)];
    expect(odd.matchedAddress).toBe('101 Samplewood Ave, Sampleton, DE 19901');
    expect(odd.lng).toBeCloseTo(even.lng, 6);
    expect(odd.lng).toBeLessThan(-75.009);
    expect([locate(odd), locate(even)]).toEqual([0, 1]);
    expect(distanceMiles(odd, even) * METRES_PER_MILE).toBeCloseTo(20, 0);
    expect(at(199).lng).toBeGreaterThan(-75.001);
    expect([at(101).matchType, at(151).matchType]).toEqual(['exact', 'interpolated']);
  });

  test('is in the tract of its side, also where another boundary is nearer than the usual offset', () => {
    const opened = files([STREET]);
    // Tract 0 is a strip of two metres.
    const strip = ({ lat }: LatLng): number => (lat < 45 ? 1 : lat < 45 + 2 / 111_195 ? 0 : 2);
    const result = matchAddress(opened, strip, '151 Samplewood Ave 19901');
    expect(isMatch(result) && strip(result)).toBe(0);
  });
});

describe('an address is matched', () => {
  const geocode = () => ask([STREET, { name: 'N Oak St', first: 300 }, { name: 'US Hwy 12', first: 500 }]);
  test.each([
    ['151 samplewood avenue sampleton de 19901', '151 Samplewood Ave, Sampleton, DE 19901 (interpolated)'],
    ['151 Samplewood Ave, Elsewhere, DE 19901', '151 Samplewood Ave, Sampleton, DE 19901 (interpolated)'],
    ['151 Samplewood Ave 19901', '151 Samplewood Ave, Sampleton, DE 19901 (interpolated)'],
    ['151 Samplewood Ave, Sampleton, DE', '151 Samplewood Ave, Sampleton, DE 19901 (interpolated)'],
    ['151 Samplewood Ave, Sampletom, DE', '151 Samplewood Ave, Sampleton, DE 19901 (interpolated)'],
    ['151 Samplewood Ave Sampleton', '151 Samplewood Ave, Sampleton, DE 19901 (interpolated)'],
    ['151 Samplewood Ave, DE', '151 Samplewood Ave, Sampleton, DE 19901 (interpolated)'],
    ['151 Samplewood, Sampleton, DE 19901', '151 Samplewood Ave, Sampleton, DE 19901 (interpolated)'],
    ['151 Samplewood St, Sampleton, DE 19901', '151 Samplewood Ave, Sampleton, DE 19901 (interpolated)'],
    ['151 Samplewod Ave, Sampleton, DE 19901', '151 Samplewood Ave, Sampleton, DE 19901 (interpolated)'],
    ['151 Samplewood Avenu Ct, Sampleton, DE 19901', 'no match'],
    ['151 SW Samplewood St, Sampleton, DE 19901', 'no match'],
    ['151 Samplewood Steret, Sampleton, DE 19901', '151 Samplewood Ave, Sampleton, DE 19901 (interpolated)'],
    ['203 Samplewood Ave, Sampleton, DE 19901', '203 Samplewood Ave, Sampleton, DE 19901 (street)'],
    ['151 Samplewood Ave, Sampleton, DE 19902', '151 Samplewood Ave, Sampleton, DE 19901 (interpolated)'],
    ['350 Oak St, Sampleton, DE 19901', '350 N Oak St, Sampleton, DE 19901 (interpolated)'],
    ['350 Oak St N, Sampleton, DE 19901', '350 N Oak St, Sampleton, DE 19901 (interpolated)'],
    ['550 Highway 12, Sampleton, DE 19901', '550 US Hwy 12, Sampleton, DE 19901 (interpolated)'],
    ['550 US-12, Sampleton, DE 19901', '550 US Hwy 12, Sampleton, DE 19901 (interpolated)'],
  ])('%s: %s', (address, expected) => {
    expect(matched(geocode()(address))).toBe(expected);
  });

  test('by its city alone where the range has no ZIP', () => {
    const geocode = ask([STREET, { name: 'Oak St', zip: '' }]);
    expect(matched(geocode('151 Oak St, Sampleton, DE'))).toBe('151 Oak St, DE (interpolated)');
  });

  test('by a street’s number in letters for figures, and back, unless both are streets', () => {
    const miles = ask([{ name: 'Eight Mile Rd' }, { name: '9 Mile Rd' }]);
    expect(matched(miles('151 8 Mile Rd, Sampleton, DE 19901'))).toMatch(/^151 Eight Mile Rd, .*interpolated/);
    expect(matched(miles('151 Nine Mile Rd, Sampleton, DE 19901'))).toMatch(/^151 9 Mile Rd, .*interpolated/);
    const both = ask([{ name: 'Eight Mile Rd', lat: 45.5 }, { name: '8 Mile Rd' }]);
    expect(matched(both('151 8 Mile Rd, Sampleton, DE 19901'))).toMatch(/^151 8 Mile Rd/);
    expect(matched(both('151 Eight Mile Rd, Sampleton, DE 19901'))).toMatch(/^151 Eight Mile Rd/);
  });

  test('by its number before the hyphen where nobody has hyphens, and without the hyphen where everybody has', () => {
    const queens = ask([{ name: 'Sample St', prefix: '37-', first: 0 }]);
    expect(matched(queens('37-18 Sample St, Sampleton, DE 19901'))).toMatch(/^37-18 Sample St, .*interpolated/);
    expect(matched(queens('3718 Sample St, Sampleton, DE 19901'))).toMatch(/^37-18 Sample St/);
    const faraway = { name: 'N Sample Blvd S', first: 3700, zip: '19902' };
    const amidOthers = ask([{ name: 'Sample St', prefix: '37-', first: 0 }, faraway]);
    expect(matched(amidOthers('3718 Sample St, Sampleton, DE 19901'))).toMatch(/^37-18 Sample St/);
    expect(matched(ask([STREET])('151-4 Samplewood Ave, Sampleton, DE 19901'))).toMatch(/^151 Samplewood/);
    const long = ask([
      { name: 'Elm St', lat: 46, first: 0 },
      { name: 'Elm St', lat: 44, first: 100 },
    ]);
    for (const comma of [',', '']) expect(matched(long(`5-159 Elm St${comma} Sampleton DE 19901`))).toBe('tie');
  });
});

describe('an address has no match', () => {
  test.each(['99999', '50', '240', '0'])('with the number %s, far outside of the ranges', (number) => {
    expect(ask([STREET])(`${number} Samplewood Ave, Sampleton, DE 19901`)).toEqual({ noMatch: 'no match' });
  });

  test('with an even number where only odd ones are', () => {
    const geocode = ask([{ ...STREET, sides: ['left'] }]);
    expect(geocode('150 Samplewood Ave, Sampleton, DE 19901')).toEqual({ noMatch: 'no match' });
    expect(isMatch(geocode('151 Samplewood Ave, Sampleton, DE 19901'))).toBe(true);
  });

  test('where too much is different: below the threshold nothing is answered', () => {
    const geocode = ask([STREET]);
    expect(geocode('203 Samplwood Blvd, Sampleton, DE 19902')).toEqual({ noMatch: 'no match' });
    const scored = geocode('151 Samplwood Blvd, Sampleton, DE 19901');
    expect('score' in scored && scored.score).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
  });

  test('in one direction of a street is not looked for in the other, where the ZIP has both', () => {
    const south = ask([{ name: 'S Samplewood Ave', first: 500 }]);
    expect(isMatch(south('550 N Samplewood Ave, DE 19901'))).toBe(true);
    const both = ask([
      { name: 'S Samplewood Ave', first: 500 },
      { name: 'N Samplewood Ave', first: 100 },
    ]);
    expect(both('550 N Samplewood Ave, DE 19901')).toEqual({ noMatch: 'no match' });
    expect(both('550 N Samplewood, DE 19901')).toEqual({ noMatch: 'no match' });
    const behind = ask([
      { name: '1st Ave SE', first: 500 },
      { name: '1st Ave NE', first: 100 },
    ]);
    expect(behind('550 1st Ave NE, DE 19901')).toEqual({ noMatch: 'no match' });
    expect(isMatch(behind('550 1st Ave SE, DE 19901'))).toBe(true);
    expect(isMatch(both('550 S Samplewood Ave, DE 19901'))).toBe(true);
  });

  test('on a numbered street is not looked for in one of another kind, where both are in the city or in the next ZIP', () => {
    const avenue = { name: '5th Ave', first: 100 };
    const street = { name: '5th St', zip: '19902', first: 500 };
    const inTwoZips = ask([avenue, street], [...CITY, ['19902', 'Sampleton']]);
    expect(inTwoZips('550 5th Ave, Sampleton, DE')).toEqual({ noMatch: 'no match' });
    expect(isMatch(inTwoZips('550 5th St, Sampleton, DE'))).toBe(true);
    const inNextZip = ask([{ name: 'Oak St' }, { ...avenue, zip: '19902' }, street]);
    expect(inNextZip('550 5th Ave, DE 19901')).toEqual({ noMatch: 'no match' });
    expect(isMatch(inNextZip('550 5th St, DE 19901'))).toBe(true);
  });

  test('where what follows half of a street’s name is no city', () => {
    const geocode = ask([{ name: 'Forest Rd' }, { name: 'Wood' }]);
    expect(geocode('150 Forest Service Road 211, DE 19901')).toEqual({ noMatch: 'no match' });
    expect(geocode('150 Forest Service Road DE 19901')).toEqual({ noMatch: 'no match' });
    expect(geocode('150 Wood Hill Rd DE 19901')).toEqual({ noMatch: 'no match' });
    expect(isMatch(geocode('150 Forest Rd B12 Sampleton DE 19901'))).toBe(true);
  });

  test('where what follows a numbered street’s name is a kind and a direction, and no city', () => {
    const geocode = ask([{ name: '5th Ave SE' }]);
    expect(isMatch(geocode('150 5th St SE, Sampleton, DE 19901'))).toBe(true);
    for (const kind of ['St', 'Pl']) {
      expect(geocode(`150 5th ${kind} SW, DE 19901`)).toEqual({ noMatch: 'no match' });
      expect(geocode(`150 5th ${kind} SW Sampleton DE 19901`)).toEqual({ noMatch: 'no match' });
    }
  });

  test.each([
    ['a city of other ZIPs', '151 Samplewood Ave, Otherville, DE'],
    ['no place at all', '151 Samplewood Ave'],
    ['a ZIP alone', '19901'],
    ['a city alone', 'Sampleton, DE'],
    ['a telephone number', '(302) 555-0100'],
    ['SQL', "1'; DROP TABLE tracts; -- DE 19901"],
    ['a place abroad', '10 Samplewood Ave, London SW1A 2AA, United Kingdom'],
    ['half a street’s name', '151 Wood Hill Rd, Sampleton, DE 19901'],
  ])('%s', (_, address) => {
    const geocode = ask(
      [STREET, { name: 'Wood', first: 100 }, { name: 'Samplewood Ave', zip: '19999', first: 900 }],
      [...CITY, ['19999', 'Otherville']],
    );
    expect(geocode(address)).toEqual({ noMatch: 'no match' });
  });

  test.each([
    ['another state', '151 Samplewood Ave, Sampleton, MD', 'not loaded'],
    ['another state and ZIP', '151 Samplewood Ave, Sampleton, MD 21201', 'not loaded'],
    ['another ZIP', '151 Samplewood Ave, 21201', 'not loaded'],
    ['Puerto Rico', '151 Calle Samplewood, San Juan, PR 00901', 'not loaded'],
    ['a crossing elsewhere', 'A St & B St, Sampleton, MD', 'not loaded'],
    ['a state of which another ZIP is there', '151 Pine St, Sampleton, DE 19950', 'no match'],
    ['another state by mistake', '151 Pine St, Sampleton, MD 19901', 'no match'],
  ])('because nothing is loaded of its state and ZIP, if so: %s', (_, address, noMatch) => {
    expect(ask([STREET], CITY)(address)).toEqual({ noMatch });
  });

  test('and says so of a post office box', () => {
    expect(ask([STREET])('PO Box 12, Sampleton, DE 19901')).toEqual({ noMatch: 'cannot be placed' });
  });
});

describe('equally good places', () => {
  const north: Street = { ...STREET, lat: 46 };
  const address = '151 Samplewood Ave, Sampleton, DE 19901';

  test('in different tracts are a tie, in one tract a match', () => {
    expect(isMatch(ask([north, { ...north, lat: 46.5 }])(address))).toBe(true);
    expect(ask([north, { ...north, lat: 44 }])(address)).toEqual({ noMatch: 'tie' });
  });

  test('are a tie too where the damage leaves two', () => {
    const streets = [
      { ...north, name: 'Samplewood St' },
      { ...north, name: 'Samplewood Rd', lat: 44 },
    ];
    expect(ask(streets)('151 Samplewood, Sampleton, DE 19901')).toEqual({ noMatch: 'tie' });
    expect(ask(streets)('151 Samplewod Rd, Sampleton, DE 19901')).toMatchObject({ matchedAddress: /Samplewood Rd/ });
  });

  test('are a tie where a number is just behind the end of a street, and one of another kind has it', () => {
    const avenue = { name: 'Elm Ave', lat: 46 };
    const street = { name: 'Elm St', lat: 44, first: 200 };
    expect(ask([avenue, street])('205 Elm Ave, DE 19901')).toEqual({ noMatch: 'tie' });
    expect(ask([avenue, street])('250 Elm Ave, DE 19901')).toMatchObject({ matchedAddress: /^250 Elm St/ });
    expect(ask([street])('205 Elm Ave, DE 19901')).toMatchObject({ matchedAddress: /^205 Elm St/ });
  });

  test('are a tie where either the street is misspelt or the ZIP is the neighbour’s', () => {
    const streets = [
      { name: 'Ridgewood Ave', lat: 45.01 },
      { name: 'Bridgewood Ave', lat: 44.99, zip: '19902' },
    ];
    expect(ask(streets)('151 Bridgewood Ave, DE 19901')).toEqual({ noMatch: 'tie' });
    expect(ask(streets)('151 Bridgewood Ave, DE 19902')).toMatchObject({ matchedAddress: /^151 Bridgewood/ });
    expect(ask(streets.slice(0, 1))('151 Bridgewood Ave, DE 19901')).toMatchObject({
      matchedAddress: /^151 Ridgewood/,
    });
  });

  test('are a tie where either the ZIP or the city is mistaken', () => {
    const near = { name: 'Samplewood Ave', lat: 45.1, zip: '19902' };
    const far = { name: 'Samplewood Ave', lat: 44, zip: '19950' };
    const there = { name: 'Elsewhere St', lat: 45.1 };
    const cities = [...CITY, ['19902', 'Otherville'], ['19950', 'Fartown']] as const;
    const address = '151 Samplewood Ave, Fartown, DE 19901';
    expect(ask([there, far], cities)(address)).toMatchObject({ matchedAddress: /Fartown, DE 19950$/ });
    expect(ask([there, near], cities)(address)).toMatchObject({ matchedAddress: /DE 19902$/ });
    expect(ask([there, near, far], cities)(address)).toEqual({ noMatch: 'tie' });
    expect(ask([there, { ...near, name: 'Samplewood Rd' }, far], cities)(address)).toMatchObject({
      matchedAddress: /Fartown, DE 19950$/,
    });
    expect(ask([there, far], cities)('151 Samplewood Ave, DE 19901')).toEqual({ noMatch: 'no match' });
  });

  test('are a tie in cities of one name in two states, with commas and without', () => {
    const geocode = askStates([[STREET], CITY], [[STREET], [['07001', 'Sampleton']]]);
    expect(geocode('151 Samplewood Ave, Sampleton')).toEqual({ noMatch: 'tie' });
    expect(geocode('151 Samplewood Ave Sampleton')).toEqual({ noMatch: 'tie' });
  });

  test('are told apart by a city of several words, without commas', () => {
    const geocode = askStates([[STREET], [['19901', 'Sample on the Sound']]], [[STREET], [['07001', 'Sound']]]);
    const found = { matchedAddress: '151 Samplewood Ave, Sample on the Sound, DE 19901' };
    expect(geocode('151 Samplewood Ave Sample on the Sound')).toMatchObject(found);
  });

  test('are told apart by the ZIP, by the city, and by what is written as it is', () => {
    const streets = [north, { ...north, lat: 44, zip: '19902' }, { ...north, lat: 44, name: 'Samplewoods Ave' }];
    const geocode = ask(streets, [...CITY, ['19902', 'Otherville']]);
    const tractOf = (text: string) => {
      const found = geocode(text);
      return isMatch(found) ? locate(found) : found.noMatch;
    };
    expect(tractOf('151 Samplewood Ave, DE 19901')).toBe(0);
    expect(tractOf('151 Samplewood Ave, DE 19902')).toBe(1);
    expect(tractOf('151 Samplewood Ave, Sampleton, DE')).toBe(0);
    expect(tractOf('151 Samplewood Ave, Otherville, DE')).toBe(1);
    expect(tractOf('151 Samplewood Ave, DE')).toBe('tie');
    expect(tractOf('151 Samplewoods Ave, DE 19901')).toBe(1);
  });
});

describe('a ZIP of another state than the one named', () => {
  const geocode = () => askStates([[STREET], CITY], [[STREET], [['07001', 'Otherville']]]);

  test('gives way to city and state, and to neither without a city', () => {
    expect(geocode()('151 Samplewood Ave, Sampleton, DE 07001')).toMatchObject({ matchedAddress: /DE 19901$/ });
    expect(geocode()('151 Samplewood Ave, Otherville, DE 07001')).toMatchObject({ matchedAddress: /NJ 07001$/ });
    expect(geocode()('151 Samplewood Ave, DE 07001')).toEqual({ noMatch: 'tie' });
  });

  test('is no match where the city speaks against it, too, nor with a slip in the street', () => {
    const geocode = askStates([[STREET], CITY]);
    expect(geocode('151 Samplewood Ave, Otherville, NJ 19901')).toEqual({ noMatch: 'no match' });
    expect(isMatch(geocode('151 Samplewood Ave, Sampleton, NJ 19901'))).toBe(true);
    expect(geocode('151 Samplewod Ave, Sampleton, NJ 19901')).toEqual({ noMatch: 'no match' });
  });

  test('is of the one named where both have it', () => {
    const both = askStates([[STREET], CITY], [[STREET], CITY]);
    for (const state of ['DE', 'NJ']) {
      const matchedAddress = `151 Samplewood Ave, Sampleton, ${state} 19901`;
      expect(both(`151 Samplewood Ave, Sampleton, ${state} 19901`)).toMatchObject({ matchedAddress });
      expect(both(`151 Samplewood Ave, ${state} 19901`)).toMatchObject({ matchedAddress });
    }
    expect(both('151 Samplewood Ave, 19901')).toEqual({ noMatch: 'tie' });
  });
});

test.each([
  ['Avenue A', 'Avenue Q'],
  ['Avenue A', 'Ave'],
  ['County Rd B', 'County Rd C'],
  ['County Rd AA', 'CR A'],
  ['State Hwy 5A', 'State Hwy 5B'],
  ['Area 51 Rd', 'Area S1 Rd'],
  ['Area S1 Rd', 'Area 51 Rd'],
])('%s is no misspelt %s', (name, asked) => {
  expect(ask([{ name }])(`151 ${asked}, Sampleton, DE 19901`)).toEqual({ noMatch: 'no match' });
  expect(isMatch(ask([{ name: 'Avenue A' }])('151 Aveune A, Sampleton, DE 19901'))).toBe(true);
});

test('without a dataset or address ranges there is nothing to ask, and the error does not contain the address', async () => {
  for (const dataset of [undefined, { addresses: undefined, outlines: { locate } }]) {
    const failure = await createEmbeddedGeocoder(() => dataset)
      .geocode('7 Marked St')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GeocoderUnavailableError);
    expect(String(failure)).not.toContain('Marked');
  }
});
