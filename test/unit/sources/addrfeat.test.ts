import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { type CountyRow, countyShapefile, EDGES_COLUMNS } from '../../support/county-files.js';
import { findAddress as find, loadWithAddresses as loadTree } from '../../support/loaded-addresses.js';
import { accountOf } from '../../support/loading.js';
import type { InputTree } from '../../support/official-files.js';
import { PROJECTED_PRJ } from '../../support/shapefile-writer.js';
import { zipArchive } from '../../support/zip-writer.js';

/** The border of the first two squares of the small input: the street runs along it, north. */
const BORDER = -75.6;
const ALONG_BORDER = [
  [BORDER, 39.02],
  [BORDER, 39.03],
  [BORDER, 39.04],
] as const;
const FAR_AWAY = [
  [-75.55, 41],
  [-75.54, 41],
] as const;
const WEST = '10001040100';
const EAST = '10001040200';

const row = (cells: CountyRow['cells'], line: CountyRow['line'] = ALONG_BORDER): CountyRow => ({
  cells: { TLID: 1, FULLNAME: 'Border St', ZIPL: '19901', ZIPR: '19902', ...cells },
  line,
});
const NAME = 'tl_2021_10001_addrfeat';
const PRODUCT = 'TIGER/Line ADDRFEAT 2021';

const ROWS: readonly CountyRow[] = [
  // Left is west when going north; one side descends.
  row({ LFROMHN: '101', LTOHN: '199', RFROMHN: '198', RTOHN: '100', PARITYL: 'O', PARITYR: 'E' }),
  row({ FULLNAME: 'Co Rd 25', LFROMHN: '101', LTOHN: '199' }),
  row({ TLID: 2, FULLNAME: 'Prefix Rd', LFROMHN: 'P99', LTOHN: 'P1', RFROMHN: '117-00', RTOHN: '117-98' }),
  row({ TLID: 3, FULLNAME: 'Mixed Ln', LFROMHN: '2', LTOHN: '98', PARITYL: 'B', ZIPL: '99999' }),
  row({ TLID: 4, FULLNAME: 'Nowhere Rd', RFROMHN: '2', RTOHN: '98', ZIPR: '' }, FAR_AWAY),
];

const zipped = (rows: readonly CountyRow[], name = NAME): InputTree => ({
  [`addr/${name}.zip`]: zipArchive(countyShapefile(name, rows), 'deflated'),
});

describe('ADDRFEAT', () => {
  test('each side of a street along a border is in the tract on its side', async () => {
    const dataset = (await loadTree(zipped(ROWS))).dataset();
    expect(await find(dataset, '101 Border St, DE 19901')).toEqual([WEST, '101 Border St, DE 19901']);
    expect(await find(dataset, '198 Border St, DE 19902')).toEqual([EAST, '198 Border St, DE 19902']);
    expect(await find(dataset, '150 Border St, DE')).toEqual([EAST, '150 Border St, DE 19902']);
  });

  test('a street has all of its names, numbers with prefixes, mixed numbers, and unknown ZIPs', async () => {
    const dataset = (await loadTree(zipped(ROWS))).dataset();
    expect(await find(dataset, '151 County Road 25, DE 19901')).toEqual([WEST, '151 Co Rd 25, DE 19901']);
    expect(await find(dataset, 'P51 Prefix Rd, DE 19901')).toEqual([WEST, 'P51 Prefix Rd, DE 19901']);
    expect(await find(dataset, '117-08 Prefix Rd, DE 19902')).toEqual([EAST, '117-08 Prefix Rd, DE 19902']);
    expect(await find(dataset, '51 Mixed Ln, DE')).toEqual([WEST, '51 Mixed Ln, DE']);
    expect(await find(dataset, '52 Mixed Ln, DE 19901')).toEqual([WEST, '52 Mixed Ln, DE']);
  });

  test('a range outside of all outlines is kept, counted, and in no tract', async () => {
    const outcome = await loadTree(zipped(ROWS));
    expect(accountOf(outcome, PRODUCT)).toMatchObject({
      source: 'addrfeat',
      read: 5,
      kept: 5,
      notes: { 'address range outside all loaded outlines': 1, 'address range without a ZIP': 2 },
    });
    expect(await find(outcome.dataset(), '50 Nowhere Rd, DE')).toEqual(['none', '50 Nowhere Rd, DE']);
  });

  test('ZIPs that lost their leading zeros are repaired in states that have such, and that is noted', async () => {
    const cells = { ZIPL: '6001', ZIPR: 6002, LFROMHN: '101', LTOHN: '199', RFROMHN: '198', RTOHN: '100' };
    const counties = {
      ...zipped([row(cells)], 'tl_2021_09001_addrfeat'),
      ...zipped([row({ ...cells, FULLNAME: 'First St' })]),
    };
    const outcome = await loadTree(counties, ['09', '10']);
    const dataset = outcome.dataset();
    expect(await find(dataset, '101 Border St, CT 06001')).toEqual([WEST, '101 Border St, CT 06001']);
    expect(await find(dataset, '198 Border St, CT')).toEqual([EAST, '198 Border St, CT 06002']);
    expect(await find(dataset, '101 First St, DE')).toEqual([WEST, '101 First St, DE']);
    expect(accountOf(outcome, PRODUCT)).toMatchObject({
      kept: 2,
      notes: { 'leading zero of the ZIP restored': 2, 'address range without a ZIP': 2 },
    });
  });

  test('rows that do not name their stretch have each their own line', async () => {
    const there = [
      [BORDER + 0.01, 39.02],
      [BORDER + 0.01, 39.04],
    ] as const;
    const numbers = { TLID: '', LFROMHN: '101', LTOHN: '199' };
    const rows = [row(numbers), row({ ...numbers, FULLNAME: 'Inner St' }, there)];
    const dataset = (await loadTree(zipped(rows))).dataset();
    expect(await find(dataset, '101 Border St, DE 19901')).toEqual([WEST, '101 Border St, DE 19901']);
    expect(await find(dataset, '101 Inner St, DE 19901')).toEqual([EAST, '101 Inner St, DE 19901']);
  });

  test('rows without numbers, a name, a range or a shape are accounted for', async () => {
    const good = Array.from({ length: 100 }, (_, at) => row({ TLID: 10 + at, LFROMHN: '101', LTOHN: '199' }));
    const outcome = await loadTree(
      zipped([
        ...good,
        row({ TLID: 1 }),
        row({ TLID: 2, FULLNAME: '', LFROMHN: '1', LTOHN: '9' }),
        row({ TLID: 3, LFROMHN: 'A1', LTOHN: '9' }),
        row({ TLID: 4, LFROMHN: '1', LTOHN: 'B', RFROMHN: '2', RTOHN: '8' }),
        row({ TLID: 5, LFROMHN: '1', LTOHN: '9' }, null),
        row({ TLID: 6, LFROMHN: '1', LTOHN: '9' }, [
          [39, -75],
          [39.1, -75],
        ]),
      ]),
    );
    expect(accountOf(outcome, PRODUCT)).toMatchObject({
      read: 106,
      kept: 101,
      rejected: {
        'house numbers without a street name': 1,
        'house numbers that form no range': 1,
        'a record without a shape': 1,
        'coordinates outside the United States (swapped or projected?)': 1,
      },
      leftOut: { 'no house numbers': 1 },
      notes: { 'house numbers of one side that form no range': 1 },
    });
  });

  test('states that are not wanted are left out, and need not be read', async () => {
    const outcome = await loadTree(zipped(ROWS), ['11']);
    expect(accountOf(outcome, PRODUCT)).toMatchObject({ read: 5, kept: 0, leftOut: { 'other state': 5 } });
    expect(outcome.dataset().addresses).toBeUndefined();
  });

  test('equal inputs give equal bytes, whatever the archive is called and wherever it lies', async () => {
    const plain = countyShapefile(`a/b/${NAME}`, ROWS);
    const outcomes = [await loadTree(zipped(ROWS)), await loadTree(plain), await loadTree(zipped(ROWS))];
    expect(new Set(outcomes.map(({ published }) => published?.generation)).size).toBe(1);
    const without = await loadTree({});
    expect(without.published?.generation).not.toBe(outcomes[0]?.published?.generation);
  });
});

test('a file without an official name is of the county on its path: the last number that can be one', async () => {
  const outcome = await loadTree(countyShapefile('inputs-2018/10001/streets_2021_98101', ROWS));
  expect(accountOf(outcome, PRODUCT)).toMatchObject({ read: 5, kept: 5 });
});

describe('EDGES', () => {
  const edges = ROWS.slice(0, 1).map(({ line }) => ({
    cells: {
      STATEFP: '10',
      COUNTYFP: '001',
      TLID: 1,
      FULLNAME: 'Border St',
      ...{ LFROMADD: '101', LTOADD: '199', RFROMADD: '198', RTOADD: '100', ZIPL: '19901', ZIPR: '19902' },
    },
    line,
  }));
  const file = countyShapefile('addr/tl_2020_10001_edges', edges, EDGES_COLUMNS);

  test('are read by their own columns', async () => {
    const outcome = await loadTree(file);
    expect(accountOf(outcome, 'TIGER/Line EDGES 2020')).toMatchObject({ read: 1, kept: 1 });
    expect(await find(outcome.dataset(), '101 Border St, DE 19901')).toEqual([WEST, '101 Border St, DE 19901']);
  });

  test('are of the county in their columns, whatever other number is in their name', async () => {
    const outcome = await loadTree(countyShapefile('addr/2019/edges_2020_19901', edges, EDGES_COLUMNS));
    expect(accountOf(outcome, 'TIGER/Line EDGES 2020')).toMatchObject({ read: 1, kept: 1 });
    expect(await find(outcome.dataset(), '101 Border St, DE 19901')).toEqual([WEST, '101 Border St, DE 19901']);
  });

  test('make way where the county has ADDRFEAT, and an older ADDRFEAT for a newer one', async () => {
    const older = zipped(ROWS, 'tl_2014_10001_addrfeat');
    const outcome = await loadTree({ ...file, ...older, ...zipped(ROWS) });
    const why = { [`better file of the county in ${PRODUCT}`]: expect.any(Number) };
    expect(accountOf(outcome, 'TIGER/Line EDGES 2020')).toMatchObject({ read: 1, kept: 0, leftOut: why });
    expect(accountOf(outcome, 'TIGER/Line ADDRFEAT 2014')).toMatchObject({ read: 5, kept: 0, leftOut: why });
    expect(accountOf(outcome, PRODUCT)).toMatchObject({ read: 5, kept: 5 });
  });
});

describe('Connecticut’s counties and the planning regions that replaced them', () => {
  const left = row({ ZIPL: '06001', LFROMHN: '101', LTOHN: '199', PARITYL: 'O' });
  const right = row({ ZIPR: '06001', RFROMHN: '101', RTOHN: '199', PARITYR: 'O' });
  const county = (fips: string, rows: readonly CountyRow[], year = 2023): InputTree =>
    zipped(rows, `tl_${year}_${fips}_addrfeat`);
  const [first = '', ...others] = Array.from({ length: 9 }, (_, at) => `091${at + 1}0`);
  const regions = Object.assign(county(first, [right]), ...others.map((fips) => county(fips, [])));
  const load = (tree: InputTree): ReturnType<typeof loadTree> => loadTree(tree, ['09', '10']);
  const ADDRESS = '151 Border St, CT 06001';

  test('the counties’ files make way where all regions are there, since each covers the state', async () => {
    const outcome = await load({ ...county('09001', [left], 2021), ...regions });
    const why = { 'planning regions of Connecticut in TIGER/Line ADDRFEAT 2023': 1 };
    expect(accountOf(outcome, PRODUCT)).toMatchObject({ read: 1, kept: 0, leftOut: why });
    expect((await find(outcome.dataset(), ADDRESS))[0]).toBe(EAST);
  });

  test('with only some of the regions, the counties’ are loaded, too', async () => {
    const some = await load({ ...county('09001', [left], 2021), ...county(first, []) });
    expect((await find(some.dataset(), ADDRESS))[0]).toBe(WEST);
  });

  test('so they are where one of the regions is no newer than they are', async () => {
    const [oneOf = '', ...newer] = others;
    const mixed = Object.assign(county(oneOf, [], 2021), ...[first, ...newer].map((fips) => county(fips, [])));
    const outcome = await load({ ...county('09001', [left], 2021), ...mixed });
    expect((await find(outcome.dataset(), ADDRESS))[0]).toBe(WEST);
  });
});

test('a second file of a county that is as good as the first is reported as another file', async () => {
  const outcome = await loadTree({ ...countyShapefile(`a/${NAME}`, ROWS), ...countyShapefile(`b/${NAME}`, ROWS) });
  const account = { read: 10, kept: 5, leftOut: { [`another file of the county in ${PRODUCT}`]: 5 } };
  expect(accountOf(outcome, PRODUCT)).toMatchObject(account);
});

describe('a file that cannot be loaded as it is', () => {
  const whole = countyShapefile(`addr/${NAME}`, ROWS);
  const path = (extension: string): string => join('addr', `${NAME}.${extension}`);
  const without = (extension: string): InputTree =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => !name.endsWith(`.${extension}`)));
  const cut = (extension: string, bytes: number): InputTree => {
    const content = Buffer.from(whole[path(extension)] ?? '');
    return { ...whole, [path(extension)]: content.subarray(0, content.length - bytes) };
  };
  const shpWithOneMore = countyShapefile(`addr/${NAME}`, [...ROWS, row({})]);

  test.each<[string, InputTree, RegExp]>([
    ['its .dbf is missing', without('dbf'), /its \.dbf is missing/],
    ['its .shp is missing', without('shp'), /its \.shp is missing/],
    ['its .dbf is cut off', cut('dbf', 200), /truncated/],
    ['its .shp is cut off', cut('shp', 20), /truncated/],
    [
      'it has more shapes than rows',
      { ...whole, [path('shp')]: shpWithOneMore[path('shp')] ?? '' },
      /6 shapes, but its \.dbf 5 rows/,
    ],
    ['its coordinates are projected', { ...whole, [path('prj')]: PROJECTED_PRJ }, /coordinates are projected/],
    ['its name does not say the county', countyShapefile('addr/ranges', ROWS), /does not contain its county/],
    [
      'its name has a number that is no county',
      countyShapefile('addr/streets_98101', ROWS),
      /98101 is not the FIPS code of a county/,
    ],
    [
      'it holds no address ranges',
      countyShapefile(`addr/${NAME}`, [], { TLID: 10, FULLNAME: 10 }),
      /no columns of address ranges/,
    ],
  ])('%s: the compile ends with its name, and publishes nothing', async (_, tree, message) => {
    const { error, published } = await loadTree(tree);
    expect(published).toBeUndefined();
    expect(error).toBeInstanceOf(InputError);
    expect(error?.message).toMatch(message);
    expect(error?.message).toMatch(/addr/);
  });
});
