import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generationPath } from '../../../src/catalog/generations.js';
import { openDataset } from '../../../src/format/dataset.js';
import { ThresholdError } from '../../../src/load/compile.js';
import { InputError } from '../../../src/load/model.js';
import { accountOf, type LoadOutcome, load } from '../../support/loading.js';
import {
  CB_COLUMNS,
  crosswalkText,
  gazetteerText,
  type InputTree,
  type SquareTract,
  squareRing,
  TIGER_COLUMNS,
  tigerRow,
  tractShapefile,
  writeTree,
} from '../../support/official-files.js';
import { dbfFile, GEOGRAPHIC_PRJ, shpFile } from '../../support/shapefile-writer.js';
import { DELAWARE } from '../../support/small-input.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

type LngLatRings = Parameters<typeof shpFile>[0][number];

const GAZETTEER = { '2023_Gaz_tracts_national.txt': gazetteerText(DELAWARE) };
const [FIRST, SECOND] = DELAWARE;
if (!FIRST || !SECOND) throw new Error('Delaware has tracts');

/** The same tract somewhat to the north, to tell whose outline was taken. */
const shifted = (tracts: readonly SquareTract[], degrees: number): SquareTract[] =>
  tracts.map((tract) => ({ ...tract, south: tract.south + degrees }));

interface Compiled {
  readonly outcome: LoadOutcome;
  /** Southern end of each tract's outline, in degrees; undefined where it has none. */
  readonly souths: readonly (number | undefined)[];
  readonly geoids: readonly number[];
}

async function compileFiles(tree: InputTree): Promise<Compiled> {
  const root = temporaryDirectory();
  const outputDir = join(root, 'out');
  const outcome = await load({
    inputDirs: [writeTree(join(root, 'in'), tree)],
    outputDir,
    filter: { territories: false },
  });
  if (!outcome.published) return { outcome, souths: [], geoids: [] };
  const dataset = openDataset(generationPath(outputDir, outcome.published.generation));
  const souths = [...dataset.tracts.geoids].map((_, row) => {
    const ys = dataset.outlines.rings(row).flatMap((ring) => [...ring].filter((_, at) => at % 2 === 1));
    return ys.length > 0 ? Math.min(...ys) / 1e7 : undefined;
  });
  const geoids = [...dataset.tracts.geoids];
  dataset.release();
  return { outcome, souths, geoids };
}

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

/** A shapefile of Delaware’s tracts with other shapes or rows than squares. */
const custom = (path: string, shapes: readonly LngLatRings[], rows: Buffer): InputTree => ({
  [`${path}.shp`]: shpFile(shapes),
  [`${path}.dbf`]: rows,
  [`${path}.prj`]: GEOGRAPHIC_PRJ,
});

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
      expect(outcome.lines).toContain('  in/tl_2020_10_bg.shp');
      expect(outcome.published?.report.outlines).toBe(0);
    }
  });

  it('whose archive holds fewer shapes than rows end the compile by name', async () => {
    const { outcome } = await compileFiles({
      ...GAZETTEER,
      ...custom('tl_2020_10_tract', [[squareRing(FIRST)]], dbfFile(TIGER_COLUMNS, DELAWARE.map(tigerRow))),
    });
    expect(outcome.error).toBeInstanceOf(InputError);
    expect(outcome.error?.message).toBe('in/tl_2020_10_tract.shp: holds 2 shapes fewer than its .dbf has rows');
  });
});

/** Many good tracts in one county, so that a single bad one stays under the threshold. */
const MANY: readonly SquareTract[] = Array.from({ length: 200 }, (_, index) => ({
  geoid: `10001${String((index + 1) * 100).padStart(6, '0')}`,
  west: -75.9 + (index % 20) / 10,
  south: 38 + Math.floor(index / 20) / 10,
}));

describe('one bad record among many is rejected with its reason, and its tract kept without an outline', () => {
  const swapped = squareRing(MANY[0] ?? FIRST).map(([lng, lat]) => [lat, lng] as const);
  it.each([
    ['without a shape', null, 'a record without a shape'],
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
    expect(accountOf(outcome, 'TIGER/Line 2020').rejected).toEqual({ 'not a tract GEOID': 1 });
    expect(souths[0]).toBeUndefined();
  });

  it('that repeats a GEOID, whose first outline stays', async () => {
    const tracts = [...MANY, ...shifted(MANY.slice(0, 1), 0.5)];
    const { outcome, souths } = await compileFiles({
      '2023_Gaz_tracts_national.txt': gazetteerText(MANY),
      ...tractShapefile('tl_2020_10_tract', tracts),
    });
    expect(accountOf(outcome, 'TIGER/Line 2020')).toMatchObject({ read: 201, rejected: { 'duplicate GEOID': 1 } });
    expect(souths[0]).toBe(38);
  });
});

describe('a broken record', () => {
  const shapes = MANY.map((tract, index) => (index === 0 ? null : [squareRing(tract)]));
  const tiger = custom('tl_2020_10_tract', shapes, dbfFile(TIGER_COLUMNS, MANY.map(tigerRow)));
  const gazetteer = { '2023_Gaz_tracts_national.txt': gazetteerText(MANY) };
  const second = (path: string, tracts: readonly SquareTract[], shape: (typeof shapes)[number]): InputTree =>
    custom(path, [shape ?? null, ...tracts.slice(1).map((tract) => [squareRing(tract)])], cbRows(tracts));
  const cbRows = (tracts: readonly SquareTract[]): Buffer => dbfFile(CB_COLUMNS, tracts.map(tigerRow));
  const cb = shifted(MANY, 0.5);

  it('of the best product gives way to the next best, which is told', async () => {
    const first = cb[0] ?? FIRST;
    const { outcome, souths } = await compileFiles({
      ...gazetteer,
      ...tiger,
      ...second('cb_2022_10_tract_500k', cb, [squareRing(first)]),
    });
    expect([souths[0], souths[1], outcome.published?.report.outlines]).toEqual([38.5, 38, 200]);
    expect(accountOf(outcome, 'TIGER/Line 2020')).toMatchObject({
      kept: 199,
      rejected: { 'a record without a shape': 1 },
    });
    expect(accountOf(outcome, 'Cartographic boundaries 2022, 1:500,000')).toMatchObject({
      kept: 1,
      leftOut: { 'better outline in TIGER/Line 2020': 199 },
      notes: { 'outline stands in for a broken one of a better product': 1 },
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

describe('Connecticut by outlines alone', () => {
  const county = [{ geoid: '09001010101', west: -73, south: 41 }];
  const region = [{ geoid: '09190010101', west: -73, south: 41.5 }];
  const columns = { columns: CB_COLUMNS };
  it('has the names of the newest product, and no tract twice, where no crosswalk is loaded', async () => {
    for (const newest of ['cb_2023_09_tract_500k', 'tl_2022_09_tract']) {
      const { outcome, geoids } = await compileFiles({
        ...tractShapefile('tl_2020_09_tract', county),
        ...tractShapefile(newest, region, columns),
      });
      expect(geoids).toEqual([9190010101]);
      expect(accountOf(outcome, 'TIGER/Line 2020').leftOut).toEqual({
        'Connecticut county tract that no crosswalk moves': 1,
      });
    }
  });

  it('moves older outlines by the crosswalk, where the better one wins', async () => {
    const { outcome, geoids, souths } = await compileFiles({
      ...tractShapefile('tl_2020_09_tract', county),
      ...tractShapefile('cb_2023_09_tract_500k', region, columns),
      'ct_2022tractcrosswalk.csv': crosswalkText({ '09001010101': '09190010101' }),
    });
    expect([geoids, souths]).toEqual([[9190010101], [41]]);
    expect(accountOf(outcome, 'Cartographic boundaries 2023, 1:500,000').leftOut).toEqual({
      'better outline in TIGER/Line 2020': 1,
    });
  });

  it('keeps its counties where no newer outline is loaded', async () => {
    const { geoids } = await compileFiles({
      ...tractShapefile('tl_2020_09_tract', county),
      'ct_2022tractcrosswalk.csv': crosswalkText({ '09001010101': '09190010101' }),
    });
    expect(geoids).toEqual([9001010101]);
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
    'GEOGCRS["NAD83",DATUM["North American Datum 1983",ELLIPSOID["GRS 1980",6378137,298.257222101]]]',
    'GEOGCS["not PROJCS by its name",DATUM["D"]]',
  ])('of longitude and latitude is taken: %s', async (prj) => {
    const { souths } = await compileFiles({ ...GAZETTEER, ...tractShapefile('tl_2020_10_tract', DELAWARE, { prj }) });
    expect(souths).toEqual([39, 39, 39]);
  });
});

describe('an empty shapefile', () => {
  it('of a tract product ends the compile by name', async () => {
    const { outcome } = await compileFiles({ ...GAZETTEER, ...tractShapefile('tl_2020_10_tract', []) });
    expect(outcome.error?.message).toBe('in/tl_2020_10_tract.dbf (TIGER/Line 2020): no row in it');
  });
});

describe('too many bad records', () => {
  it('publish nothing and say of which source, how many, and how many may be', async () => {
    const { outcome } = await compileFiles({
      ...GAZETTEER,
      ...custom('tl_2020_10_tract', [null, [squareRing(SECOND)], null], dbfFile(TIGER_COLUMNS, DELAWARE.map(tigerRow))),
    });
    expect(outcome.error).toBeInstanceOf(ThresholdError);
    expect(outcome.error?.message).toBe('tiger: 2 of 3 rows rejected, more than 1%');
  });
});
