import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noteTractsOf2020 } from '../../../src/load/checks/census-check.js';
import type { LayerKey } from '../../../src/load/intake/layer.js';
import { layerOf, tractOf } from '../../support/layers.js';
import { accountOf, load } from '../../support/loading.js';
import { acsDatText, gazetteerText, writeTree } from '../../support/official-files.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const NOTE =
  'tract of 2020 in a file of a year with 2010 tracts, as are all of its state: the year in its name or folder may be wrong';
const STATE = Array.from({ length: 20 }, (_, at) => `10001${100_000 + at}`);
const WATER = '10001990000';

/** How many rows are noted of a layer that has these tracts of a state with tracts `known`. */
function noted(published: readonly string[], key: Partial<LayerKey> = {}, known: readonly string[] = STATE): number {
  const rows = Object.fromEntries(published.map((geoid) => [geoid, [1]]));
  const layer = layerOf(rows, { year: 2019, tractVintage: 2010, ...key });
  noteTractsOf2020([layer], known.map(tractOf));
  expect([...layer.tally.notes.keys()].filter((note) => note !== NOTE)).toEqual([]);
  return layer.tally.notes.get(NOTE) ?? 0;
}

it('a table of 2021 that is named as of 2019 says so in its account', async () => {
  const root = temporaryDirectory();
  const inputDirs = [
    writeTree(join(root, 'in'), {
      '2023_Gaz_tracts_10.txt': gazetteerText(STATE.map((geoid, at) => ({ geoid, west: -75 + at / 100, south: 39 }))),
      'acsdt5y2019-b19013.dat': acsDatText(
        ['B19013_E001'],
        Object.fromEntries(STATE.map((geoid) => [geoid, [50_000]])),
      ),
    }),
  ];
  const outcome = await load({ inputDirs, outputDir: join(root, 'out'), filter: { territories: false } });
  const product = 'ACS 5-year 2015–2019 B19013';
  expect(accountOf(outcome, product)).toMatchObject({ read: 20, kept: 0, notes: { [NOTE]: 20 } });
  expect(outcome.lines).toContain(`  ${product}: 20 × ${NOTE}`);
});

describe('rows that are on 2010 tracts by their year', () => {
  it('are noted where they are all tracts of 2020 that a state has, or nearly all, and no other', () => {
    expect(noted(STATE)).toBe(20);
    expect(noted(STATE.slice(2))).toBe(18);
    expect(noted([...STATE, '11001000101'])).toBe(20);
  });

  it('are not where one is of 2010 alone, where they are fewer, or where a state has few', () => {
    expect(noted([...STATE, '10001200000'])).toBe(0);
    expect(noted(STATE.slice(3))).toBe(0);
    expect(noted(STATE.slice(1), {}, STATE.slice(1))).toBe(0);
    expect(noted(STATE, { year: 2021, tractVintage: 2020 })).toBe(0);
  });

  it('are judged without tracts of water alone, which some files lack', () => {
    expect(noted([...STATE, WATER])).toBe(20);
    expect(noted(STATE, {}, [...STATE, WATER, '10001990001', '10001990002'])).toBe(20);
  });
});
