import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { compileFiles } from '../../support/compiled-outlines.js';
import { gazetteerText, type SquareTract, tractShapefile } from '../../support/official-files.js';

const TRACTS: readonly SquareTract[] = Array.from({ length: 100 }, (_, at) => ({
  geoid: `10001${String(40000 + at)}0`.slice(0, 11),
  west: -75 + (at % 10) / 5,
  south: 39 + Math.floor(at / 10) / 5,
}));
const OUTLINES = tractShapefile('tl_2020_10_tract', TRACTS);

/** The first of the tracts where those behind them are, the others where they are. */
const moved = (count: number): SquareTract[] =>
  TRACTS.map((tract, at) => ({ ...tract, ...(at < count && { west: TRACTS[at + 1]?.west ?? 0 }) }));
const slipped = (count: number): string => gazetteerText(moved(count));

test('a gazetteer whose internal points have slipped from their tracts is refused, and named', async () => {
  const { outcome } = await compileFiles({ ...OUTLINES, '2023_Gaz_tracts_national.txt': slipped(99) });
  expect(outcome.published).toBeUndefined();
  expect(outcome.error).toBeInstanceOf(InputError);
  expect(String(outcome.error)).toMatch(
    /in\/2023_Gaz_tracts_national\.txt, in\/tl_2020_10_tract\.shp: 99 of 100 internal points of Delaware lie outside/,
  );
});

test('a few points outside are those of tracts that are mostly water, and stay as they are published', async () => {
  const { outcome } = await compileFiles({ ...OUTLINES, '2023_Gaz_tracts_national.txt': slipped(4) });
  expect(outcome.published?.report.tracts).toBe(100);
});

test('outlines without a gazetteer are held against the points in their own attributes', async () => {
  const attributes = 'tl_2020_10_tract.dbf';
  const slippedRows = tractShapefile('tl_2020_10_tract', moved(99))[attributes];
  if (slippedRows === undefined) return expect.fail('a shapefile has attributes');
  const { outcome } = await compileFiles({ ...OUTLINES, [attributes]: slippedRows });
  expect(outcome.published).toBeUndefined();
  expect(String(outcome.error)).toMatch(/in\/tl_2020_10_tract\.shp: 99 of 100 internal points of Delaware lie outside/);
});

test('one state’s points do not pass among those of others', async () => {
  const elsewhere = TRACTS.map((tract) => ({ ...tract, geoid: tract.geoid.replace('10001', '11001') }));
  const others = ['12001', '13001', '17001'].map((county) =>
    TRACTS.map((tract) => ({ ...tract, geoid: tract.geoid.replace('10001', county) })),
  );
  const all = [moved(10), elsewhere, ...others].flat();
  const { outcome } = await compileFiles({
    ...tractShapefile('tl_2020_us_tract', [TRACTS, elsewhere, ...others].flat()),
    '2023_Gaz_tracts_national.txt': gazetteerText(all),
  });
  expect(String(outcome.error)).toMatch(/10 of 100 internal points of Delaware/);
});

/** Centers where the tracts are by their true rows, 15 meters from the internal points of tracts 32 meters wide. */
const centers = (tracts: readonly SquareTract[], population = 4000): string => {
  const half = gazetteerText(tracts).split('\n').slice(1, -1);
  const rows = half.map((line, at) => {
    const [lat, lng] = line.trim().split('\t').slice(-2).map(Number);
    const { geoid } = tracts[at] ?? expect.fail();
    const ids = [geoid.slice(0, 2), geoid.slice(2, 5), geoid.slice(5)].join();
    return `${ids},${population},${((lat ?? 0) + 0.000135).toFixed(6)},${lng?.toFixed(6)}\n`;
  });
  return `STATEFP,COUNTYFP,TRACTCE,POPULATION,LATITUDE,LONGITUDE\n${rows.join('')}`;
};

test('centers of population that have slipped from their tracts are refused, and named', async () => {
  const CENPOP = 'CenPop2020_Mean_TR.txt';
  const files = { ...OUTLINES, '2023_Gaz_tracts_national.txt': slipped(0) };
  const { outcome } = await compileFiles({ ...files, [CENPOP]: centers(moved(99)) });
  expect(outcome.published).toBeUndefined();
  expect(outcome.error).toBeInstanceOf(InputError);
  expect(String(outcome.error)).toMatch(
    /: in\/CenPop2020_Mean_TR\.txt: 99 of 100 centers of population of Delaware lie outside their tracts’ outlines/,
  );
  const right = await compileFiles({ ...files, [CENPOP]: centers(moved(4)) });
  expect(right.outcome.published?.report.tracts).toBe(100);
});

describe('without outlines, a gazetteer is held against the centers of population', () => {
  const [GAZETTEER, CENPOP] = ['2023_Gaz_tracts_national.txt', 'CenPop2020_Mean_TR.txt'];
  const faultOf = async (gazetteer: string, cenpop: string): Promise<string | undefined> => {
    const { outcome } = await compileFiles({ [GAZETTEER]: gazetteer, [CENPOP]: cenpop });
    if (outcome.error) expect(outcome.error).toBeInstanceOf(InputError);
    else expect(outcome.published?.report.tracts).toBeGreaterThan(0);
    return outcome.error?.message;
  };
  const fault = (count: number): string =>
    `in/${GAZETTEER}, in/${CENPOP}: ${count} of 100 internal points of Delaware are far from their tracts’ centers of population; ` +
    'columns or rows of a file have shifted: download both again';

  test('both are refused and named where most of a state’s points are far from them', async () => {
    expect(await faultOf(slipped(51), centers(TRACTS))).toBe(fault(51));
    expect(await faultOf(gazetteerText(TRACTS), centers(moved(51)))).toBe(fault(51));
    expect(await faultOf(slipped(50), centers(TRACTS))).toBeUndefined();
    expect(await faultOf(slipped(0), centers(TRACTS))).toBeUndefined();
  });

  test('one state’s points do not pass among those of others', async () => {
    const elsewhere = TRACTS.map((tract) => ({ ...tract, geoid: tract.geoid.replace('10001', '11001') }));
    const cenpop = centers([...TRACTS, ...elsewhere]);
    expect(await faultOf(gazetteerText([...moved(60), ...elsewhere]), cenpop)).toBe(fault(60));
  });

  test('fewer than five tracts prove nothing, nor does the center of nobody', async () => {
    expect(await faultOf(gazetteerText(moved(4).slice(0, 4)), centers(TRACTS.slice(0, 4)))).toBeUndefined();
    expect(await faultOf(slipped(99), centers(TRACTS, 0))).toBeUndefined();
  });
});
