import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generationPath, readCurrent } from '../../src/catalog/directory/generations.js';
import { openDataset } from '../../src/format/dataset.js';
import { OUTLINES_FILE } from '../../src/format/outlines-file.js';
import { TRACTS_FILE } from '../../src/format/tracts-file.js';
import { runCliHere } from '../support/cli.js';
import { compileOnce } from '../support/compiled-input.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const compiled = compileOnce();

describe('inspect', () => {
  it('exits with 1 on any flipped byte, and names file and section', async () => {
    const { output } = compiled();
    const directory = generationPath(output, readCurrent(output) ?? '');
    const dataset = openDataset(directory);
    const places = [dataset.tracts.container, dataset.outlines.container].flatMap(({ label, sections }) =>
      sections
        .filter(({ name }) => ['description', 'record/offset', 'row/first-ring', 'part/r-tree'].includes(name))
        .map(({ name, offset }) => ({ label, name, offset })),
    );
    dataset.release();
    expect(places).toHaveLength(4);
    for (const { label, name, offset } of places) {
      const good = readFileSync(label);
      const bad = Buffer.from(good);
      bad[offset + 6] = (bad[offset + 6] ?? 0) ^ 0x80;
      writeFileSync(label, bad);
      const { code, stderr } = await runCliHere('inspect', output);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`${label}, section ${name}: its checksum does not match`),
      ]);
      const record = await runCliHere('inspect', output, '--geoid', '10001000100');
      expect([record.code, record.stdout]).toEqual([1, '']);
      writeFileSync(label, good);
    }
    expect((await runCliHere('inspect', output)).code).toBe(0);
  });

  it.each([
    ['a link to itself', (path: string) => symlinkSync('CURRENT', path), 'CURRENT cannot be read: it is a circular'],
    ['a directory', (path: string) => mkdirSync(path), 'CURRENT cannot be read: it is a directory'],
    ['empty', (path: string) => writeFileSync(path, ''), 'CURRENT names no generation: it is empty'],
    [
      'garbage',
      (path: string) => writeFileSync(path, Buffer.alloc(5000, 0x9b)),
      'CURRENT names no generation: its content',
    ],
    ['of what is gone', (path: string) => writeFileSync(path, `${'ab'.repeat(16)}\n`), 'CURRENT names generation abab'],
  ])('says in one line that CURRENT is %s', async (_, make, reason) => {
    const directory = temporaryDirectory();
    make(join(directory, 'CURRENT'));
    const { code, stdout, stderr } = await runCliHere('inspect', directory);
    expect([code, stdout, stderr.split('\n').length]).toEqual([1, '', 2]);
    expect(stderr).toContain(`tract-context inspect: ${directory}: ${reason}`);
  });

  it('reports a path that is a file, with or without --generation', async () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    const plain = await runCliHere('inspect', file);
    const named = await runCliHere('inspect', file, '--generation', 'ab'.repeat(16));
    for (const { code, stderr } of [plain, named]) {
      expect([code, stderr]).toEqual([1, expect.stringContaining(file)]);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  it('opens only generations of the given directory', async () => {
    const { output } = compiled();
    const generation = 'ab'.repeat(16);
    const { code, stderr } = await runCliHere('inspect', output, '--generation', generation);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`generation ${generation} not found`)]);
  });

  it('is repaired by the next compile of the same inputs', async () => {
    const { output, input } = compiled();
    const file = join(generationPath(output, readCurrent(output) ?? ''), TRACTS_FILE);
    const bad = readFileSync(file);
    bad[bad.length - 1] = (bad.at(-1) ?? 0) ^ 1;
    writeFileSync(file, bad);
    expect((await runCliHere('inspect', output)).code).toBe(1);
    expect((await runCliHere('compile', '--input', input, '--output', output)).code).toBe(0);
    expect((await runCliHere('inspect', output)).code).toBe(0);
  });

  it('exits with 1 if nothing is published, a file is truncated, or the tract does not exist', async () => {
    const nothing = await runCliHere('inspect', temporaryDirectory());
    expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('no dataset is published here')]);
    const { output } = compiled();
    const absent = await runCliHere('inspect', output, '--geoid', '10001999999');
    expect([absent.code, absent.stderr]).toEqual([
      1,
      expect.stringContaining('tract 10001999999 is not in this dataset'),
    ]);
    const file = join(generationPath(output, readCurrent(output) ?? ''), OUTLINES_FILE);
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    const cut = await runCliHere('inspect', output);
    expect([cut.code, cut.stderr]).toEqual([
      1,
      expect.stringMatching(/outlines\.tctx: has \d+ bytes, but \d+ were written/),
    ]);
  });
});

describe('demo', () => {
  it('publishes a synthetic state that inspect reports as synthetic, also where CURRENT is garbage', async () => {
    const output = temporaryDirectory();
    writeFileSync(join(output, 'CURRENT'), 'garbage');
    const made = await runCliHere('demo', '--output', output, '--states', 'DC');
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('SYNTHETIC')]);
    const inspection = JSON.parse((await runCliHere('inspect', output, '--json')).stdout);
    expect(inspection).toMatchObject({ synthetic: true, verified: true, states: [{ fips: '11' }] });
    expect(inspection.outlines).toBe(inspection.tracts);
  });
});
