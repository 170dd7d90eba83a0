import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { LatLng } from '../../../src/core/coordinates.js';
import { addressFilesOf } from '../../../src/format/addresses/address-files.js';
import { createShardBuilder } from '../../../src/format/addresses/shard-builder.js';
import { MAX_RANGES } from '../../../src/geocode/match/corners.js';
import { matchAddress } from '../../../src/geocode/match/match-address.js';
import { openBuilt } from '../../support/street-files.js';

/** Tracts: 0 north of 45° N, 1 south of it. */
const locate = ({ lat }: LatLng): number => (lat >= 45 ? 0 : 1);

/** Streets that all end at one corner, in tract 0 but where another is named, and what is made of an address. */
function ask(...streets: readonly (readonly [street: string, tract?: number])[]) {
  const builder = createShardBuilder('10');
  const [x, y] = [-75_000_000, 46_000_000];
  streets.forEach(([street, tract = 0], at) => {
    const edge = builder.addEdge(Int32Array.of(x, y, x + 100 * at, y + 10_000));
    const range = { zip: '19901', prefix: '', from: 1, to: 99, mixed: false, side: 'left' } as const;
    builder.addRange({ ...range, street, edge, tract });
  });
  builder.addCity('19901', 'Sampleton');
  const files = openBuilt('10', builder);
  onTestFinished(() => files.shards[0]?.container.release());
  return (address: string) => matchAddress(files, locate, address);
}

test('a crossing is where both streets have an end; in several tracts it is a tie', () => {
  const geocode = ask(['5th Ave'], ['Main St'], ['Boundary Rd', 1]);
  expect(geocode('Fifth Ave & Main Street, DE 19901')).toMatchObject({
    lat: 46,
    lng: -75,
    matchedAddress: '5th Ave & Main St, Sampleton, DE 19901',
    matchType: 'street',
  });
  expect(geocode('Main St and Boundary Rd, DE 19901')).toEqual({ noMatch: 'tie' });
  expect(geocode('5th Ave & Nowhere St, DE 19901')).toEqual({ noMatch: 'no match' });
});

test.each([
  ['19901 5th Ave & Main St', '5th Ave & Main St, Sampleton, DE 19901'],
  ['19901, 5th Ave and Main St', '5th Ave & Main St, Sampleton, DE 19901'],
  ['19902 5th Ave & Main St', undefined],
])('a ZIP may precede the corner: %s', (typed, matchedAddress) => {
  expect(ask(['5th Ave'], ['Main St'])(typed)).toEqual(
    matchedAddress === undefined ? { noMatch: expect.any(String) } : expect.objectContaining({ matchedAddress }),
  );
});

test.each(['N/A', 'n/a', '#N/A', 'N/A, Sampleton', 'N/A Sampleton', 'N/A, N/A'])(
  'what stands for no address is no crossing of N Street and A Street: %s',
  (typed) => {
    const geocode = ask(['N St'], ['A St']);
    expect(geocode('N St/A St, DE 19901')).toMatchObject({ matchType: 'street' });
    expect(geocode(`${typed}, DE 19901`)).toEqual({ noMatch: 'no match' });
  },
);

test.each([
  ['Highway 113 & Sycamore St', 'US Hwy 113 & Sycamore St'],
  ['Sycamore St and Route 113', 'Sycamore St & US Hwy 113'],
  ['Sycamore St & Hwy 113 Sampleton', 'Sycamore St & US Hwy 113'],
  ['Hwy 8 & Sycamore St', 'State Hwy 8 & Sycamore St'],
  ['US 8 & Sycamore St', undefined],
  ['Highway 9 & Sycamore St', undefined],
  ['Highway 11 & Sycamore St', undefined],
])('a highway may be of another kind than written, if there is one: %s', (typed, corner) => {
  const streets = ['Sycamore St', 'US Hwy 113', 'State Hwy 8', 'State Hwy 9'].map((street) => [street] as const);
  const geocode = ask(...streets, ['US Hwy 9', 1]);
  expect(geocode(`${typed}, DE 19901`)).toEqual(
    corner === undefined
      ? { noMatch: expect.any(String) }
      : expect.objectContaining({ matchedAddress: `${corner}, Sampleton, DE 19901` }),
  );
});

test('a crossing of two states is a tie, unless the state is named', () => {
  const shards = ['10', '24'].flatMap((state) => {
    const builder = createShardBuilder(state);
    for (const street of ['5th Ave', 'Main St']) {
      const edge = builder.addEdge(Int32Array.of(-75_000_000, 46_000_000, -75_000_000, 46_010_000));
      const range = { zip: '19901', prefix: '', from: 1, to: 99, mixed: false, side: 'left' } as const;
      builder.addRange({ ...range, street, edge, tract: 0 });
    }
    builder.addCity('19901', 'Sampleton');
    return openBuilt(state, builder).shards;
  });
  onTestFinished(() => {
    for (const { container } of shards) container.release();
  });
  const geocode = (address: string) => matchAddress(addressFilesOf(shards), locate, address);
  expect(geocode('5th Ave & Main St, Sampleton')).toEqual({ noMatch: 'tie' });
  expect(geocode('5th Ave & Main St, 19901')).toEqual({ noMatch: 'tie' });
  for (const state of ['DE', 'MD']) {
    const matchedAddress = `5th Ave & Main St, Sampleton, ${state} 19901`;
    expect(geocode(`5th Ave & Main St, Sampleton, ${state}`)).toMatchObject({ matchedAddress });
  }
});

test('streets that cross in another ZIP than the one named do not cross there', () => {
  const geocode = ask(['A St'], ['B St']);
  expect(geocode('A St & B St, DE 19901')).toMatchObject({ matchType: 'street' });
  expect(geocode('A St & B St, DE 19902')).toEqual({ noMatch: 'no match' });
});

test('streets that cross in another city than the one named do not cross there', () => {
  const builder = createShardBuilder('10');
  for (const street of ['A St', 'B St']) {
    const edge = builder.addEdge(Int32Array.of(-75_000_000, 46_000_000, -75_000_000, 46_010_000));
    const range = { zip: '19901', prefix: '', from: 1, to: 99, mixed: false, side: 'left' } as const;
    builder.addRange({ ...range, street, edge, tract: 0 });
    builder.addRange({ ...range, street: 'C St', zip: '19902', edge, tract: 0 });
  }
  for (const [zip, city] of [
    ['19901', 'Sampleton'],
    ['19902', 'Otherville'],
  ] as const)
    builder.addCity(zip, city);
  const files = openBuilt('10', builder);
  onTestFinished(() => files.shards[0]?.container.release());
  expect(matchAddress(files, locate, 'A St & B St, Sampleton, DE')).toMatchObject({ matchType: 'street' });
  expect(matchAddress(files, locate, 'A St & B St, Otherville, DE')).toEqual({ noMatch: 'no match' });
});

test.each(['W 34 St & 8 Ave', 'W 34 St and 8th Ave', 'W. 34 St at 8th Ave', 'W 34 & 8th Ave'])(
  'a crossing may begin with a direction and figures: %s',
  (typed) => {
    expect(ask(['W 34th St'], ['8th Ave'])(`${typed}, DE 19901`)).toMatchObject({ matchType: 'street' });
  },
);

test('a street that is of another kind, or the same, is not met', () => {
  const geocode = ask(['5th Ave SE'], ['5th Ave SW'], ['Main St']);
  expect(geocode('5th St SE & Main St, DE 19901')).toEqual({ noMatch: 'no match' });
  expect(geocode('5th Ave SE & 5th St, DE 19901')).toEqual({ noMatch: 'no match' });
  expect(geocode('5th & 5th, DE 19901')).toEqual({ noMatch: 'no match' });
  expect(geocode('5th SE & Main, DE 19901')).toMatchObject({ matchedAddress: /^5th Ave SE & Main St/ });
});

test.each(['Cross Neck & Muddy Creek', 'Cross Neck Rd & Muddy Creek', 'Muddy Creek & Cross Neck Rd'])(
  '%s: names that end with a kind of street may lack their own',
  (streets) => {
    const geocode = ask(['Cross Neck Rd'], ['Muddy Creek Rd'], ['Main St']);
    for (const ending of [', Sampleton, DE 19901', ' Sampleton DE 19901', ', DE 19901']) {
      expect(geocode(streets + ending), ending).toMatchObject({ matchedAddress: /Muddy Creek Rd/ });
    }
  },
);

test('a name that is there with its kind is not taken for another that ends with the kind', () => {
  const geocode = ask(['Muddy Crk'], ['Muddy Creek Rd', 1], ['Main St']);
  expect(geocode('Muddy Creek & Main St, DE 19901')).toMatchObject({ matchedAddress: /^Muddy Crk & Main St/ });
});

test.each([
  'A St / B St',
  'A St/B St',
  'A St @ B St',
  'A St at B St',
  'A St + B St',
  'a & b',
  'Corner of A St and B St',
  'NE corner of A St & B St',
  'Cor A St & B St',
  'A St &amp; B St',
  'Sample Clinic, A St & B St',
  'SEC A St & B St',
  'homeless near A St & B St',
])('%s is found, with commas and without', (streets) => {
  const geocode = ask(['A St'], ['B St'], ['5th Ave']);
  for (const ending of [', Sampleton, DE 19901', ' Sampleton DE 19901', ', Sampleton, DE', ' Sampleton DE', ' 19901']) {
    expect(geocode(streets + ending), ending).toMatchObject({ matchedAddress: 'A St & B St, Sampleton, DE 19901' });
  }
  expect(geocode(`${streets}, Otherville, MD`)).toEqual({ noMatch: 'not loaded' });
});

test('the corner may be named behind the streets, and a street near two others is none of theirs', () => {
  const geocode = ask(['A St'], ['B St'], ['5th Ave']);
  for (const corner of ['(NW corner)', 'NE Cor', 'corner'])
    expect(geocode(`A St & B St ${corner}, DE 19901`)).toMatchObject({ matchedAddress: /^A St & B St/ });
  expect(geocode('5th Ave near A St & B St, DE 19901')).toEqual({ noMatch: 'no match' });
});

test('one of the two streets may be a slip of the pen away, unless that leaves more than one crossing', () => {
  const geocode = ask(['Sycamore St'], ['Main St'], ['Baker Ave'], ['Maker Ave'], ['5th Ave'], ['Oak St']);
  const crossing = { matchedAddress: 'Sycamore St & Main St, Sampleton, DE 19901' };
  expect(geocode('Sycamor St & Main St, DE 19901')).toMatchObject(crossing);
  const swapped = { matchedAddress: 'Main St & Sycamore St, Sampleton, DE 19901' };
  expect(geocode('Main St and Sycamroe St, Sampleton, DE')).toMatchObject(swapped);
  expect(geocode('Laker Ave & Main St, DE 19901')).toEqual({ noMatch: 'tie' });
  // Baker Avenue is there, and does not meet itself as Maker Avenue.
  expect(geocode('Baker Ave & Baker Ave, DE 19901')).toEqual({ noMatch: 'no match' });
  expect(geocode('Sycamor St & Bakker Ave, DE 19901')).toEqual({ noMatch: 'no match' });
});

test('a short name, or one with figures, is not taken for another at a crossing', () => {
  const geocode = ask(['Sycamore St'], ['5th Ave'], ['Oak St'], ['US Hwy 113']);
  expect(geocode('6th Ave & Sycamore St, DE 19901')).toEqual({ noMatch: 'no match' });
  expect(geocode('Sycamore St & Ark St, DE 19901')).toEqual({ noMatch: 'no match' });
  expect(geocode('Oaks St & Sycamore St, DE 19901')).toEqual({ noMatch: 'no match' });
  expect(geocode('US Hwy 112 & Sycamore St, DE 19901')).toEqual({ noMatch: 'no match' });
});

test('an article makes no other street of one', () => {
  const geocode = ask(['Alameda'], ['The Strand'], ['Main St'], ['The Oaks Dr'], ['Sycamore St']);
  for (const [asked, found] of [
    ['The Alameda & Main St', 'Alameda & Main St'],
    ['Main St & The Alameda', 'Main St & Alameda'],
    ['Strand & Main St', 'The Strand & Main St'],
    ['Main St at Strand', 'Main St & The Strand'],
    ['The Alameda & Strand', 'Alameda & The Strand'],
    ['Oaks Drive & Main St', 'The Oaks Dr & Main St'],
    ['The Alameda & Sycamor St', 'Alameda & Sycamore St'],
  ]) {
    for (const ending of [', Sampleton, DE 19901', ' Sampleton DE 19901', ', DE 19901']) {
      const expected = { matchedAddress: `${found}, Sampleton, DE 19901` };
      expect(geocode(asked + ending), asked + ending).toMatchObject(expected);
    }
  }
  expect(geocode('Strand Ct & Main St, DE 19901')).toEqual({ noMatch: 'no match' });
  expect(geocode('The Main & Alameda, DE 19901')).toMatchObject({ matchedAddress: /^Main St & Alameda/ });
});

test('a street as it is written comes before one with another article, and equally good ones are a tie', () => {
  const geocode = ask(['The Alameda'], ['Alameda Blvd', 1], ['Main St']);
  expect(geocode('The Alameda & Main St, DE 19901')).toMatchObject({ matchedAddress: /^The Alameda & Main St/ });
  expect(geocode('Alameda & Main St, DE 19901')).toEqual({ noMatch: 'tie' });
  expect(geocode('Alameda St & Main St, DE 19901')).toEqual({ noMatch: 'no match' });
  const written = ask(['The Alameda', 1], ['Alameda'], ['Main St']);
  expect(written('Alameda & Main St, DE 19901')).toMatchObject({ matchedAddress: /^Alameda & Main St/ });
});

test('a slip is mended only where ZIP or city say where: somewhere in a state there is a street of any name', () => {
  const geocode = ask(['Longview Ave'], ['Main St']);
  expect(geocode('Longveiw Ave & Main St, Sampleton, DE')).toMatchObject({ matchedAddress: /^Longview Ave & Main St/ });
  expect(geocode('Longveiw Ave & Main St, DE 19901')).toMatchObject({ matchedAddress: /^Longview Ave & Main St/ });
  expect(geocode('Longveiw Ave & Main St, DE')).toEqual({ noMatch: 'no match' });
});

test('of more stretches than can be looked at nothing is said: those that are not may be a corner, too', () => {
  const few = Array.from({ length: 40 }, (): readonly [string] => ['Main St']);
  const many = Array.from({ length: MAX_RANGES }, (): readonly [string] => ['Main St']);
  const asked = 'Oak Ave & Main St, DE 19901';
  expect(ask(['Oak Ave'], ...few)(asked)).toMatchObject({ matchedAddress: /^Oak Ave & Main St/ });
  expect(ask(['Oak Ave'], ...many)(asked)).toEqual({ noMatch: 'no match' });
});

test('a long street is looked at once, however many spellings of the other one there are', () => {
  const builder = createShardBuilder('10');
  const add = (street: string, x: number): void => {
    const edge = builder.addEdge(Int32Array.of(x, 46_000_000, x, 46_001_000));
    const range = { zip: '19901', prefix: '', from: 1, to: 99, mixed: false, side: 'left', tract: 0 } as const;
    builder.addRange({ ...range, street, edge });
  };
  for (let at = 0; at < MAX_RANGES / 2; at++) add('Main St', -75_000_000 + at);
  for (const letter of 'ABCDFG') add(`Longve${letter}w Ave`, -76_000_000);
  add('Longview Ave', -75_000_000);
  const files = openBuilt('10', builder);
  onTestFinished(() => files.shards[0]?.container.release());
  expect(matchAddress(files, locate, 'Longveiw Ave & Main St, DE 19901')).toMatchObject({ lng: -75 });
});

test('streets that end on one meridian, far from each other, do not meet', () => {
  const builder = createShardBuilder('10');
  // Their ends have the same number among those by which corners are looked up.
  for (const [street, y] of [
    ['Oak Ave', 46_000_000],
    ['Main St', 46_000_000 - 2 ** 24],
  ] as const) {
    const edge = builder.addEdge(Int32Array.of(-75_000_000, y, -75_010_000, y + 1000));
    const range = { zip: '19901', prefix: '', from: 1, to: 99, mixed: false, side: 'left', tract: 0 } as const;
    builder.addRange({ ...range, street, edge });
  }
  const files = openBuilt('10', builder);
  onTestFinished(() => files.shards[0]?.container.release());
  expect(matchAddress(files, locate, 'Oak Ave & Main St, DE 19901')).toEqual({ noMatch: 'no match' });
});

test('a crossing is found exactly where ends of both streets are, whichever has more of them', () => {
  const vertex = fc.record({ x: fc.nat(6), y: fc.nat(6) });
  const stretches = fc.array(fc.record({ from: vertex, to: vertex }), { minLength: 1, maxLength: 12 });
  const micro = ({ x, y }: { x: number; y: number }) => [-75_000_000 + x * 1000, 46_000_000 + y * 1000] as const;
  fc.assert(
    fc.property(stretches, stretches, (oak, main) => {
      const builder = createShardBuilder('10');
      const add = (street: string, lines: typeof oak): void => {
        for (const { from, to } of lines) {
          const edge = builder.addEdge(Int32Array.of(...micro(from), -75_123_456, 46_123_456, ...micro(to)));
          const range = { zip: '19901', prefix: '', from: 1, to: 99, mixed: false, tract: 0, edge } as const;
          builder.addRange({ ...range, street, side: 'left' });
        }
      };
      add('Oak Ave', oak);
      add('Main St', main);
      const files = openBuilt('10', builder);
      const ends = (lines: typeof oak) =>
        new Set(lines.flatMap(({ from, to }) => [micro(from), micro(to)].map(String)));
      const shared = [...ends(oak)].filter((end) => ends(main).has(end));
      const found = matchAddress(files, locate, 'Oak Ave & Main St, DE 19901');
      files.shards[0]?.container.release();
      if (shared.length === 0) expect(found).toEqual({ noMatch: 'no match' });
      else {
        expect(found).toMatchObject({ matchType: 'street' });
        const { lng, lat } = 'noMatch' in found ? { lng: 0, lat: 0 } : found;
        expect(shared).toContain(`${Math.round(lng * 1e6)},${Math.round(lat * 1e6)}`);
      }
    }),
  );
});
