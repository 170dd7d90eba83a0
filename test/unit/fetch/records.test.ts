import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import {
  type FetchRecord,
  finishCommit,
  listRecords,
  readRecord,
  removeFetched,
  writeRecord,
} from '../../../src/load/fetch/records.js';
import { storeLayout } from '../../../src/load/fetch/store-layout.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const PATH = 'svi/2022/SVI_2022_US.csv';
const NEW = 'the new content';
const record: FetchRecord = {
  path: PATH,
  download: 'svi',
  vintage: '2022',
  url: 'https://agency.test/SVI_2022_US.csv',
  sizeBytes: NEW.length,
  sha256: createHash('sha256').update(NEW).digest('hex'),
  modifiedMs: 1,
  fetchedAt: '2026-01-01T00:00:00.000Z',
  checkedAt: '2026-01-01T00:00:00.000Z',
};

/** What a crash left: the record that was to be, and what there is at either place. */
function crashed({ part, file }: { readonly part?: string; readonly file?: string }) {
  const layout = storeLayout(temporaryDirectory());
  const write = (path: string, text: string | undefined): void => {
    if (text === undefined) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  write(layout.pendingRecord(PATH), JSON.stringify(record));
  write(layout.part(PATH), part);
  write(layout.file(PATH), file);
  return layout;
}

test.each([
  ['before the part was moved', { part: NEW }],
  ['before the part was moved over an older file', { part: NEW, file: 'the old content' }],
  ['after the part was moved', { file: NEW }],
])('a crash %s is finished by the next run without a byte being fetched', async (_when, left) => {
  const layout = crashed(left);
  await finishCommit(layout, PATH);
  expect(readFileSync(layout.file(PATH), 'utf8')).toBe(NEW);
  expect(readRecord(layout, PATH)).toEqual(record);
  expect([layout.part(PATH), layout.pendingRecord(PATH)].map((path) => existsSync(path))).toEqual([false, false]);
});

test.each([
  ['an older file and no part', { file: 'the old content' }],
  ['a part that is not what was recorded', { part: 'half' }],
  ['nothing', {}],
])('of a crash that left %s nothing is taken for whole', async (_what, left) => {
  const layout = crashed(left);
  await finishCommit(layout, PATH);
  expect(readRecord(layout, PATH)).toBeUndefined();
  expect(existsSync(layout.pendingRecord(PATH))).toBe(false);
  expect(existsSync(layout.file(PATH))).toBe('file' in left);
});

test('a record that was cut off or altered counts as none', () => {
  const layout = storeLayout(temporaryDirectory());
  mkdirSync(dirname(layout.record(PATH)), { recursive: true });
  for (const text of ['', '{"path":"svi', JSON.stringify({ ...record, sha256: 'x' })]) {
    writeFileSync(layout.record(PATH), text);
    expect(readRecord(layout, PATH)).toBeUndefined();
    expect(listRecords(layout)).toEqual([]);
  }
});

test('the record of a file that could not be deleted stays, so that the next run deletes it', () => {
  const layout = storeLayout(temporaryDirectory());
  writeRecord(layout, record);
  mkdirSync(layout.file(PATH), { recursive: true });
  expect(() => removeFetched(layout, PATH)).toThrow();
  expect(listRecords(layout)).toEqual([record]);
});
