import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generationPath } from '../../../src/catalog/generations.js';
import { openDataset } from '../../../src/format/dataset.js';
import { ThresholdError } from '../../../src/load/compile.js';
import { InputError } from '../../../src/load/model.js';
import { accountOf, type LoadOutcome, load } from '../../support/loading.js';
import {
  CB_COLUMNS,
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
}

async function compileFiles(tree: InputTree): Promise<Compiled> {
  const root = temporaryDirectory();
  const outputDir = join(root, 'out');
  const outcome = await load({
    inputDirs: [writeTree(join(root, 'in'), tree)],
    outputDir,
    filter: { territories: false },
  });
  if (!outcome.published) return { outcome, souths: [] };
  const dataset = openDataset(generationPath(outputDir, outcome.published.generation));
  const souths = [...dataset.tracts.geoids].map((_, row) => {
    const ys = dataset.outlines.rings(row).flatMap((ring) => [...ring].filter((_, at) => at % 2 === 1));
    return ys.length > 0 ? Math.min(...ys) / 1e7 : undefined;
  });
  dataset.release();
  return { outcome, souths };
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
