import { expect, test } from 'vitest';
import { InputError } from '../../../src/load/input.js';
import { compileFiles } from '../../support/compiled-outlines.js';
import { gazetteerText, type SquareTract, tractShapefile } from '../../support/official-files.js';

const TRACTS: readonly SquareTract[] = Array.from({ length: 100 }, (_, at) => ({
  geoid: `10001${String(40000 + at)}0`.slice(0, 11),
  west: -75 + (at % 10) / 5,
  south: 39 + Math.floor(at / 10) / 5,
}));
const OUTLINES = tractShapefile('tl_2020_10_tract', TRACTS);

/** The first of the tracts with the points of those behind them, the others with their own. */
const slipped = (count: number): string =>
  gazetteerText(TRACTS.map((tract, at) => ({ ...tract, ...(at < count && { west: TRACTS[at + 1]?.west ?? 0 }) })));

test('a gazetteer whose internal points have slipped from their tracts is refused, and named', async () => {
  const { outcome } = await compileFiles({ ...OUTLINES, '2023_Gaz_tracts_national.txt': slipped(99) });
  expect(outcome.published).toBeUndefined();
  expect(outcome.error).toBeInstanceOf(InputError);
  expect(String(outcome.error)).toMatch(
    /in\/2023_Gaz_tracts_national\.txt: 99 of 100 internal points lie outside of their tracts’ outlines, the first 10001400000’s/,
  );
});

test('a few points outside are those of tracts that are mostly water, and stay as they are published', async () => {
  const { outcome } = await compileFiles({ ...OUTLINES, '2023_Gaz_tracts_national.txt': slipped(4) });
  expect(outcome.published?.report.tracts).toBe(100);
});
