import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generationPath, listGenerations, readCurrent } from '../../src/catalog/directory/generations.js';
import { run as compileCommand } from '../../src/cli/commands/compile.js';
import { run as demoCommand } from '../../src/cli/commands/demo.js';
import { run as inspectCommand } from '../../src/cli/commands/inspect.js';
import { withLoaderErrors } from '../../src/cli/loader-errors.js';
import { openDataset } from '../../src/format/dataset.js';
import { OUTLINES_FILE } from '../../src/format/outlines-file.js';
import { TRACTS_FILE } from '../../src/format/tracts-file.js';
import { listFiles } from '../../src/load/files/list-files.js';
import { compileTree, runCli, runCliHere } from '../support/cli.js';
import { compileOnce } from '../support/compiled-input.js';
import { load } from '../support/loading.js';
import { type InputTree, tractShapefile, writeTree } from '../support/official-files.js';
import { PROJECTED_PRJ } from '../support/shapefile-writer.js';
import { COLUMBIA, SMALL_TRACTS, smallInput } from '../support/small-input.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { zipArchive } from '../support/zip-writer.js';

const FILES = [TRACTS_FILE, OUTLINES_FILE];

const compiled = compileOnce();

describe('compile', () => {
  it('publishes official files as a dataset that inspect shows, verifies, and reads records from', async () => {
    const { output, result } = compiled();
    expect(result.stderr).toMatch(/Published [0-9a-f]{32} in/);
    const inspected = await runCliHere('inspect', output, '--json');
    expect(inspected.code).toBe(0);
    const inspection = JSON.parse(inspected.stdout);
    expect(inspection).toMatchObject({
      published: true,
      verified: true,
      synthetic: false,
      tracts: 5,
      outlines: 5,
      counties: 3,
    });
    expect(inspection.generation).toBe(readCurrent(output));
    expect(inspection.states).toMatchObject([
      { fips: '10', tractCount: 3 },
      { fips: '11', tractCount: 2 },
    ]);
    expect(inspection.metrics).toMatchObject({ total_population: 5, median_household_income: 4, 'epa_data.ozone': 4 });
    const record = await runCliHere('inspect', output, '--geoid', '10001040100');
    expect(JSON.parse(record.stdout)).toMatchObject({
      name: 'Census Tract 401, Some County, Delaware',
      total_population: 4000,
      median_household_income: 50_000,
      poverty_rate: 10,
      uninsured_rate: null,
      svi_themes: { rpl_themes: 0.5 },
      places_measures: null,
      epa_data: { pm25: 7, ozone: null, lead_paint_pct: 25, _source: 'EPA EJScreen 2023' },
      sdoh_index: 0.65,
    });
    const text = await runCliHere('inspect', output);
    expect(text.stdout).toContain('5 tracts in 3 counties of 2 states, 5 with an outline');
    expect(text.stdout).toContain('verified');
  });

  it('lists found and ignored files first, and accounts for all rows at the end', () => {
    const lines = compiled().result.stderr.split('\n');
    expect(lines[0]).toBe('Found:');
    expect(lines).toContain(
      '  Census 2023 Gazetteer (tracts): in/gazetteer/2023_Gaz_tracts_national.zip!2023_Gaz_tracts_national.txt',
    );
    expect(lines.indexOf('Ignored (not files of a known source):')).toBeLessThan(lines.indexOf('reading tables: done'));
    expect(lines).toContain('  in/notes/readme.txt');
    expect(lines.find((line) => line.startsWith('EPA EJScreen 2023'))).toMatch(/5 +5 +0 +0$/);
  });

  it('writes the account as JSON to the file given by --report', async () => {
    const report = join(temporaryDirectory(), 'report.json');
    const { output } = await compileTree(smallInput(), '--states', 'DC', '--report', report);
    const inspected = (await runCliHere('inspect', output)).stdout;
    expect(inspected).toContain('2 tracts in 1 county of 1 state, 2 with an outline\n0 providers, 0 address ranges\n');
    const account = JSON.parse(readFileSync(report, 'utf8'));
    expect(Object.keys(account)).toEqual([
      ...[
        'found',
        'ignored',
        'suspect',
        'tracts',
        'outlines',
        'outlineGaps',
        'statesWithoutTracts',
        'statesInPart',
        'products',
        'unusedSources',
        'rejections',
        'unreadable',
        'sections',
        'metricsWithout',
        'metricsInPart',
        'tablesInPart',
        'trendsWithout',
        'overThreshold',
      ],
    ]);
    expect(account).toMatchObject({ tracts: 2, outlines: 2, rejections: [], overThreshold: [] });
    expect(account.ignored).toEqual(['in/notes/readme.txt']);
    expect(account.found).toContainEqual({ product: 'CDC/ATSDR SVI 2022', files: ['in/svi/SVI_2022_US.csv'] });
    expect(account.found).toContainEqual({
      product: 'TIGER/Line 2020',
      files: ['in/tiger/dc/tl_2020_11_tract.shp', 'in/tiger/tl_2020_10_tract.zip!tl_2020_10_tract.shp'],
    });
    expect(account.sections).toEqual({
      demographics: { with: 2, without: 0, statesWithout: [] },
      svi_themes: { with: 2, without: 0, statesWithout: [] },
      places_measures: { with: 0, without: 2, statesWithout: ['DC'] },
      epa_data: { with: 2, without: 0, statesWithout: [] },
      sdoh_index: { with: 1, without: 1, statesWithout: [] },
    });
    for (const product of account.products) {
      const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((a, b) => a + b, 0);
      expect(product.kept + sum(product.rejected) + sum(product.leftOut)).toBe(product.read);
      expect(product.rejected).toEqual({});
    }
    expect(account.products.find(({ source }: { source: string }) => source === 'svi')).toMatchObject({
      product: 'CDC/ATSDR SVI 2022',
      read: 5,
      kept: 2,
      leftOut: { 'other state': 3 },
    });
  });

  it('gives equal bytes for equal inputs, however their directories are named, split and ordered', async () => {
    const files = Object.entries(smallInput());
    const root = temporaryDirectory();
    // The parts of the plain shapefile belong together.
    const isPart = ([path]: readonly [string, unknown]): boolean => path.startsWith('tiger/dc/');
    const [parts, singles] = [files.filter(isPart), files.filter((file) => !isPart(file))];
    const odd = writeTree(
      join(root, 'x'),
      Object.fromEntries([...parts, ...singles.filter((_, index) => index % 2 === 1)]),
    );
    const even = writeTree(join(root, 'a'), Object.fromEntries(singles.filter((_, index) => index % 2 === 0)));
    const outputs = [compiled().output];
    for (const dirs of [
      [odd, even],
      [even, odd],
    ]) {
      const output = join(root, `out${outputs.length}`);
      const args = dirs.flatMap((dir) => ['--input', dir]);
      expect((await runCliHere('compile', ...args, '--output', output)).code).toBe(0);
      outputs.push(output);
    }
    const generations = outputs.map((output) => readCurrent(output) ?? '');
    expect(new Set(generations).size).toBe(1);
    for (const file of FILES) {
      const [first, ...others] = outputs.map((output, index) =>
        readFileSync(join(generationPath(output, generations[index] ?? ''), file)),
      );
      for (const other of others) expect(other.equals(first ?? Buffer.alloc(0))).toBe(true);
    }
  });

  it('says that nothing changed if the same data is already published, and writes nothing', async () => {
    const { input, output } = compiled();
    const again = await runCliHere('compile', '--input', input, '--output', output);
    expect([again.code, again.stderr.split('\n').at(-2)]).toEqual([0, expect.stringContaining('nothing changed')]);
    expect(listGenerations(output)).toHaveLength(1);
  });

  it('says that it rewrote the files if those of the published dataset were missing', async () => {
    const { input, output } = compiled();
    const generation = readCurrent(output) ?? '';
    rmSync(generationPath(output, generation), { recursive: true });
    const again = await runCliHere('compile', '--input', input, '--output', output);
    const line = `${generation} in ${output} is already published; its missing or damaged files were written again. Run "datasets reload" so that a running service reopens them`;
    expect([again.code, again.stderr.split('\n').at(-2)]).toEqual([0, line]);
    expect(listGenerations(output)).toEqual([generation]);
  });

  it('publishes a dataset with less coverage than the one before, and reports the loss in its last line', async () => {
    const { input: whole, output, result } = compiled();
    const { 'svi/SVI_2022_US.csv': _, ...rest } = smallInput();
    const poorer = writeTree(join(temporaryDirectory(), 'poorer'), rest);
    expect(result.stderr).not.toContain('compared');
    const before = readCurrent(output);
    const { code, stderr } = await runCliHere('compile', '--input', poorer, '--output', output);
    expect(code).toBe(0);
    expect(stderr.split('\n').slice(-3)).toEqual([
      `Published ${readCurrent(output)} in ${output}`,
      `Coverage lost compared with ${before}: svi_themes in 10, 11: 5 → 0 tracts; sdoh_index in 10, 11: 4 → 0 tracts`,
      '',
    ]);
    expect((await runCliHere('compile', '--input', whole, '--output', output)).stderr).not.toContain('compared');
  });

  it('keeps a tract that is only in the gazetteer, without an outline', async () => {
    const { 'tiger/tl_2020_10_tract.zip': _, ...rest } = smallInput();
    const { output, stderr } = await compileTree(rest);
    expect(stderr).toContain('5 tracts, 2 with an outline');
    const dataset = openDataset(generationPath(output, readCurrent(output) ?? ''));
    expect(dataset.outlines.rings(0)).toEqual([]);
    expect(dataset.outlines.locate({ lat: 39.05, lng: -75.65 })).toBe(-1);
    expect(dataset.outlines.locate({ lat: 38.95, lng: -77.05 })).toBe(3);
    dataset.release();
  });
});

describe('a compile that must fail publishes nothing, leaves nothing, exits 1 and says why', () => {
  const expectRefused = async (tree: InputTree, ...words: RegExp[]): Promise<void> => {
    const root = temporaryDirectory();
    const outputDir = join(root, 'out');
    const inputDirs = [writeTree(join(root, 'in'), tree)];
    const { error, published, lines } = await load({ inputDirs, outputDir, filter: { territories: false } });
    expect(published).toBeUndefined();
    for (const word of words) expect([error?.message, ...lines].join('\n')).toMatch(word);
    const told = withLoaderErrors(outputDir, () => Promise.reject(error));
    await expect(told).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('Nothing was published.'),
    });
    expect(readCurrent(outputDir)).toBeUndefined();
    expect(readdirSync(join(outputDir, 'generations'))).toEqual([]);
  };

  it('as a command, without a stack trace', async () => {
    const tree = { ...smallInput(), ...tractShapefile('odd/tracts', COLUMBIA, { prj: PROJECTED_PRJ }) };
    const { code, stderr, output } = await compileTree(tree);
    expect([code, stderr]).toEqual([1, expect.stringContaining('its coordinates are projected')]);
    expect(stderr).toContain('Nothing was published.');
    expect(stderr).not.toContain('    at ');
    expect(readCurrent(output)).toBeUndefined();
  });

  it('on projected outlines, by name and projection', async () => {
    const tree = { ...smallInput(), ...tractShapefile('odd/tracts', COLUMBIA, { prj: PROJECTED_PRJ }) };
    await expectRefused(
      tree,
      /in\/odd\/tracts\.shp \(TIGER\/Line .*\): its coordinates are projected \(NAD_1983_Contiguous_USA_Albers\)/,
    );
  });

  it('on county-level tables, all of them by name', async () => {
    const svi = 'ST,ST_ABBR,FIPS,LOCATION,RPL_THEME1,RPL_THEME2,RPL_THEME3,RPL_THEME4,RPL_THEMES\n';
    await expectRefused(
      {
        ...smallInput(),
        'odd/SVI_2022_US_county.csv': `${svi}10,DE,10001,"Kent County, Delaware",1,1,1,1,1\n`,
        'odd/ACSST5Y2022.S1901-Data.csv': 'GEO_ID,NAME,S1901_C01_012E\n0500000US10001,"Kent County, Delaware",1\n',
      },
      /in\/odd\/SVI_2022_US_county\.csv \(CDC\/ATSDR SVI 2022\): a county-level table/,
      /in\/odd\/ACSST5Y2022\.S1901-Data\.csv \(ACS .*\): a county-level/,
    );
  });

  it('on a truncated archive, shapefile or gzip, by name', async () => {
    const whole = zipArchive(tractShapefile('tl_2020_10_tract', SMALL_TRACTS));
    await expectRefused({ ...smallInput(), 'bad.zip': whole.subarray(0, 200) }, /in\/bad\.zip: cannot be read/);
    const { 'x/tl_2021_10_tract.shp': shp = '', ...rest } = tractShapefile('x/tl_2021_10_tract', SMALL_TRACTS);
    const cut = Buffer.from(shp).subarray(0, 300);
    await expectRefused(
      { ...smallInput(), ...rest, 'x/tl_2021_10_tract.shp': cut },
      /in\/x\/tl_2021_10_tract\.shp: (truncated|broken)/,
    );
  });

  it('on an unknown layout under an official name, by file and column', async () => {
    await expectRefused(
      { ...smallInput(), 'svi/SVI_2020_US.csv': 'a,b\n1,2\n' },
      /in\/svi\/SVI_2020_US\.csv: columns missing: FIPS/,
    );
  });

  it('on too many rejected rows, by source, count and limit', async () => {
    const strangers = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`1000199${index}000`, index]));
    const rows = Object.entries(strangers).map(([geoid]) => `10,DE,${geoid},"",0.1,0.1,0.1,0.1,0.1\n`);
    const tree = smallInput();
    const svi = `${tree['svi/SVI_2022_US.csv']}${rows.join('')}`;
    await expectRefused(
      { ...tree, 'svi/SVI_2022_US.csv': svi },
      /\nsvi: 5 of 10 rows rejected, more than 1%\n {2}in\/svi\/SVI_2022_US\.csv: 5 × GEOID of an unknown tract, the first: row 7, GEOID 10001990000/,
      /5 rejected: GEOID of an unknown tract/,
    );
  });

  it('on input without tracts, and on input without a file of a known source', async () => {
    const { 'cenpop/CenPop2020_Mean_TR.txt': cenpop = '' } = smallInput();
    await expectRefused({ 'CenPop2020_Mean_TR.txt': cenpop }, /no tracts in the input/);
    await expectRefused({ 'a.txt': 'x' }, /the input has no file of a known source/);
  });

  it('on an input directory that is empty or missing', async () => {
    const root = temporaryDirectory();
    for (const input of [root, join(root, 'none')]) {
      const { code, stderr } = await runCliHere(
        'compile',
        '--input',
        input,
        '--output',
        join(temporaryDirectory(), 'o'),
      );
      expect([code, stderr]).toEqual([1, expect.stringMatching(/no files to load|cannot be read: ENOENT/)]);
    }
  });

  it('without a former run’s report, which would be taken for its own', async () => {
    const root = temporaryDirectory();
    const report = join(root, 'report.json');
    writeFileSync(report, '{"tracts": 1}');
    const { code } = await runCliHere(
      ...['compile', '--input', join(root, 'none'), '--output', join(root, 'out'), '--report', report],
    );
    expect([code, existsSync(report)]).toEqual([1, false]);
  });

  it('where the report would take the place of another file, such as one of the input', async () => {
    const input = writeTree(temporaryDirectory(), smallInput());
    const [path = ''] = listFiles(input).files;
    const before = readFileSync(path);
    const { code, stderr } = await runCliHere(
      ...['compile', '--input', input, '--output', join(temporaryDirectory(), 'out'), '--report', path],
    );
    const why = `--report: ${path} cannot be written: it holds something else than a report`;
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
    expect(readFileSync(path)).toEqual(before);
  });

  it('on an output directory that cannot be made, and a report that cannot be written', async () => {
    const root = temporaryDirectory();
    writeFileSync(join(root, 'file'), 'mine');
    const input = writeTree(join(root, 'in'), smallInput());
    for (const output of [join(root, 'file'), join(root, 'file', 'below')]) {
      const { code, stderr } = await runCliHere('compile', '--input', input, '--output', output);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/a file is in the way|not a directory/)]);
    }
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('mine');
    const output = join(root, 'out');
    const { code, stderr } = await runCliHere(
      'compile',
      '--input',
      input,
      '--output',
      output,
      '--report',
      join(root, 'none', 'r.json'),
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('Nothing was published.')]);
    expect(readCurrent(output)).toBeUndefined();
  });

  it('on a full disk under the report, which is not blamed on the output directory', async () => {
    const { code, stderr, output } = await compileTree(smallInput(), '--report', '/dev/full');
    const why = '--report: /dev/full cannot be written: the disk is full';
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
    expect(stderr).not.toContain(`${output}: `);
    expect(readCurrent(output)).toBeUndefined();
  });
});

describe('a command with wrong arguments exits with 2 and shows its usage', () => {
  it.each([
    [compileCommand, ['--input', 'x'], '--input and --output are required'],
    [compileCommand, ['--input', 'a', 'b', '--output', 'c'], 'unexpected argument b'],
    [compileCommand, ['--input', 'a', '--output', 'b', '--states', '10,99'], '--states: 99 is not a state'],
    [demoCommand, ['--output', 'x', '--seed', 'y'], '--seed: y is not a number'],
    [inspectCommand, [], 'exactly one datasets directory is required'],
    [inspectCommand, ['a', 'b'], 'exactly one datasets directory is required'],
  ])('%o %j', async (command, args, words) => {
    await expect(command(args)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(words) });
  });

  it.each([
    [
      ['compile', '--inptu', 'x'],
      ['unknown option --inptu', 'Usage: tract-context compile --input <dir>'],
    ],
    [['compute'], ['unknown command compute', 'Usage: tract-context <command>']],
  ])('%j', async (args, words) => {
    const { code, stderr } = await runCli(...args);
    expect(code).toBe(2);
    for (const word of words) expect(stderr).toContain(word);
  });
});
