import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputError } from '../../src/load/input.js';
import { accountOf, type LoadOutcome, load } from '../support/loading.js';
import { relationshipText, writeTree } from '../support/official-files.js';
import { realDataDir } from '../support/real-data.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { unzip } from '../support/unzip.js';

const dataDir = realDataDir('odd files');

/** Of the real gazetteer, what these files need: to read all of it takes longer than to read most of them. */
const GAZETTEER_STATES = ['02', '05', '06', '10', '15', '22', '27', '39', '44', '56'];
let gazetteer = '';

beforeAll(async () => {
  if (dataDir === undefined) return;
  const name = '2023_Gaz_tracts_national';
  const whole = (await unzip(join(dataDir, 'raw', 'gazetteer', `${name}.zip`))).get(`${name}.txt`);
  const [header = '', ...rows] = String(whole).split('\n');
  const own = rows.filter((row) => GAZETTEER_STATES.includes(row.split('\t')[1]?.slice(0, 2) ?? ''));
  gazetteer = writeTree(mkdtempSync(join(tmpdir(), 'gazetteer-')), {
    [`${name}.txt`]: [header, ...own, ''].join('\n'),
  });
});

afterAll(() => {
  if (gazetteer) rmSync(gazetteer, { recursive: true });
});

/** Compiles one entry of the odd files together with the real gazetteer. */
async function loadOdd(entry: string, states: readonly string[], ...more: string[]): Promise<LoadOutcome> {
  const root = temporaryDirectory();
  const path = join(dataDir ?? '', 'odd', entry);
  const directory = statSync(path).isDirectory() ? path : root;
  if (directory === root) symlinkSync(path, join(root, basename(entry)));
  return load({
    inputDirs: [gazetteer, directory, ...more],
    outputDir: temporaryDirectory(),
    filter: { states: new Set(states), territories: false },
  });
}

describe.skipIf(dataDir === undefined)('a file that a loader must not take as it comes', () => {
  it.each([
    ['acs_S1901_2023_county_level_bom.csv', 'ACS 5-year 2019–2023 S1901', /county-level \(or coarser\) table/],
    ['svi_2022_LA_county_level.csv', 'CDC/ATSDR SVI 2022', /county-level table/],
    [
      'tracts_bexar_48029_filtered',
      'TIGER/Line of unknown year (re-saved)',
      /coordinates are projected \(NAD_1983_Contiguous_USA_Albers\)/,
    ],
  ])('%s ends the compile by its name and product', async (entry, product, why) => {
    const { error, published } = await loadOdd(entry, ['22']);
    expect(published).toBeUndefined();
    expect(error).toBeInstanceOf(InputError);
    expect(error?.message).toContain(entry);
    expect(error?.message).toContain(product);
    expect(error?.message).toMatch(why);
  });

  it.each(['tl_2014_02270_addrfeat.zip', 'tl_2014_56017_addrfeat.zip'])(
    '%s, an excerpt with wider columns, is read whole',
    async (entry) => {
      const outcome = await loadOdd(entry, [entry.slice('tl_2014_'.length, 'tl_2014_00'.length)]);
      expect(accountOf(outcome, 'TIGER/Line ADDRFEAT 2014')).toMatchObject({ read: 5, kept: 5, rejected: {} });
    },
  );

  it.each([2014, 2018])(
    'svi_%i_RI.csv is known to be on 2010 tracts, and left out without a relationship file',
    async (year) => {
      const outcome = await loadOdd(`svi_${year}_RI.csv`, ['44']);
      expect(accountOf(outcome, `CDC/ATSDR SVI ${year}`)).toMatchObject({
        read: 243,
        kept: 0,
        rejected: {},
        leftOut: { '2010 tract without a relationship file': 243 },
      });
    },
  );

  it('places_2021_leading_zeros_lost.csv: zeros are put back where that gives a known tract, and counted', async () => {
    const entry = 'places_2021_leading_zeros_lost.csv';
    const alone = await loadOdd(entry, ['06', '15']);
    expect(accountOf(alone, 'CDC PLACES 2021')).toMatchObject({ read: 450, kept: 0, rejected: {} });
    // A relationship file that says of all of its tracts that they are tracts of 2020 now, as many as are needed.
    const rows = readFileSync(join(dataDir ?? '', 'odd', entry), 'utf8')
      .split('\n')
      .slice(1);
    const short = [...new Set(rows.flatMap((row) => /,(6\d{9}),/.exec(row)?.[1] ?? []))];
    const cenpop = readFileSync(join(dataDir ?? '', 'raw', 'cenpop', 'CenPop2020_Mean_TR.txt'), 'utf8').split('\n');
    const tracts2020 = cenpop.filter((row) => row.startsWith('06,')).map((row) => row.split(',').slice(0, 3).join(''));
    const moves = short.map((geoid, index) => [tracts2020[index] ?? '', `0${geoid}`, 1, 0, 1, 0, 1, 0] as const);
    const file = { 'tab20_tract20_tract10_natl.txt': relationshipText(moves) };
    const bridged = await loadOdd(entry, ['06'], writeTree(temporaryDirectory(), file));
    expect(short.length).toBeGreaterThan(2);
    expect(accountOf(bridged, 'CDC PLACES 2021')).toMatchObject({
      rejected: {},
      notes: { 'leading zero of the GEOID restored': short.length },
    });
    expect(bridged.published?.report.sections.places_measures).toMatchObject({ with: short.length });
  });

  it('acs_OH_Franklin_2023_resaved is read whole', async () => {
    const outcome = await loadOdd('acs_OH_Franklin_2023_resaved', ['39']);
    expect(accountOf(outcome, 'ACS 5-year 2019–2023 B01003')).toMatchObject({ read: 328, kept: 328, rejected: {} });
    expect(outcome.published?.report.sections.demographics).toMatchObject({ with: 328 });
  });

  it.each([
    ['svi/2020/Delaware.csv', (bytes: Buffer) => bytes, 90_000, ['10']],
    ['ejscreen/2023/EJSCREEN_2023_Tracts_StatePct.csv.gz', gunzipSync, 300_000, ['05']],
  ] as const)('%s publishes nothing where it is cut off in the middle of a row', async (path, unpack, size, states) => {
    const bytes = unpack(readFileSync(join(dataDir ?? '', 'raw', path))).subarray(0, size);
    const cut = writeTree(temporaryDirectory(), { [path.replace(/\.gz$/, '')]: bytes });
    const { error, published } = await load({
      inputDirs: [gazetteer, cut],
      outputDir: temporaryDirectory(),
      filter: { states: new Set(states), territories: false },
    });
    expect(published).toBeUndefined();
    expect(error).toBeInstanceOf(InputError);
    expect(error?.message).toMatch(
      /\.csv: it ends in the middle of row \d+, which has \d+ of \d+ columns and no line break;/,
    );
  });

  it.each([
    ['mn_tracts_2020_simplified.zip', 'Tract outlines 2020 (unofficial)', 1502],
    ['tl_2020_27053_hennepin_filtered', 'TIGER/Line 2020 (re-saved)', 329],
  ])('%s is taken as outlines of its own product', async (entry, product, count) => {
    const outcome = await loadOdd(entry, ['27']);
    expect(accountOf(outcome, product)).toMatchObject({ read: count, kept: count, rejected: {} });
    expect(outcome.published?.report.outlines).toBe(count);
  });
});
