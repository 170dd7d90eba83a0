import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { CatalogError } from '../../../src/catalog/directory/catalog-error.js';
import { currentPath, generationPath, setCurrent } from '../../../src/catalog/directory/generations.js';
import { createPublications, isPublished } from '../../../src/catalog/published.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const [ONE, OTHER] = ['1'.repeat(32), '2'.repeat(32)];

/** A datasets directory with both generations, of which nobody looks into the files. */
function withBoth(): string {
  const datasetsDir = temporaryDirectory();
  for (const generation of [ONE, OTHER]) mkdirSync(generationPath(datasetsDir, generation), { recursive: true });
  return datasetsDir;
}

test('a generation is published if CURRENT names it, and none if there is no CURRENT', () => {
  const datasetsDir = withBoth();
  expect([undefined, ONE].map((live) => isPublished(datasetsDir, live))).toEqual([true, false]);
  setCurrent(datasetsDir, ONE);
  expect([undefined, ONE, OTHER].map((live) => isPublished(datasetsDir, live))).toEqual([false, true, false]);
});

test.each<[string, (datasetsDir: string) => void]>([
  ['is empty', (datasetsDir) => writeFileSync(currentPath(datasetsDir), '')],
  ['cannot be read', (datasetsDir) => mkdirSync(currentPath(datasetsDir))],
  [
    'names what has been removed',
    (datasetsDir) => {
      setCurrent(datasetsDir, ONE);
      rmSync(generationPath(datasetsDir, ONE), { recursive: true });
    },
  ],
])('nothing is if CURRENT %s, whatever is live', (_, spoil) => {
  const datasetsDir = withBoth();
  spoil(datasetsDir);
  expect([undefined, ONE].map((live) => isPublished(datasetsDir, live))).toEqual([false, false]);
});

test('the log is told once that nothing is published, and once of each generation why it is not taken', () => {
  const datasetsDir = withBoth();
  const events = { nothingPublished: vi.fn(), failed: vi.fn() };
  const publications = createPublications(datasetsDir, events);
  for (let look = 0; look < 3; look++) expect(publications.next()).toBeUndefined();
  expect(events.nothingPublished).toHaveBeenCalledOnce();
  setCurrent(datasetsDir, ONE);
  const fail = (generation: string): void => publications.failed(generation, new Error('no memory'));
  for (let attempt = 0; attempt < 3; attempt++) {
    // It may pass: the generation is tried again.
    expect(publications.next()).toBe(ONE);
    fail(ONE);
  }
  for (const generation of [OTHER, OTHER, ONE]) fail(generation);
  expect(events.failed.mock.calls).toEqual([ONE, OTHER, ONE].map((generation) => [generation, 'no memory']));
});

test('damage refuses the generation that was asked about, no other one, and none that is published after it', () => {
  const datasetsDir = withBoth();
  const publications = createPublications(datasetsDir, { nothingPublished: vi.fn(), failed: vi.fn() });
  const damage = { code: 'checksum-mismatch', file: 'tracts.tctx', section: null, message: '' } as const;
  const fail = (generation: string): void =>
    publications.failed(generation, new CatalogError('damaged', 'a bit has flipped', damage));
  setCurrent(datasetsDir, ONE);
  expect(publications.next()).toBe(ONE);
  fail(OTHER);
  expect(publications.next()).toBe(ONE);
  fail(ONE);
  expect(publications.next()).toBeUndefined();
  setCurrent(datasetsDir, OTHER);
  expect(publications.next()).toBe(OTHER);
});
