import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PROVIDER_KINDS } from '../../../src/core/provider-types.js';
import { openDataset } from '../../../src/format/dataset.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'schemas', 'FORMAT.md'), 'utf8');

/** The sections that the page lists of a file, in its order. */
function listed(file: string): string[] {
  const [chapter = ''] = PAGE.split(`\n## ${file}\n`)[1]?.split('\n## ') ?? [];
  return [...chapter.matchAll(/^\| `([a-z/<>-]+)` +\| (?:Bytes|U?Int|Float)/gm)].map((match) => match[1] ?? '');
}

test.each([
  ['providers.tctx', 'providers.tctx'],
  ['addresses-27.tctx', 'addresses-NN.tctx'],
])('FORMAT.md lists the sections of %s as they are', (file, chapter) => {
  const directory = temporaryDirectory();
  const dataset = openDataset(join(directory, 'generations', publishTinyDataset(directory)));
  onTestFinished(() => dataset.release());
  const names = listed(chapter);
  const isByType = (name: string) => name.includes('<type>');
  const byType = PROVIDER_KINDS.flatMap((type) => names.filter(isByType).map((name) => name.replace('<type>', type)));
  const expected = names.flatMap((name, index) => {
    // A small file has one shard.
    if (!isByType(name)) return [name.replace('<shard>', '0')];
    return names.findIndex(isByType) === index ? byType : [];
  });
  const container = dataset.containers.find(({ label }) => label.endsWith(file));
  expect(container?.sections.map(({ name }) => name)).toEqual(expected);
});
