import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { compileFiles, custom, shifted } from '../../support/compiled-outlines.js';
import { accountOf } from '../../support/loading.js';
import {
  CB_COLUMNS,
  gazetteerText,
  type InputTree,
  type SquareTract,
  squareRing,
  TIGER_COLUMNS,
  tigerRow,
  tractShapefile,
} from '../../support/official-files.js';
import { dbfFile, type LngLat } from '../../support/shapefile-writer.js';
import { DELAWARE } from '../../support/small-input.js';

const GAZETTEER = { '2023_Gaz_tracts_national.txt': gazetteerText(DELAWARE) };
const [FIRST] = DELAWARE;
if (!FIRST) throw new Error('Delaware has tracts');

/** TIGER/Line's columns as the PL edition names them: `GEOID20`, `TRACTCE10`. */
const suffixed = (suffix: string): Record<string, number> =>
  Object.fromEntries(Object.entries(TIGER_COLUMNS).map(([name, width]) => [`${name}${suffix}`, width]));

function suffixedShapefile(
  path: string,
  tracts: readonly SquareTract[],
  columns: Readonly<Record<string, number>>,
): InputTree {
  const rows = tracts.map((tract) => {
    const row = tigerRow(tract);
    return Object.fromEntries(Object.keys(columns).map((name) => [name, row[name.replace(/\d\d$/, '')] ?? '']));
  });
  return custom(
    path,
    tracts.map((tract) => [squareRing(tract)]),
    dbfFile(columns, rows),
  );
}

describe('of two outlines of a tract', () => {
  it.each([
    [
      'TIGER/Line wins over newer cartographic boundaries',
      'tl_2020_10_tract',
      'cb_2022_10_tract_500k',
      'TIGER/Line 2020',
    ],
    ['the newer TIGER/Line wins', 'tl_2022_10_tract', 'tl_2021_10_tract', 'TIGER/Line 2022'],
    ['TIGER/Line wins over the PL edition of the year', 'tl_2020_10_tract', 'tl_2020_10_tract20', 'TIGER/Line 2020'],
    [
      'the PL edition wins over cartographic boundaries',
      'tl_2020_10_tract20',
      'cb_2021_10_tract_500k',
      'TIGER/Line 2020 (PL 94-171)',
    ],
    [
      'the finer cartographic boundaries win',
      'cb_2020_10_tract_500k',
      'cb_2022_us_tract_5m',
      'Cartographic boundaries 2020, 1:500,000',
    ],
    [
      'the newer cartographic boundaries win',
      'cb_2022_us_tract_500k',
      'cb_2020_10_tract_500k',
      'Cartographic boundaries 2022, 1:500,000',
    ],
    [
      'anything wins over an unofficial file',
      'cb_2020_10_tract_500k',
      'mine_2023',
      'Cartographic boundaries 2020, 1:500,000',
    ],
  ])('%s, and it is told, whichever is read first', async (_, winner, loser, product) => {
    const columns = (name: string) => (name.startsWith('tl') ? TIGER_COLUMNS : CB_COLUMNS);
    for (const [one, two] of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const { outcome, souths } = await compileFiles({
        ...GAZETTEER,
        ...tractShapefile(`${one}/${winner}`, DELAWARE, { columns: columns(winner) }),
        ...tractShapefile(`${two}/${loser}`, shifted(DELAWARE, 0.5), { columns: columns(loser) }),
      });
      expect(souths).toEqual([39, 39, 39]);
      const [left] = (outcome.published?.report.products ?? []).filter(
        ({ kept, source }) => source === 'tiger' && kept === 0,
      );
      expect([left?.read, left?.leftOut]).toEqual([3, { [`better outline in ${product}`]: 3 }]);
    }
  });

  it('neither is called the better one if both are files of one product', async () => {
    const { outcome, souths } = await compileFiles({
      ...GAZETTEER,
      ...tractShapefile('a/tl_2020_10_tract', DELAWARE),
      ...tractShapefile('b/tl_2020_10_tract', shifted(DELAWARE, 0.5)),
    });
    expect(souths).toEqual([39, 39, 39]);
    const leftOut = { 'outline in another file of TIGER/Line 2020': 3 };
    expect(accountOf(outcome, 'TIGER/Line 2020')).toMatchObject({ read: 6, kept: 3, leftOut });
  });

  it('the worse one serves the tracts that the better lacks', async () => {
    const { souths } = await compileFiles({
      ...GAZETTEER,
      ...tractShapefile('tl_2020_10_tract', [FIRST]),
      ...tractShapefile('cb_2020_10_tract_500k', shifted(DELAWARE, 0.5), { columns: CB_COLUMNS }),
    });
    expect(souths).toEqual([39, 39.5, 39.5]);
  });
});

describe('outlines', () => {
  it('without an official name are of the year in the file’s own name, then in the innermost folder’s', async () => {
    const { outcome, souths } = await compileFiles({
      ...GAZETTEER,
      ...tractShapefile('inputs-2018/my_tracts_2022', DELAWARE.slice(0, 2), { columns: CB_COLUMNS }),
      ...tractShapefile('inputs-2018/boundaries-2023/tracts', DELAWARE.slice(2), { columns: CB_COLUMNS }),
    });
    expect(souths).toEqual([39, 39, 39]);
    expect(accountOf(outcome, 'Tract outlines 2022 (unofficial)').kept).toBe(2);
    expect(accountOf(outcome, 'Tract outlines 2023 (unofficial)').kept).toBe(1);
  });

  it('of 2010 tracts are left out, by the year of their file', async () => {
    const { outcome, souths } = await compileFiles({ ...GAZETTEER, ...tractShapefile('tl_2019_10_tract', DELAWARE) });
    expect(souths).toEqual([undefined, undefined, undefined]);
    expect(accountOf(outcome, 'TIGER/Line 2019').leftOut).toEqual({ 'outlines of 2010 tracts': 3 });
  });

  it.each([
    ['the suffix of their file', 'tl_2020_10_tract10', TIGER_COLUMNS],
    ['the suffix of their columns', 'delaware_2020', suffixed('10')],
    ['both', 'tl_2010_10_tract10', suffixed('10')],
  ])('of 2010 tracts are left out, by %s, beside those of 2020', async (_, name, columns) => {
    const { outcome, souths } = await compileFiles({
      ...GAZETTEER,
      ...suffixedShapefile(`old/${name}`, shifted(DELAWARE, 0.5), columns),
      ...suffixedShapefile('tl_2020_10_tract20', DELAWARE, suffixed('20')),
    });
    expect(souths).toEqual([39, 39, 39]);
    const [old] = (outcome.published?.report.products ?? []).filter(({ leftOut }) => Object.keys(leftOut).length > 0);
    expect([old?.source, old?.leftOut]).toEqual(['tiger', { 'outlines of 2010 tracts': 3 }]);
    expect(accountOf(outcome, 'TIGER/Line 2020 (PL 94-171)')).toMatchObject({ read: 3, kept: 3 });
  });

  it('without a gazetteer make the tracts, with their own internal points and areas', async () => {
    const { outcome, souths } = await compileFiles(tractShapefile('tl_2020_10_tract', DELAWARE));
    expect([outcome.published?.report.tracts, souths]).toEqual([3, [39, 39, 39]]);
  });

  it('whose GEOIDs are not of their tracts’ codes are refused: nothing else tells without a gazetteer', async () => {
    const moved = DELAWARE.map((tract, at) => ({ ...tigerRow(tract), GEOID: DELAWARE.at(at - 1)?.geoid ?? '' }));
    const cutOff = DELAWARE.map((tract) => ({ ...tigerRow(tract), GEOID: tract.geoid.slice(0, 10) }));
    for (const rows of [moved, cutOff]) {
      const shapes = DELAWARE.map((tract) => [squareRing(tract)]);
      const { outcome } = await compileFiles(custom('tl_2020_10_tract', shapes, dbfFile(TIGER_COLUMNS, rows)));
      expect(outcome.error?.message).toMatch(/rows rejected: all of them\n.* × GEOID contradicts the tract code/);
    }
  });

  it('whose codes lost their leading zeros, as numbers do, are of the tracts with them, and that is noted', async () => {
    const alabama = DELAWARE.map((tract) => ({ ...tract, geoid: `01001${tract.geoid.slice(5)}` }));
    const rows = alabama.map((tract) => ({
      ...tigerRow(tract),
      TRACTCE: Number(tract.geoid.slice(5)),
      GEOID: tract.geoid.slice(1),
    }));
    const shapes = alabama.map((tract) => [squareRing(tract)]);
    const { outcome, geoids } = await compileFiles(custom('tl_2020_01_tract', shapes, dbfFile(TIGER_COLUMNS, rows)));
    expect(geoids).toEqual(alabama.map(({ geoid }) => Number(geoid)).sort((a, b) => a - b));
    expect(accountOf(outcome, 'TIGER/Line 2020').notes).toEqual({
      'leading zero of the GEOID restored': alabama.length,
    });
  });

  it('are read where a program has added the places that they lie in', async () => {
    const columns = { ...TIGER_COLUMNS, PLACEFP: 5 };
    for (const path of ['tl_2020_10_tract', 'tracts-with-places-2020']) {
      const { geoids, souths } = await compileFiles(tractShapefile(path, DELAWARE, { columns }));
      expect([geoids, souths.length]).toEqual([DELAWARE.map(({ geoid }) => Number(geoid)), DELAWARE.length]);
    }
  });

  it('are recognized by their table’s header: that of another shapefile may be cut off, or of any size', async () => {
    const roads = dbfFile({ ROAD: 9 }, [{ ROAD: 'Main' }, { ROAD: 'High' }]);
    const huge = Buffer.from(roads);
    huge.writeUInt32LE(2 ** 31, 4);
    const tree = { ...GAZETTEER, ...custom('cut-off', [], roads.subarray(0, -12)), ...custom('huge', [], huge) };
    const { outcome } = await compileFiles(tree);
    expect(outcome.published?.report.ignored).toEqual(['in/cut-off.shp', 'in/huge.shp']);
  });

  it('that lost their tract codes are told of, unless their GEOIDs are not those of tracts', async () => {
    const shapefile = (path: string, geoidLength: number): InputTree => {
      const rows = DELAWARE.map(({ geoid }) => ({ GEOID: geoid.slice(0, geoidLength) }));
      const shapes = DELAWARE.map((tract) => [squareRing(tract)]);
      return custom(path, shapes, dbfFile({ GEOID: 11 }, rows));
    };
    const tree = { ...GAZETTEER, ...shapefile('simplified', 11), ...shapefile('counties', 5) };
    const { report } = (await compileFiles(tree)).outcome.published ?? {};
    const told = 'in/simplified.shp: looks like outlines of tracts, but has no column TRACTCE';
    expect(report?.suspect).toEqual([told]);
    expect(report?.ignored).toEqual(['in/counties.shp', told]);
  });

  it('are not told of where official ones of other areas have GEOIDs of as many digits, or of tracts of 2000', async () => {
    const shapefile = (path: string, row: Readonly<Record<string, string>>): InputTree =>
      custom(
        path,
        DELAWARE.map((tract) => [squareRing(tract)]),
        dbfFile(
          Object.fromEntries(Object.keys(row).map((name) => [name, 11])),
          DELAWARE.map(() => row),
        ),
      );
    const tree = {
      ...GAZETTEER,
      ...shapefile('tl_2020_25_cousub', { STATEFP: '25', COUNTYFP: '001', COUSUBFP: '03690', GEOID: '2500103690' }),
      ...shapefile('tl_2020_48_vtd20', { STATEFP20: '48', VTDST20: '000101', GEOID20: '48001000101' }),
      ...shapefile('tl_2023_us_metdiv', { CBSAFP: '14460', METDIVFP: '14454', GEOID: '1446014454' }),
      ...shapefile('tl_2010_10_tract00', { STATEFP00: '10', TRACTCE00: '000100', CTIDFP00: '10001000100' }),
      ...shapefile('tl_2009_10_tract', { STATEFP: '10', TRACTCE: '000100', CTIDFP: '10001000100' }),
    };
    const { report } = (await compileFiles(tree)).outcome.published ?? {};
    expect([report?.suspect, report?.ignored]).toEqual([
      [],
      ['tl_2009_10_tract', 'tl_2010_10_tract00', 'tl_2020_25_cousub', 'tl_2020_48_vtd20', 'tl_2023_us_metdiv'].map(
        (name) => `in/${name}.shp`,
      ),
    ]);
  });

  it('of an official name that have no GEOID or no tract code are refused with the column’s name', async () => {
    for (const [column, path] of [
      ['GEOID', 'tl_2020_10_tract'],
      ['TRACTCE', 'cb_2020_10_tract_500k'],
    ] as const) {
      const { [column]: _, ...columns } = TIGER_COLUMNS;
      const { outcome } = await compileFiles({ ...GAZETTEER, ...tractShapefile(path, DELAWARE, { columns }) });
      expect(outcome.error?.message).toContain(`its .dbf has no column ${column}; download it again`);
    }
  });

  it('are named by lower-case columns as well', async () => {
    const columns = Object.fromEntries(
      Object.entries(TIGER_COLUMNS).map(([name, width]) => [name.toLowerCase(), width]),
    );
    const rows = DELAWARE.map((tract) =>
      Object.fromEntries(Object.entries(tigerRow(tract)).map(([name, value]) => [name.toLowerCase(), value])),
    );
    const shapes = DELAWARE.map((tract) => [squareRing(tract)]);
    const { souths } = await compileFiles({
      ...GAZETTEER,
      ...custom('tl_2020_10_tract', shapes, dbfFile(columns, rows)),
    });
    expect(souths).toEqual([39, 39, 39]);
  });

  it('of block groups and counties are no source of tracts', async () => {
    const { TRACTCE: _, ...county } = TIGER_COLUMNS;
    for (const columns of [county, { ...TIGER_COLUMNS, BLKGRPCE: 1 }]) {
      const { outcome } = await compileFiles({
        ...GAZETTEER,
        ...tractShapefile('tl_2020_10_bg', DELAWARE, { columns }),
      });
      expect(outcome.lines.join('\n')).toContain('  in/tl_2020_10_bg.shp');
      expect(outcome.published?.report.outlines).toBe(0);
    }
  });

  it.each([
    ['fewer shapes than rows', 1, 3],
    ['more shapes than rows', 3, 2],
  ])('of a file with %s end the compile by name and both counts', async (_, shapes, rows) => {
    const { outcome } = await compileFiles({
      ...GAZETTEER,
      ...custom(
        'tl_2020_10_tract',
        DELAWARE.slice(0, shapes).map((tract) => [squareRing(tract)]),
        dbfFile(TIGER_COLUMNS, DELAWARE.slice(0, rows).map(tigerRow)),
      ),
    });
    expect(outcome.published).toBeUndefined();
    expect(outcome.error).toBeInstanceOf(InputError);
    expect(outcome.error?.message).toBe(
      `in/tl_2020_10_tract.shp: contains ${shapes} shapes, but its .dbf ${rows} rows; it is damaged, so download it again`,
    );
  });

  it('that two tracts have end the compile by the tracts and files, wherever their rings begin', async () => {
    const [first, second, third] = DELAWARE.map((tract) => squareRing(tract)) as [LngLat[], LngLat[], LngLat[]];
    const rotated = [...first.slice(1), first[1] ?? [0, 0]] as LngLat[];
    const rows = dbfFile(TIGER_COLUMNS, DELAWARE.map(tigerRow));
    const same = 'tracts 10001040100 and 10003000200 have the same outline';
    const why = 'a shape was copied or rows have shifted, or one tract is there under two GEOIDs';
    const within = await compileFiles({
      ...GAZETTEER,
      ...custom('tl_2020_10_tract', [[first, third], [second], [third, rotated]], rows),
    });
    expect(within.outcome.error).toBeInstanceOf(InputError);
    expect(within.outcome.error?.message).toBe(`in/tl_2020_10_tract.shp: ${same}; ${why}`);
    const [, , last = FIRST] = DELAWARE;
    const moved = { ...tractShapefile('b/tl_2021_10_tract', [{ ...FIRST, geoid: last.geoid }]) };
    const across = await compileFiles({ ...tractShapefile('a/tl_2020_10_tract', DELAWARE.slice(0, 2)), ...moved });
    expect(across.outcome.error?.message).toBe(`in/a/tl_2020_10_tract.shp, in/b/tl_2021_10_tract.shp: ${same}; ${why}`);
    const all = await compileFiles({ ...GAZETTEER, ...custom('tl_2020_10_tract', [[first], [first], [first]], rows) });
    expect(all.outcome.error?.message).toContain(
      'tracts 10001040100 and 10001040200 have the same outline, and 1 more that of another tract',
    );
  });

  it('of the same extent and as many vertices are told apart', async () => {
    const [south, west, north, east] = squareRing(FIRST) as [LngLat, LngLat, LngLat, LngLat];
    const half = (a: LngLat, b: LngLat, c: LngLat): LngLat[][] => [[a, b, c, a]];
    const rows = dbfFile(TIGER_COLUMNS, DELAWARE.slice(0, 2).map(tigerRow));
    const halves = [half(south, west, north), half(south, north, east)];
    const { outcome } = await compileFiles({ ...GAZETTEER, ...custom('tl_2020_10_tract', halves, rows) });
    expect(outcome.published?.report.outlines).toBe(2);
  });

  it('of a file that is a shape short end the compile where the row without one is not wanted', async () => {
    const outside = { geoid: '72001956300', west: -66.7, south: 18.1 };
    const rows = [FIRST, outside];
    const { outcome } = await compileFiles({
      ...GAZETTEER,
      ...custom('tl_2020_10_tract', [[squareRing(FIRST)]], dbfFile(TIGER_COLUMNS, rows.map(tigerRow))),
    });
    expect(outcome.error?.message).toBe(
      'in/tl_2020_10_tract.shp: contains 1 shapes, but its .dbf 2 rows; it is damaged, so download it again',
    );
  });
});
