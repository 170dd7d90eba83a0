import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { ThresholdError } from '../../../src/load/publish-intake.js';
import { countyShapefile } from '../../support/county-files.js';
import { findAddress, loadWithAddresses } from '../../support/loaded-addresses.js';
import { accountOf } from '../../support/loading.js';
import type { InputTree } from '../../support/official-files.js';
import { dbfFile, GEOGRAPHIC_PRJ, type LngLat, PROJECTED_PRJ, shpFile } from '../../support/shapefile-writer.js';
import { zipArchive } from '../../support/zip-writer.js';

/** The border of the first two tracts of the small input; a street runs along it, north. */
const BORDER = -75.6;
const WEST = '10001040100';
const EAST = '10001040200';

const STREET = countyShapefile('addr/tl_2021_10001_addrfeat', [
  {
    cells: {
      ...{ TLID: 1, FULLNAME: 'Border St', ZIPL: '19901', ZIPR: '19902' },
      ...{ LFROMHN: '101', LTOHN: '199', RFROMHN: '198', RTOHN: '100' },
    },
    line: [
      [BORDER, 39.02],
      [BORDER, 39.04],
    ],
  },
]);

interface Place {
  readonly name: string;
  readonly west: number;
}

const LEFTHAM: Place = { name: 'Leftham', west: BORDER - 0.02 };
const RIGHTHAM: Place = { name: 'Rightham', west: BORDER };
const NAME = 'tl_2023_10_place';
const PRODUCT = 'TIGER/Line places 2023';
const COLUMNS = { STATEFP: 2, PLACEFP: 5, PLACENS: 8, GEOID: 7, NAME: 100, NAMELSAD: 100, LSAD: 2, CLASSFP: 2 };

/** A square 0.02 degrees wide, clockwise. */
const square = ({ west }: Place): LngLat[][] => [
  [
    [west, 39.02],
    [west, 39.04],
    [west + 0.02, 39.04],
    [west + 0.02, 39.02],
    [west, 39.02],
  ],
];

function placeFile(places: readonly (Place | null)[], path = `places/${NAME}`): InputTree {
  const rows = places.map((place, at) => ({
    ...{ STATEFP: '10', PLACEFP: String(at).padStart(5, '0'), LSAD: '25', CLASSFP: 'C1' },
    ...(place && { NAME: place.name, NAMELSAD: `${place.name} city` }),
  }));
  return {
    [`${path}.shp`]: shpFile(places.map((place) => place && square(place))),
    [`${path}.dbf`]: dbfFile(COLUMNS, rows),
    [`${path}.prj`]: GEOGRAPHIC_PRJ,
  };
}

describe('TIGER places', () => {
  test('name the ZIPs of the streets that lie in them, each side its own', async () => {
    const zipped = { [`places/${NAME}.zip`]: zipArchive(placeFile([LEFTHAM, RIGHTHAM], NAME), 'deflated') };
    const loaded = await loadWithAddresses({ ...STREET, ...zipped });
    const dataset = loaded.dataset();
    expect(await findAddress(dataset, '101 Border St, DE 19901')).toEqual([WEST, '101 Border St, Leftham, DE 19901']);
    expect(await findAddress(dataset, '101 Border St, Leftham, DE')).toEqual([
      WEST,
      '101 Border St, Leftham, DE 19901',
    ]);
    expect(await findAddress(dataset, '198 border street rightham de')).toEqual([
      EAST,
      '198 Border St, Rightham, DE 19902',
    ]);
    expect(accountOf(loaded, PRODUCT)).toMatchObject({ source: 'tiger-place', read: 2, kept: 2 });
    expect(readdirSync(loaded.directory()).filter((name) => !/\.tctx$/.test(name))).toEqual([]);
  });

  test('are accounted for where they have no name or no shape, are older, or name no street', async () => {
    const many = Array.from({ length: 60 }, () => LEFTHAM);
    const tree = {
      ...STREET,
      ...placeFile([...many, { name: '', west: BORDER }, null]),
      ...placeFile([RIGHTHAM], 'places/tl_2021_10_place'),
      ...placeFile([RIGHTHAM], `places/z-copy/${NAME}`),
      ...placeFile([RIGHTHAM], 'places/tl_2023_11_place'),
      ...placeFile([RIGHTHAM], 'places/tl_2022_27_place'),
    };
    const loaded = await loadWithAddresses(tree);
    expect(accountOf(loaded, PRODUCT)).toMatchObject({
      read: 64,
      kept: 60,
      rejected: { 'a place without a name': 2 },
      leftOut: { 'the input has no address ranges of this state': 1, 'another file of the state loaded': 1 },
    });
    const newer = { 'newer file of the state loaded': 1 };
    expect(accountOf(loaded, 'TIGER/Line places 2021')).toMatchObject({ read: 1, kept: 0, leftOut: newer });
    expect(accountOf(loaded, 'TIGER/Line places 2022')).toMatchObject({ read: 1, leftOut: { 'other state': 1 } });
  });

  test('under another name, which does not tell their state, are told of', async () => {
    const { published } = await loadWithAddresses({ ...STREET, ...placeFile([LEFTHAM], 'places/delaware') });
    const told = expect.stringMatching(
      /\/places\/delaware\.shp: looks like places, but is not named as the agency does/,
    );
    expect(published?.report.suspect).toEqual([told]);
  });

  const whole = placeFile([LEFTHAM, RIGHTHAM]);
  const without = (extension: string): InputTree =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => !name.endsWith(`.${extension}`)));
  test.each<[string, InputTree, RegExp]>([
    ['its .dbf is missing', without('dbf'), /its \.dbf is missing/],
    ['its .shp is missing', without('shp'), /its \.shp is missing/],
    ['its coordinates are projected', { ...whole, [`places/${NAME}.prj`]: PROJECTED_PRJ }, /are projected/],
    ['it has no names', { ...whole, [`places/${NAME}.dbf`]: dbfFile({ PLACEFP: 5 }, [{}, {}]) }, /has no column NAME/],
    [
      'it has fewer shapes than rows',
      { ...whole, [`places/${NAME}.shp`]: shpFile([square(LEFTHAM)]) },
      /contains 1 shapes, but its \.dbf 2 rows/,
    ],
    [
      'it has more shapes than rows',
      { ...whole, [`places/${NAME}.shp`]: shpFile([LEFTHAM, RIGHTHAM, LEFTHAM].map(square)) },
      /contains 3 shapes, but its \.dbf 2 rows/,
    ],
    [
      'its rows are of another state',
      { ...whole, [`places/${NAME}.dbf`]: dbfFile(COLUMNS, Array(2).fill({ STATEFP: '24', NAME: 'Elsewhere' })) },
      /2 × of another state than the file’s name says, the first: row 1, STATEFP "24"/,
    ],
  ])('%s: the compile ends with its name, and publishes nothing', async (_, tree, message) => {
    const { error, published } = await loadWithAddresses({ ...STREET, ...tree });
    expect(published).toBeUndefined();
    expect([InputError, ThresholdError]).toContain(error?.constructor);
    expect(error?.message).toMatch(message);
    expect(error?.message).toMatch(NAME);
  });
});
