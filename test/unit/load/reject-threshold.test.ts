import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { overThreshold } from '../../../src/load/checks/reject-threshold.js';
import { Tally } from '../../../src/load/intake/tally.js';
import { ThresholdError } from '../../../src/load/publish-intake.js';
import { readSourceCatalog } from '../../../src/load/source-catalog.js';
import { accountOf, type LoadOutcome, load } from '../../support/loading.js';
import {
  cenpopText,
  gazetteerText,
  type InputTree,
  sviText,
  tractShapefile,
  writeTree,
} from '../../support/official-files.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** Tracts of a state, squares in rows of a hundred. */
const tractsOf = (state: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    geoid: `${state}001${String(index + 1).padStart(6, '0')}`,
    west: -100 + (index % 100) / 10,
    south: 35 + Math.floor(index / 100) / 10,
  }));

const LARGE = tractsOf('36', 2000);
const SMALL = tractsOf('56', 20);
const RANKS = [0.1, 0.2, 0.3, 0.4, 0.5];
const sviOf = (tracts: readonly { readonly geoid: string }[]): string =>
  sviText(Object.fromEntries(tracts.map(({ geoid }) => [geoid, RANKS])));

const ROUNDED = 'GEOID rounded, as by a spreadsheet: download the file again';

/** The text with the GEOIDs of its first rows as a spreadsheet writes them. */
function spoil(text: string, rows: number): string {
  return text
    .split('\n')
    .map((line, index) => (index >= 1 && index <= rows ? line.replace(/,\d{11},/, ',5.60E+10,') : line))
    .join('\n');
}

function loadTree(tree: InputTree, states?: ReadonlySet<string>): Promise<LoadOutcome> {
  const root = temporaryDirectory();
  const gazetteer = { '2023_Gaz_tracts_national.txt': gazetteerText([...LARGE, ...SMALL]) };
  const inputDirs = [writeTree(join(root, 'in'), { ...gazetteer, 'SVI_2022_NewYork.csv': sviOf(LARGE), ...tree })];
  return load({ inputDirs, outputDir: join(root, 'out'), filter: { territories: false, states } });
}

const PRODUCT = 'CDC/ATSDR SVI 2022';

describe('a gazetteer that lacks tracts', () => {
  const GAZETTEER = '2023_Gaz_tracts_national.txt';
  const IN_PART = `Only a part of the tracts (10 of 160 in WY): check whether in/${GAZETTEER} is complete`;

  /** What is wrong, without the reasons, if centers of population come with this gazetteer. */
  async function faultsWith(gazetteer: string): Promise<string[] | undefined> {
    const population = Object.fromEntries(SMALL.map(({ geoid }) => [geoid, 100]));
    const tree = { '2020/CenPop2020_Mean_TR.txt': cenpopText(population), [GAZETTEER]: gazetteer };
    const { error } = await loadTree(tree, new Set(['56']));
    return error?.message.split('\n').filter((line) => !line.startsWith(' '));
  }

  it('is named before the files that have rows of these tracts', async () => {
    expect(await faultsWith(gazetteerText(SMALL.slice(10)))).toEqual([
      IN_PART,
      'in/2020/CenPop2020_Mean_TR.txt (2020 Census (centers of population)): 10 of 20 rows rejected, more than 1%',
      'cenpop: 10 of 20 rows rejected, more than 1%',
    ]);
  });

  it('comes before them, too, if it lists these tracts with a fault', async () => {
    const lines = gazetteerText(SMALL).split('\n');
    const broken = lines.map((line, at) => (at > 10 ? line : line.replace('\t35.', '\tN 35.'))).join('\n');
    expect(await faultsWith(broken)).toEqual([
      IN_PART,
      `in/${GAZETTEER} (Census 2023 Gazetteer (tracts)): 10 of 20 rows rejected, more than 1%`,
      'in/2020/CenPop2020_Mean_TR.txt (2020 Census (centers of population)): 10 of 20 rows rejected, more than 1%',
      'gazetteer: 10 of 20 rows rejected, more than 1%',
      'cenpop: 10 of 20 rows rejected, more than 1%',
    ]);
  });
});

describe('the limit of rejected rows', () => {
  it('holds for a file among the many rows of others: one whose every row is rejected is refused', async () => {
    const { error } = await loadTree({ 'SVI_2022_Wyoming.csv': spoil(sviOf(SMALL), 20) });
    expect(error).toBeInstanceOf(ThresholdError);
    expect(error?.message).toMatch(/^in\/SVI_2022_Wyoming\.csv \(CDC\/ATSDR SVI 2022\): 20 of 20 rows rejected/);
    expect(error?.message.split('\n')[1]).toBe(
      `  in/SVI_2022_Wyoming.csv: 20 × ${ROUNDED}, the first: row 2, FIPS "5.60E+10"`,
    );
    // 20 of 2,020 are fewer than the source's 1%, so that the file alone is named.
    expect(error?.message).not.toContain('svi: ');
  });

  it('holds for a file that contradicts another version of it, and both are named', async () => {
    const other = sviOf(SMALL).replaceAll(',0.5', ',0.6');
    const { error } = await loadTree({ 'SVI_2022_Wyoming.csv': sviOf(SMALL), 'SVI_2022_Wyoming_new.csv': other });
    expect(error?.message.split('\n').slice(0, 2)).toEqual([
      'in/SVI_2022_Wyoming_new.csv (CDC/ATSDR SVI 2022): 20 of 20 rows rejected: all of them',
      '  in/SVI_2022_Wyoming_new.csv: 20 × duplicate GEOID with other values, the first: row 2, GEOID 56001000001, ' +
        'which contradicts in/SVI_2022_Wyoming.csv, row 2',
    ]);
  });

  it('holds for a file with a handful of rejected rows, named by itself', async () => {
    const { error } = await loadTree({ 'SVI_2022_Wyoming.csv': spoil(sviOf(SMALL), 5) });
    expect(error?.message).toMatch(/^in\/SVI_2022_Wyoming\.csv \(.*\): 5 of 20 rows rejected, more than 1%/);
  });

  it('lets a few wrong rows of a small file pass, also where the source has no other rows', async () => {
    const tree = { 'SVI_2022_Wyoming.csv': spoil(sviOf(SMALL), 4) };
    const rejected = { [ROUNDED]: 4 };
    expect(accountOf(await loadTree(tree), PRODUCT)).toMatchObject({ read: 2020, kept: 2016, rejected });
    const alone = await loadTree(tree, new Set(['56']));
    expect(accountOf(alone, PRODUCT)).toMatchObject({ kept: 16, leftOut: { 'other state': 2000 }, rejected });
  });

  it('refuses a source of which a few wrong rows are all that is wanted', () => {
    const tally = new Tally('svi', PRODUCT, 'in/SVI_2022_US.csv');
    tally.read = 2000;
    tally.leave('other state', 1998);
    tally.reject('not a tract GEOID', {}, 2);
    expect(overThreshold([tally], readSourceCatalog()).map(({ what }) => what)).toEqual([
      'svi: 2 of 2 rows rejected, more than 1%',
    ]);
  });

  it('refuses a file of one row that is rejected', async () => {
    const { error } = await loadTree({ 'SVI_2022_Wyoming.csv': spoil(sviOf(SMALL.slice(0, 1)), 1) });
    expect(error?.message).toMatch(/^in\/SVI_2022_Wyoming\.csv \(.*\): 1 of 1 rows rejected/);
  });

  it('is told of the file whose GEOIDs are no tracts, though that comes out when the files are one layer', async () => {
    const strangers = SMALL.map(({ geoid }) => ({ geoid: geoid.replace(/^56001/, '56009') }));
    const { error } = await loadTree({
      'SVI_2022_Wyoming.csv': sviOf(strangers),
      'SVI_2022_Again.csv': sviOf(SMALL.slice(0, 10)),
    });
    expect(error?.message.split('\n')).toEqual([
      expect.stringMatching(/^Only a part of the tracts /),
      expect.stringMatching(/^in\/SVI_2022_Wyoming\.csv \(.*\): 20 of 20 rows rejected/),
      '  in/SVI_2022_Wyoming.csv: 20 × GEOID of an unknown tract, the first: row 2, GEOID 56009000001',
    ]);
  });

  it('leaves rows that are left out uncounted', async () => {
    const outcome = await loadTree({ 'SVI_2022_Wyoming.csv': sviOf([...tractsOf('72', 200), ...SMALL]) });
    expect(accountOf(outcome, PRODUCT)).toMatchObject({ kept: 2020, leftOut: { territory: 200 }, rejected: {} });
  });
});

describe('rejected rows', () => {
  it('are in the report by file and reason, with the first three examples', async () => {
    const outcome = await loadTree({ 'SVI_2022_Wyoming.csv': spoil(sviOf(SMALL), 4) });
    const example = (row: number) => ({ row, column: 'FIPS', value: '5.60E+10' });
    expect(outcome.published?.report.rejections).toEqual([
      {
        file: 'in/SVI_2022_Wyoming.csv',
        product: PRODUCT,
        reason: ROUNDED,
        count: 4,
        examples: [example(2), example(3), example(4)],
      },
    ]);
  });

  it('of tables with many rows, of shapefiles and of ACS say where they are, too', async () => {
    const wrong = Array(5).fill('1400000US36001X|1');
    const acs = ['GEO_ID|B19013_E001', '1400000US36001000001|1', ...wrong, ...Array(2).fill('')].join('\n');
    const strangers = SMALL.slice(0, 5).map((tract) => ({ ...tract, geoid: tract.geoid.replace(/^56001/, '56009') }));
    const outcome = await loadTree({
      'acsdt5y2022-b19013.dat': acs,
      'npi-coordinates.csv': 'npi,lat,lng\n1000000000,41,-100\n\n1,41,-100\n',
      ...tractShapefile('tl_2020_56_tract', [...SMALL, ...strangers]),
    });
    expect(outcome.error?.message).toContain(
      'in/acsdt5y2022-b19013.dat: 5 × not a tract GEOID, the first: row 3, "36001X"',
    );
    expect(outcome.error?.message).toContain(
      'in/tl_2020_56_tract.shp: 5 × GEOID of an unknown tract, the first: row 21, GEOID 56009000001',
    );
    expect(outcome.error?.message).toContain('in/npi-coordinates.csv: 1 × not an NPI, the first: row 4, NPI "1"');
  });

  it('show no more than the beginning of a long value', () => {
    const tally = new Tally('svi', PRODUCT, 'in/a.csv');
    tally.reject('not a tract GEOID', { column: 'FIPS', value: 'x'.repeat(100) });
    expect(tally.examples.get('not a tract GEOID')).toEqual([{ column: 'FIPS', value: `${'x'.repeat(40)}…` }]);
  });
});

describe('a source of thousands of small files', () => {
  const tallyOf = (file: string, read: number, rejected: number): Tally => {
    const tally = new Tally('addrfeat', 'TIGER/Line 2023 ADDRFEAT', file);
    tally.read = read;
    tally.reject('house numbers that form no range', {}, rejected);
    return tally;
  };

  it('may have an odd one, but none of which most is wrong', () => {
    const usual = tallyOf('usual.zip', 10_000, 10);
    expect(overThreshold([usual, tallyOf('odd.zip', 100, 20)], readSourceCatalog())).toEqual([]);
    const [refusal] = overThreshold([usual, tallyOf('broken.zip', 100, 60)], readSourceCatalog());
    expect(refusal?.what).toMatch(/^broken\.zip .*60 of 100 rows rejected, more than 50%/);
  });
});
