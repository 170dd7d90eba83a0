import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PROVIDER_TYPES } from '../../../src/core/provider-types.js';
import { openDataset } from '../../../src/format/dataset.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'schemas', 'FORMAT.md'), 'utf8');

/** The sections that the page lists of a file, in its order. */
function listed(file: string): string[] {
  const [chapter = ''] = PAGE.split(`\n## ${file}\n`)[1]?.split('\n## ') ?? [];
  return [...chapter.matchAll(/^\| `([a-z/<>-]+)` +\| (?:Bytes|U?Int|Float)/gm)].map((match) => match[1] ?? '');
}

test.each(['providers', 'addresses'] as const)('FORMAT.md lists the sections of %s.tctx as they are', (file) => {
  const directory = temporaryDirectory();
  const dataset = openDataset(join(directory, 'generations', publishTinyDataset(directory)));
  onTestFinished(() => dataset.release());
  const names = listed(`${file}.tctx`);
  const isByType = (name: string) => name.includes('<type>');
  const byType = PROVIDER_TYPES.flatMap((type) => names.filter(isByType).map((name) => name.replace('<type>', type)));
  const expected = names.flatMap((name, index) => {
    if (!isByType(name)) return [name];
    return names.findIndex(isByType) === index ? byType : [];
  });
  expect(dataset[file]?.container.sections.map(({ name }) => name)).toEqual(expected);
});
