import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { METRICS } from '../../../src/core/metrics.js';
import { PROVIDER_KINDS } from '../../../src/core/provider-types.js';
import { ADDRESSES_KIND } from '../../../src/format/addresses/shard.js';
import { openDataset } from '../../../src/format/dataset.js';
import { OUTLINES_KIND } from '../../../src/format/outlines-file.js';
import { PROVIDERS_KIND } from '../../../src/format/providers-file.js';
import { TRACTS_KIND } from '../../../src/format/tracts-file.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'schemas', 'FORMAT.md'), 'utf8');

/** The sections that the page lists of a file, in its order. */
function listed(file: string): string[] {
  const [chapter = ''] = PAGE.split(`\n## ${file}\n`)[1]?.split('\n## ') ?? [];
  return [...chapter.matchAll(/^\| `([a-z/<>-]+)` +\| (?:Bytes|U?Int|Float)/gm)].map((match) => match[1] ?? '');
}

/** What stands for several sections, one after the other. */
const FOR_EACH: Readonly<Record<string, readonly string[]>> = {
  '<type>': PROVIDER_KINDS,
  '<metric>': METRICS.map(({ path }) => path),
  // A small file has one shard.
  '<shard>': ['0'],
};

/** The names in full: those with the same placeholder, which stand together, come for one of its values after the other. */
function spelledOut(names: readonly string[]): string[] {
  const [first = '', ...others] = names;
  if (names.length === 0) return [];
  const placeholder = /<\w+>/.exec(first)?.[0];
  const values = placeholder === undefined ? undefined : FOR_EACH[placeholder];
  if (placeholder === undefined || !values) return [first, ...spelledOut(others)];
  const end = others.findIndex((name) => !name.includes(placeholder));
  const together = names.slice(0, end < 0 ? undefined : end + 1);
  const all = values.flatMap((value) => together.map((name) => name.replace(placeholder, value)));
  return [...spelledOut(all), ...spelledOut(names.slice(together.length))];
}

test.each([
  ['tracts.tctx', 'tracts.tctx'],
  ['outlines.tctx', 'outlines.tctx'],
  ['providers.tctx', 'providers.tctx'],
  ['addresses-27.tctx', 'addresses-NN.tctx'],
])('FORMAT.md lists the sections of %s as they are', (file, chapter) => {
  const directory = temporaryDirectory();
  const dataset = openDataset(join(directory, 'generations', publishTinyDataset(directory)));
  onTestFinished(() => dataset.release());
  const container = dataset.containers.find(({ label }) => label.endsWith(file));
  expect(container?.sections.map(({ name }) => name)).toEqual(spelledOut(listed(chapter)));
});

test('FORMAT.md gives the unit of every metric', () => {
  const [, table = ''] = PAGE.split('\n### Metrics\n')[1]?.split('\n\n') ?? [];
  const named = [...table.matchAll(/^\| (`[^|]+`)/gm)].flatMap(([, cell = '']) => {
    const words = [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
    // `svi_themes.` stands before the names that it belongs to.
    const [prefix, ...names] = words[0]?.endsWith('.') ? words : ['', ...words];
    return names.map((name) => `${prefix}${name}`);
  });
  expect(named.sort()).toEqual(METRICS.map(({ path }) => path).sort());
});

test('FORMAT.md lists all types of providers, in their order', () => {
  const [, types = ''] = /`<type>` is, in this order, ([^;]+);/.exec(PAGE) ?? [];
  expect([...types.matchAll(/`(\w+)`/g)].map(([, type]) => type)).toEqual(PROVIDER_KINDS);
});

test('FORMAT.md lists all files of a datasets directory', () => {
  const directory = temporaryDirectory();
  publishTinyDataset(directory);
  const [, tree = ''] = PAGE.split('\n## Directory\n')[1]?.split('```') ?? [];
  const named = [...tree.matchAll(/^ {2}([\w.-]+)\/?\s/gm)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(readdirSync(directory)));
});

test('FORMAT.md lists all kinds of files', () => {
  const [, kinds = ''] = PAGE.match(/`kind` \(([^)]+)\)/) ?? [];
  const named = [...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => kind);
  expect(named).toEqual([TRACTS_KIND, OUTLINES_KIND, PROVIDERS_KIND, ADDRESSES_KIND]);
});
