import { appendFileSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listGenerations, readCurrent } from '../../../src/catalog/directory/generations.js';
import { compile } from '../../../src/load/compile.js';
import { writeTree } from '../../support/official-files.js';
import { smallInput } from '../../support/small-input.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const SVI = 'svi/SVI_2022_US.csv';
const OUTLINES = 'tiger/dc/tl_2020_11_tract.dbf';
const ARCHIVE = 'tiger/tl_2020_10_tract.zip';

/** Compiles, and changes the input as soon as all files are known, or after they were read. */
async function compileWhile(when: 'known' | 'read', change: (input: string) => void) {
  const root = temporaryDirectory();
  const [input, outputDir] = [writeTree(join(root, 'in'), smallInput()), join(root, 'out')];
  writeFileSync(join(input, 'notes.txt'), 'mine\n');
  const filter = { states: undefined, territories: false, allProviders: false };
  const progress = {
    line: (text: string) => {
      if (when === 'known' && text === 'Found:') change(input);
    },
    step: (stage: string) => {
      if (when === 'read' && stage === 'writing') change(input);
    },
  };
  try {
    await compile({ inputDirs: [input], outputDir, filter }, progress);
  } finally {
    if (readCurrent(outputDir) === undefined) expect(listGenerations(outputDir)).toEqual([]);
  }
}

describe('input that changes while it is read is refused with the file’s name, and nothing is published', () => {
  test('a table that loses its last row before it is read', async () => {
    let sizes = '';
    const change = (input: string): void => {
      const path = join(input, SVI);
      const text = readFileSync(path, 'utf8');
      const end = text.trimEnd().lastIndexOf('\n') + 1;
      sizes = `it had ${Buffer.byteLength(text)} bytes and now has ${end}`;
      truncateSync(path, end);
    };
    await expect(compileWhile('known', change)).rejects.toThrow(/^in\/svi\/SVI_2022_US\.csv: it changed while/);
    expect(sizes).toMatch(/^it had \d+ bytes and now has \d+$/);
    await expect(compileWhile('known', change)).rejects.toThrow(sizes);
  });

  test('a table that was read already', async () => {
    await expect(compileWhile('read', (input) => appendFileSync(join(input, SVI), '\n'))).rejects.toThrow(
      /^in\/svi\/SVI_2022_US\.csv: it changed while it was read/,
    );
  });

  test('a table and an archive that are removed before they are read, or replaced by others that cannot be read', async () => {
    const removed = (input: string): void => {
      for (const name of [SVI, ARCHIVE]) rmSync(join(input, name));
    };
    await expect(compileWhile('known', removed)).rejects.toThrow(
      `in/${SVI}: it was removed while it was read\nin/${ARCHIVE}: it was removed while it was read\nTry again`,
    );
    const replaced = (input: string): void => truncateSync(join(input, ARCHIVE), 100);
    await expect(compileWhile('known', replaced)).rejects.toThrow(`in/${ARCHIVE}: it changed while it was read`);
  });

  test('a part of a shapefile that is rewritten with the same length', async () => {
    const rewrite = (input: string): void => {
      const path = join(input, OUTLINES);
      utimesSync(path, new Date(), new Date(statSync(path).mtimeMs + 5000));
    };
    await expect(compileWhile('read', rewrite)).rejects.toThrow(
      `in/${OUTLINES}: it was modified while it was read\nTry again when no other program writes to it.`,
    );
  });

  test('an archive that is removed', async () => {
    await expect(compileWhile('read', (input) => rmSync(join(input, ARCHIVE)))).rejects.toThrow(
      `in/${ARCHIVE}: it was removed while it was read`,
    );
  });
});

test('what nothing is read of may change', async () => {
  await compileWhile('read', (input) => appendFileSync(join(input, 'notes.txt'), 'more\n'));
});
