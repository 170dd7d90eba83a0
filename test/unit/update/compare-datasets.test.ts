import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { IN_NO_TRACT } from '../../../src/format/providers-file.js';
import {
  CoverageLossError,
  compareDatasets,
  describeComparison,
  refuseLosses,
} from '../../../src/load/update/compare-datasets.js';
import { findLosses, measureCoverage } from '../../../src/load/update/coverage.js';
import { fingerprintInput } from '../../../src/load/update/input-state.js';
import { load } from '../../support/loading.js';
import { madeUpTracts } from '../../support/made-up-tracts.js';
import { type InputTree, sviText, writeTree } from '../../support/official-files.js';
import { publishDemo } from '../../support/publish-demo.js';
import { SMALL_TRACTS, smallInput } from '../../support/small-input.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** The directory of the generation that these files make. */
async function generationOf(tree: InputTree): Promise<string> {
  const outputDir = join(temporaryDirectory(), 'datasets');
  const outcome = await load({
    inputDirs: [writeTree(join(temporaryDirectory(), 'in'), tree)],
    outputDir,
    filter: { territories: false },
  });
  if (!outcome.published) throw outcome.error;
  return generationPath(outputDir, outcome.published.generation);
}

const without = (path: string, tree: InputTree = smallInput()): InputTree =>
  Object.fromEntries(Object.entries(tree).filter(([name]) => name !== path));

describe('two datasets', () => {
  it('are compared by tracts, sections and the largest move of each metric', async () => {
    const comparison = compareDatasets(await generationOf(smallInput(100)), await generationOf(smallInput(250)));
    expect(comparison).toMatchObject({
      tractsBefore: 5,
      tractsAfter: 5,
      changes: { changedTracts: 1, addedTracts: 0, removedTracts: 0, bySection: { demographics: 1, svi_themes: 0 } },
      losses: [],
    });
    expect(comparison.largestMoves).toContainEqual({
      metric: 'poverty_rate',
      geoid: '10001040100',
      before: 10,
      after: 25,
    });
    expect(describeComparison(comparison)).toContain('  poverty_rate: 10 to 25 in 10001040100');
    expect(() => refuseLosses(comparison, 0)).not.toThrow();
  });

  it('compare coverage state by state: a state that lost a section is reported even if the nation keeps most of it', async () => {
    const ranks = (geoid: string): number[] =>
      geoid.startsWith('11') ? [-999, -999, -999, -999, -999] : [0.1, 0.2, 0.3, 0.4, 0.5];
    const poorer = sviText(Object.fromEntries(SMALL_TRACTS.map(({ geoid }) => [geoid, ranks(geoid)])));
    const comparison = compareDatasets(
      await generationOf(smallInput()),
      await generationOf({ ...without('svi/SVI_2022_US.csv'), 'svi/SVI_2022_US.csv': poorer }),
    );
    expect(comparison.losses[0]).toMatchObject({ area: '11', lostShare: 1, after: 0 });
    expect(comparison.losses.every(({ area, what }) => area === '11' && /svi_themes|sdoh_index/.test(what))).toBe(true);
    expect(() => refuseLosses(comparison, 0.99)).toThrow(CoverageLossError);
    expect(() => refuseLosses(comparison, 1)).not.toThrow();
  });
});

test('the loss of an earlier year is reported by metric and state, that of the newest year only as the metric’s', async () => {
  const income = 'acs/acsdt5y2022-b19013.dat';
  const tree = { ...smallInput(), 'acs/acsdt5y2021-b19013.dat': smallInput()[income] ?? '' };
  const loss = { before: 3, after: 0, lostShare: 1 };
  const lossesOf = async (path: string) =>
    compareDatasets(await generationOf(tree), await generationOf(without(path, tree))).losses;
  expect(await lossesOf('acs/acsdt5y2021-b19013.dat')).toEqual([
    { area: '10', what: 'median_household_income of 2021', ...loss },
    { area: '11', what: 'median_household_income of 2021', ...loss, before: 1 },
  ]);
  const newest = await lossesOf(income);
  expect(newest.map(({ what }) => what)).toEqual(Array(2).fill('median_household_income of 2022'));
  const single = compareDatasets(await generationOf(smallInput()), await generationOf(without(income)));
  expect(single.losses.map(({ what }) => what)).toEqual(Array(2).fill('median_household_income'));
});

test('of address ranges, those with a ZIP and those whose ZIP has a city are counted, and lost ones told once', () => {
  const shard = {
    ...{
      stateFips: '10',
      rangeCount: 9,
      runZips: Uint32Array.of(0, 19901, 19902),
      runRanges: Uint32Array.of(0, 2, 5, 9),
    },
    zips: { find: (zip: number) => zip - 19901, mainCityOf: (at: number) => (at === 0 ? 0 : -1) },
  };
  const tracts = madeUpTracts([{ geoid: '10001000100' }]);
  const addresses = { shards: [shard] };
  const counted = measureCoverage({ tracts, outlines: { rings: () => [] }, providers: undefined, addresses });
  expect(counted.filter(({ what }) => what.startsWith('address')).map(({ what, count }) => [what, count])).toEqual([
    ['address ranges', 9],
    ['address ranges with a ZIP', 7],
    ['address ranges whose ZIP has a city', 3],
  ]);
  const lost = (without: readonly string[]) =>
    findLosses(
      counted,
      counted.filter(({ what }) => !without.some((suffix) => what.endsWith(suffix))),
    ).map(({ what }) => what);
  expect(lost(['address ranges', 'ZIP', 'city'])).toEqual(['address ranges']);
  expect(lost(['ZIP', 'city'])).toEqual(['address ranges with a ZIP']);
  expect(lost(['city'])).toEqual(['address ranges whose ZIP has a city']);
});

test('the loss of a part is told besides one of the whole that is as great, but not more than is tolerated', () => {
  const entries = (whole: number, part: number) => [
    { area: '10', what: 'whole', count: whole },
    { area: '10', what: 'part', count: part, partOf: 'whole' },
  ];
  const told = (whole: number, part: number, tolerated?: number) =>
    findLosses(entries(1000, 200), entries(whole, part), tolerated).map(({ what }) => what);
  expect(told(985, 185)).toEqual(['part', 'whole']);
  expect(told(985, 185, 0.1)).toEqual(['whole']);
  expect(told(985, 185, 0.01)).toEqual(['whole']);
  expect(told(985, 198)).toEqual(['whole']);
  expect(told(900, 150)).toEqual(['whole']);
  expect(told(900, 150, 0.2)).toEqual(['part', 'whole']);
});

test('measured data may replace all of the synthetic nation, but not the other way round', async () => {
  const measured = await generationOf(smallInput());
  const outputDir = temporaryDirectory();
  const demo = generationPath(outputDir, (await publishDemo(outputDir)).generation);
  const comparison = compareDatasets(demo, measured);
  expect(comparison.changes.removedTracts).toBeGreaterThan(0);
  expect(comparison).toMatchObject({ largestMoves: [], losses: [] });
  expect(() => refuseLosses(comparison, 0)).not.toThrow();
  expect(() => refuseLosses(compareDatasets(measured, demo), 0.5)).toThrow(CoverageLossError);
});

test('outlines and providers are counted by state, and all providers', () => {
  const tracts = madeUpTracts([{ geoid: '10001000100' }, { geoid: '10001000200' }, { geoid: '11001000100' }]);
  const outlines = { rings: (row: number) => (row === 1 ? [] : [Int32Array.of(0, 0, 1, 0, 1, 1)]) };
  const providers = { tracts: Uint32Array.of(0, 0, 2, IN_NO_TRACT) };
  const counted = measureCoverage({ tracts, outlines, providers, addresses: undefined });
  const countOf = (area: string, what: string) =>
    counted.find((entry) => entry.area === area && entry.what === what)?.count;
  expect(['10', '11'].map((area) => [countOf(area, 'outlines'), countOf(area, 'providers')])).toEqual([
    [1, 2],
    [1, 1],
  ]);
  expect(countOf('US', 'providers')).toBe(4);
});

test('what a generation is compiled from is another with other tables, another program or other files', () => {
  const input = writeTree(join(temporaryDirectory(), 'in'), { 'one.txt': 'one' });
  const own = writeTree(join(temporaryDirectory(), 'own'), {
    'dist/program/main.js': '1',
    'datasets/sources.json': '1',
  });
  const first = fingerprintInput(input, {}, own);
  expect(fingerprintInput(input, {}, own)).toBe(first);
  const others = ['dist/program/main.js', 'datasets/sources.json'].map((path) => {
    writeFileSync(join(own, path), '2');
    return fingerprintInput(input, {}, own);
  });
  writeTree(input, { 'two.txt': 'two' });
  others.push(fingerprintInput(input, {}, own), fingerprintInput(input, { states: ['10'] }, own));
  expect(new Set([first, ...others]).size).toBe(5);
});

describe('coverage', () => {
  const entry = (count: number, area = '10', what = 'tracts') => ({ area, what, count });

  it('is lost where there is less, or nothing, or no such state any more; what is new is no loss', () => {
    expect(findLosses([entry(10), entry(4, '11')], [entry(9), entry(7, '12')])).toEqual([
      { area: '11', what: 'tracts', before: 4, after: 0, lostShare: 1 },
      { area: '10', what: 'tracts', before: 10, after: 9, lostShare: 0.1 },
    ]);
    expect(findLosses([entry(0), entry(5)], [entry(0), entry(6)])).toEqual([]);
  });

  it.each([
    [0.02, 2, 100, false],
    [0.02, 3, 100, true],
    [0, 1, 100, true],
  ])('may shrink by a share of %f: %i of %i lost is refused: %s', (share, lost, before, refused) => {
    const losses = findLosses([entry(before)], [entry(before - lost)]);
    const changes = { changedTracts: 0, addedTracts: 0, removedTracts: 0, bySection: {} as never };
    const refuse = () => refuseLosses({ tractsBefore: 0, tractsAfter: 0, changes, largestMoves: [], losses }, share);
    if (refused)
      expect(refuse).toThrow(
        /% of the published data would be lost; to publish anyway, pass --force:\n {2}10 tracts: 100 before/,
      );
    else expect(refuse).not.toThrow();
  });
});
