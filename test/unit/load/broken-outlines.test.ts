import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { ThresholdError } from '../../../src/load/publish-intake.js';
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
import { dbfFile } from '../../support/shapefile-writer.js';
import { DELAWARE } from '../../support/small-input.js';

const GAZETTEER = { '2023_Gaz_tracts_national.txt': gazetteerText(DELAWARE) };
const [FIRST, SECOND] = DELAWARE;
if (!FIRST || !SECOND) throw new Error('Delaware has tracts');

/** Many good tracts in one county, so that a single bad one stays under the threshold. */
const MANY: readonly SquareTract[] = Array.from({ length: 200 }, (_, index) => ({
  geoid: `10001${String((index + 1) * 100).padStart(6, '0')}`,
  west: -75.9 + (index % 20) / 10,
  south: 38 + Math.floor(index / 20) / 10,
}));

describe('one bad record among many is rejected with its reason, and its tract kept without an outline', () => {
  const ring = squareRing(MANY[0] ?? FIRST);
  const swapped = squareRing(MANY[0] ?? FIRST).map(([lng, lat]) => [lat, lng] as const);
  it.each([
    ['without a shape', null, 'a record without a shape'],
    ['without area', [[-75.2, -75.1, -75, -75.1, -75.2].map((lng) => [lng, 39] as const)], 'an outline without area'],
    ['whose ring occurs twice', [ring, ring], 'an outline without area'],
    [
      'whose ring is its own hole',
      [ring, [...ring.slice(2), ...ring.slice(1, 3)].reverse()],
      'an outline without area',
    ],
    ['with swapped coordinates', [swapped], 'coordinates outside the United States (swapped or projected?)'],
    [
      'with NaN',
      [
        [
          [-75, 39],
          [Number.NaN, 39],
          [-75, 40],
        ],
      ] as const,
      'coordinates outside the United States (swapped or projected?)',
    ],
  ])('%s', async (_, shape, reason) => {
    const shapes = MANY.map((tract, index) => (index === 0 ? shape : [squareRing(tract)]));
    const { outcome, souths } = await compileFiles({
      '2023_Gaz_tracts_national.txt': gazetteerText(MANY),
      ...custom('tl_2020_10_tract', shapes, dbfFile(TIGER_COLUMNS, MANY.map(tigerRow))),
    });
    expect(accountOf(outcome, 'TIGER/Line 2020')).toMatchObject({ read: 200, kept: 199, rejected: { [reason]: 1 } });
    expect([souths[0], souths.length, outcome.published?.report.outlines]).toEqual([undefined, 200, 199]);
  });

  it('marked as deleted', async () => {
    const rows = dbfFile(TIGER_COLUMNS, MANY.map(tigerRow), [0]);
    const { outcome, souths } = await compileFiles({
      '2023_Gaz_tracts_national.txt': gazetteerText(MANY),
      ...custom(
        'tl_2020_10_tract',
        MANY.map((tract) => [squareRing(tract)]),
        rows,
      ),
    });
    expect(accountOf(outcome, 'TIGER/Line 2020').rejected).toEqual({ 'marked as deleted': 1 });
    expect(souths[0]).toBeUndefined();
  });

  it('that repeats a GEOID with another attribute, which is told; the first outline stays', async () => {
    const tracts = [...MANY, ...shifted(MANY.slice(0, 1), 0.5)];
    const { outcome, souths } = await compileFiles({
      '2023_Gaz_tracts_national.txt': gazetteerText(MANY),
      ...tractShapefile('tl_2020_10_tract', tracts),
    });
    const reason = 'duplicate GEOID with another INTPTLAT';
    expect(accountOf(outcome, 'TIGER/Line 2020')).toMatchObject({ read: 201, rejected: { [reason]: 1 } });
    const { rejections = [] } = outcome.published?.report ?? {};
    const contradicts = 'in/tl_2020_10_tract.shp, row 1';
    expect(rejections.map(({ examples }) => examples)).toEqual([
      [{ row: 201, column: 'INTPTLAT', value: '+38.5500000', geoid: MANY[0]?.geoid, contradicts }],
    ]);
    expect(souths[0]).toBe(38);
  });
});

describe('records of one tract with equal attributes, as GIS programs split outlines of several parts', () => {
  const [tract = FIRST] = MANY;
  const island = squareRing({ ...tract, west: -77 });
  const half = squareRing(tract).map(([lng, lat]) => [lng + 0.05, lat] as const);
  const compileParts = async (...parts: Parameters<typeof custom>[1]) => {
    const shapes = [...parts, ...MANY.slice(1).map((other) => [squareRing(other)])];
    const rows = [...parts.map(() => tract), ...MANY.slice(1)].map(tigerRow);
    const { outcome, wests } = await compileFiles({
      '2023_Gaz_tracts_national.txt': gazetteerText(MANY),
      ...custom('tl_2020_10_tract', shapes, dbfFile(TIGER_COLUMNS, rows)),
    });
    return { wests: wests[0], account: accountOf(outcome, 'TIGER/Line 2020') };
  };

  it('are joined, and that is noted', async () => {
    const { wests, account } = await compileParts([squareRing(tract)], [island]);
    expect(wests).toEqual([-75.9, -77]);
    expect(account).toMatchObject({
      ...{ read: 201, kept: 201, rejected: {} },
      notes: { 'part of an outline in a record of its own, joined to the others': 1 },
    });
  });

  it('are rejected as duplicates where they cover what an earlier one does, which would cut a hole into it', async () => {
    for (const repeated of [squareRing(tract), half]) {
      const { wests, account } = await compileParts([squareRing(tract)], [island], [repeated]);
      expect(wests).toEqual([-75.9, -77]);
      expect(account).toMatchObject({ read: 202, kept: 201, rejected: { 'duplicate GEOID': 1 } });
    }
  });

  it.each([
    ['most of five tracts or more', 6, 5, 5],
    ['half of the tracts', 10, 5, undefined],
    ['few tracts', 4, 4, undefined],
  ])('are told apart from pieces such as parcels by being rare: %s', async (_, tracts, split, noted) => {
    const all = MANY.slice(0, tracts);
    const pieces = all.flatMap((whole, at) => (at < split ? [whole, { ...whole, west: whole.west - 1 }] : [whole]));
    const rows = pieces.map(({ geoid }) => tigerRow(all.find((whole) => whole.geoid === geoid) ?? tract));
    const shapes = pieces.map((piece) => [squareRing(piece, 0.05)]);
    const { outcome } = await compileFiles({
      '2023_Gaz_tracts_national.txt': gazetteerText(all),
      ...custom('tl_2020_10_tract', shapes, dbfFile(TIGER_COLUMNS, rows)),
    });
    const { notes } = accountOf(outcome, 'TIGER/Line 2020');
    const what =
      'tract of several records in a file where most are: gaps between them, as streets between parcels, are in no tract';
    expect([notes['part of an outline in a record of its own, joined to the others'], notes[what]]).toEqual([
      split,
      noted,
    ]);
  });

  it('make no outline if one of them is broken', async () => {
    const { wests, account } = await compileParts([squareRing(tract)], null);
    expect(wests).toEqual([]);
    expect(account).toMatchObject({
      ...{ read: 201, kept: 199 },
      rejected: { 'a record without a shape': 1, 'part of an outline of which another part is broken': 1 },
    });
  });
});

describe('a broken record', () => {
  const shapes = MANY.map((tract, index) => (index === 0 ? null : [squareRing(tract)]));
  const tiger = custom('tl_2020_10_tract', shapes, dbfFile(TIGER_COLUMNS, MANY.map(tigerRow)));
  const gazetteer = { '2023_Gaz_tracts_national.txt': gazetteerText(MANY) };
  const second = (path: string, tracts: readonly SquareTract[], shape: (typeof shapes)[number]): InputTree =>
    custom(path, [shape ?? null, ...tracts.slice(1).map((tract) => [squareRing(tract)])], cbRows(tracts));
  const cbRows = (tracts: readonly SquareTract[]): Buffer => dbfFile(CB_COLUMNS, tracts.map(tigerRow));
  const cb = shifted(MANY, 0.25);

  it('of the best product is replaced by the next best one, which is reported', async () => {
    const first = cb[0] ?? FIRST;
    const { outcome, souths } = await compileFiles({
      ...gazetteer,
      ...tiger,
      ...second('cb_2022_10_tract_500k', cb, [squareRing(first)]),
    });
    expect([souths[0], souths[1], outcome.published?.report.outlines]).toEqual([38.25, 38, 200]);
    expect(accountOf(outcome, 'TIGER/Line 2020')).toMatchObject({
      kept: 199,
      rejected: { 'a record without a shape': 1 },
    });
    expect(accountOf(outcome, 'Cartographic boundaries 2022, 1:500,000')).toMatchObject({
      kept: 1,
      leftOut: { 'better outline in TIGER/Line 2020': 199 },
      notes: { 'outline used in place of a broken one of a better product': 1 },
    });
  });

  it('of every product leaves the tract without an outline, and all but it are accounted for', async () => {
    const { outcome, souths } = await compileFiles({
      ...gazetteer,
      ...tiger,
      ...second('cb_2022_10_tract_500k', cb, null),
    });
    expect([souths[0], outcome.published?.report.outlines]).toEqual([undefined, 199]);
    expect(accountOf(outcome, 'Cartographic boundaries 2022, 1:500,000')).toMatchObject({
      kept: 0,
      rejected: { 'a record without a shape': 1 },
      leftOut: { 'better outline in TIGER/Line 2020': 199 },
    });
  });
});

describe('a .prj', () => {
  it.each([
    ['compound', 'COMPD_CS["NAD83 + height",PROJCS["UTM 18N",GEOGCS["NAD83"]],VERT_CS["NAVD88"]]', 'UTM 18N'],
    ['bound', 'BOUNDCRS[SOURCECRS[PROJCRS["Albers",BASEGEOGCRS["NAD83"]]],TARGETCRS[GEOGCRS["WGS 84"]]]', 'Albers'],
    ['after a byte order mark', '\uFEFFPROJCS ["Lambert",GEOGCS["NAD83"]]', 'Lambert'],
  ])('with a projected system inside is refused: %s', async (_, prj, name) => {
    const { outcome } = await compileFiles({ ...GAZETTEER, ...tractShapefile('tl_2020_10_tract', DELAWARE, { prj }) });
    expect(outcome.error).toBeInstanceOf(InputError);
    expect(outcome.error?.message).toContain(
      `in/tl_2020_10_tract.shp (TIGER/Line 2020): its coordinates are projected (${name})`,
    );
  });

  it.each([
    ['a web page', '<!DOCTYPE html><title>404 GEOGCS</title>'],
    ['a name of a system', 'EPSG:26918'],
    ['words, as before WKT', 'Projection UTM\nZone 18\nDatum NAD83\n'],
    ['nothing', ''],
  ])('that is no WKT is refused: %s', async (_, prj) => {
    const { outcome } = await compileFiles({ ...GAZETTEER, ...tractShapefile('tl_2020_10_tract', DELAWARE, { prj }) });
    expect(outcome.error).toBeInstanceOf(InputError);
    expect(outcome.error?.message).toContain(
      'in/tl_2020_10_tract.shp (TIGER/Line 2020): its .prj names no coordinate system (WKT); download it again',
    );
  });

  it.each([
    'GEOGCRS["NAD83",DATUM["North American Datum 1983",ELLIPSOID["GRS 1980",6378137,298.257222101]]]',
    'GEOGCS["not PROJCS by its name",DATUM["D"]]',
    'COMPD_CS["NAD83 + height",GEOGCS["NAD83"],VERT_CS["NAVD88"]]',
    'GEODCRS["NAD83",DATUM["North American Datum 1983"]]',
  ])('of longitude and latitude is taken: %s', async (prj) => {
    const { souths } = await compileFiles({ ...GAZETTEER, ...tractShapefile('tl_2020_10_tract', DELAWARE, { prj }) });
    expect(souths).toEqual([39, 39, 39]);
  });
});

describe('an empty shapefile', () => {
  it('of a tract product ends the compile by name', async () => {
    const { outcome } = await compileFiles({ ...GAZETTEER, ...tractShapefile('tl_2020_10_tract', []) });
    expect(outcome.error?.message).toBe('in/tl_2020_10_tract.dbf (TIGER/Line 2020): it has no rows');
  });
});

describe('too many bad records', () => {
  it('publish nothing and say of which source, how many, and how many may be', async () => {
    const lost = Array.from({ length: 5 }, (_, at) => ({ ...SECOND, geoid: `1000105010${at}` }));
    const shapes = [...lost.map(() => null), [squareRing(SECOND)]];
    const rows = [...lost, SECOND].map(tigerRow);
    const { outcome } = await compileFiles({
      '2023_Gaz_tracts_national.txt': gazetteerText([...DELAWARE, ...lost]),
      ...custom('tl_2020_10_tract', shapes, dbfFile(TIGER_COLUMNS, rows)),
    });
    expect(outcome.error).toBeInstanceOf(ThresholdError);
    const reason = '  in/tl_2020_10_tract.shp: 5 × a record without a shape, the first: row 1, GEOID 10001050100';
    expect(outcome.error?.message.split('\n')).toEqual([
      'in/tl_2020_10_tract.shp (TIGER/Line 2020): 5 of 6 rows rejected, more than 1%',
      reason,
      'tiger: 5 of 6 rows rejected, more than 1%',
      reason,
    ]);
  });
});
