import { mkdirSync, rmdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Catalog, openCatalog } from '../../../src/catalog/catalog.js';
import { currentPath, generationPath } from '../../../src/catalog/generations.js';
import { type Dataset, openDataset } from '../../../src/format/dataset.js';
import { TRACTS_FILE } from '../../../src/format/tracts-file.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

function watched(datasetsDir: string) {
  const events = { opened: vi.fn(), nothingPublished: vi.fn(), failed: vi.fn() };
  const close = vi.fn((dataset: Dataset) => {
    dataset.release();
    return Promise.resolve();
  });
  const catalog: Catalog<Dataset> = openCatalog({ datasetsDir, open: openDataset, close, events, pollMs: 1 });
  onTestFinished(() => catalog.close());
  return { catalog, events, close };
}

test('what is published at the start is open at once', () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  const { catalog, events } = watched(datasetsDir);
  expect(catalog.current()).toMatchObject({ generation, directory: generationPath(datasetsDir, generation) });
  expect(events.opened).toHaveBeenCalledOnce();
});

test('where nothing is published, not even a directory, the first publication is taken', async () => {
  const datasetsDir = join(temporaryDirectory(), 'not', 'yet');
  const { catalog, events } = watched(datasetsDir);
  expect(catalog.current()).toBeUndefined();
  expect(catalog.absence()).toBe('No dataset published yet.');

  const generation = publishTinyDataset(datasetsDir);
  await vi.waitFor(() => expect(catalog.current()?.generation).toBe(generation));
  expect(events.nothingPublished).toHaveBeenCalledOnce();
  expect(events.opened).toHaveBeenCalledOnce();
});

test('a broken generation is told of once, never served, and its successor is taken', async () => {
  const datasetsDir = temporaryDirectory();
  const broken = 'ab'.repeat(16);
  mkdirSync(generationPath(datasetsDir, broken), { recursive: true });
  writeFileSync(currentPath(datasetsDir), broken);
  const { catalog, events } = watched(datasetsDir);
  expect(catalog.current()).toBeUndefined();
  expect(catalog.absence()).toBe('The published dataset cannot be opened.');
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(broken, expect.stringContaining('cannot-open'));

  publishTinyDataset(datasetsDir);
  await vi.waitFor(() => expect(catalog.current()).toBeDefined());
  expect(events.failed).toHaveBeenCalledOnce();
});

test('a truncated file is not served', () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  truncateSync(join(generationPath(datasetsDir, generation), TRACTS_FILE), 1000);
  const { catalog, events } = watched(datasetsDir);
  expect(catalog.current()).toBeUndefined();
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(generation, expect.stringContaining('wrong-length'));
});

test('a CURRENT that cannot be read is told of once, and what replaces it is taken', async () => {
  const datasetsDir = temporaryDirectory();
  mkdirSync(currentPath(datasetsDir));
  const { catalog, events } = watched(datasetsDir);
  expect(catalog.absence()).toBe('The published dataset cannot be opened.');
  expect(events.failed).toHaveBeenCalledExactlyOnceWith(undefined, expect.stringContaining('EISDIR'));

  rmdirSync(currentPath(datasetsDir));
  publishTinyDataset(datasetsDir);
  await vi.waitFor(() => expect(catalog.current()).toBeDefined());
  expect(events.failed).toHaveBeenCalledOnce();
});

test('closing gives the dataset back, once, and nothing is live any more', async () => {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  const { catalog, close } = watched(datasetsDir);
  await catalog.close();
  await catalog.close();
  expect(close).toHaveBeenCalledOnce();
  expect(catalog.current()).toBeUndefined();
});
