import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { isStateDirectory } from '../../../src/state/data-file.js';
import type { Migration } from '../../../src/state/migrations.js';
import { openState } from '../../../src/state/open-state.js';
import { StateError } from '../../../src/state/state-error.js';
import { defineCollection } from '../../../src/state/store.js';
import { keepUnused } from '../../../src/state/use-lock.js';
import { failDisk, isOpenFile, noteFlushes } from '../../support/failing-disk.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const notes = defineCollection('notes', { key: z.tuple([z.int()]), value: z.object({ text: z.string() }) });
const PAGE_BYTES = 4_096;

async function refusal(directory: string, migrations: readonly Migration[] = []): Promise<StateError> {
  const error = await openState(directory, { migrations }).then(
    async (state) => state.close(),
    (reason: unknown) => reason,
  );
  if (!(error instanceof StateError)) throw new Error(`opened, or failed otherwise: ${String(error)}`);
  return error;
}

/** A directory with enough in it for a tree of several levels. */
async function filledDirectory(): Promise<{ directory: string; file: string }> {
  const directory = temporaryDirectory();
  const state = await openState(directory);
  await state.transact((transaction) => {
    for (let id = 0; id < 500; id++) transaction.put(notes, [id], { text: 'note '.repeat(100) });
  });
  await state.close();
  return { directory, file: join(directory, 'data.mdb') };
}

function overwrite(file: string, offset: number, bytes: Uint8Array): void {
  const content = readFileSync(file);
  content.set(bytes, offset);
  writeFileSync(file, content);
}

test('what was written is there after the state is closed and opened again', async () => {
  const { directory } = await filledDirectory();
  const state = await openState(directory);
  expect(await state.read((view) => view.get(notes, [499])?.text)).toBe('note '.repeat(100));
  await state.close();
});

test('a new directory and its file are for their owner alone', async () => {
  const directory = join(temporaryDirectory(), 'new', 'state');
  const state = await openState(directory);
  await state.close();
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, 'data.mdb')).mode & 0o777).toBe(0o600);
});

test('a directory of a newer version is refused with its version', async () => {
  const directory = temporaryDirectory();
  await (await openState(directory, { migrations: [() => {}, () => {}] })).close();
  const error = await refusal(directory);
  expect(error.code).toBe('newer-version');
  expect(error.message).toContain(directory);
  expect(error.message).toContain('version 3');
});

test('a process that was running when another one migrated the directory writes nothing more', async () => {
  const directory = temporaryDirectory();
  const old = await openState(directory);
  const recent = await openState(directory, { migrations: [() => {}] });
  await expect(old.transact((transaction) => transaction.put(notes, [1], { text: 'late' }))).rejects.toMatchObject({
    code: 'newer-version',
  });
  expect(await recent.read((view) => view.get(notes, [1]))).toBeUndefined();
  await old.close();
  await recent.close();
});

test('an older directory migrates forward, each step once and in order', async () => {
  const directory = temporaryDirectory();
  const first = await openState(directory);
  await first.transact((transaction) => transaction.put(notes, [1], { text: '' }));
  await first.close();
  const append =
    (letter: string): Migration =>
    (transaction) =>
      transaction.put(notes, [1], { text: `${transaction.get(notes, [1])?.text}${letter}` });
  for (const migrations of [[append('a')], [append('a'), append('b'), append('c')]]) {
    await (await openState(directory, { migrations })).close();
  }
  const state = await openState(directory, { migrations: [append('a'), append('b'), append('c')] });
  expect(await state.read((view) => view.get(notes, [1])?.text)).toBe('abc');
  await state.close();
});

test('a migration that fails leaves the directory as it was', async () => {
  const directory = temporaryDirectory();
  await (await openState(directory)).close();
  const failing: Migration = (transaction) => {
    transaction.put(notes, [1], { text: 'half' });
    throw new Error('no further');
  };
  expect(await refusal(directory, [failing])).toMatchObject({ message: expect.stringContaining('no further') });
  const state = await openState(directory);
  expect(await state.read((view) => view.get(notes, [1]))).toBeUndefined();
  await state.close();
});

test('a path below a file is refused as not writable', async () => {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  const directory = join(file, 'state');
  expect(await refusal(directory)).toMatchObject({ code: 'not-writable', directory });
});

test('a data file that is a directory is refused as not writable', async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'data.mdb'));
  expect(await refusal(directory)).toMatchObject({ code: 'not-writable', directory });
});

test.each([
  ['a few bytes', Buffer.alloc(10, 7)],
  ['two pages of noise', Buffer.alloc(2 * PAGE_BYTES, 7)],
  ['zeros', Buffer.alloc(100_000)],
  ['text', Buffer.from('not a database\n'.repeat(1_000))],
])('a data file of %s is refused as damaged', async (_, bytes) => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'data.mdb'), bytes);
  const error = await refusal(directory);
  expect(error.code).toBe('corrupt');
  expect(error.message).toContain(directory);
});

test('a data file that was cut off is refused as damaged', async () => {
  const { directory, file } = await filledDirectory();
  truncateSync(file, 20 * PAGE_BYTES);
  expect(await refusal(directory)).toMatchObject({ code: 'corrupt', directory });
});

test('a data file with a header that was overwritten is refused as damaged', async () => {
  const { directory, file } = await filledDirectory();
  overwrite(file, PAGE_BYTES, Buffer.alloc(PAGE_BYTES, 9));
  expect(await refusal(directory)).toMatchObject({ code: 'corrupt', directory });
});

test.each([
  ['depth', 55],
  // With these, the file would be made longer without end.
  ['branch pages of the free list', 60],
  ['leaf pages of the free list', 69],
  ['overflow pages of the free list', 76],
  ['root of the free list', 92],
  ['branch pages of the records', 108],
  ['leaf pages of the records', 116],
  ['overflow pages of the records', 124],
  ['root of the records', 140],
])(
  'a header whose %s is impossible for the file’s size is refused as damaged, and the file stays unchanged',
  async (_, at) => {
    for (const offset of [at, PAGE_BYTES + at]) {
      const { directory, file } = await filledDirectory();
      const { size } = statSync(file);
      // An empty tree has all bits of its root set.
      overwrite(file, offset, Uint8Array.of((readFileSync(file)[offset] ?? 0) ^ 0x10));
      const error = await refusal(directory);
      expect(error.message).toMatch(/damaged \(no valid (second )?header\); restore a backup, or move/);
      expect(statSync(file).size).toBe(size);
    }
  },
);

test.each([0, 256, 3000, 131_072])('headers that say pages have %i bytes are refused as damaged', async (pageBytes) => {
  const { directory, file } = await filledDirectory();
  const said = Buffer.alloc(4);
  said.writeUInt32LE(pageBytes);
  for (const offset of [48, PAGE_BYTES + 48]) overwrite(file, offset, said);
  expect((await refusal(directory)).message).toContain('damaged (no valid header)');
});

test('a data file with pages that were zeroed is refused as damaged', async () => {
  const { directory, file } = await filledDirectory();
  overwrite(file, 2 * PAGE_BYTES, Buffer.alloc(30 * PAGE_BYTES));
  expect(await refusal(directory)).toMatchObject({ code: 'corrupt', directory });
});

test('a header that no LMDB has marked as one is refused as damaged', async () => {
  const { directory, file } = await filledDirectory();
  for (const offset of [18, PAGE_BYTES + 18]) overwrite(file, offset, Uint8Array.of(0));
  expect((await refusal(directory)).message).toContain('damaged (no valid header)');
});

test('a data file whose first pages another process is just writing is waited for', async () => {
  const { directory, file } = await filledDirectory();
  const whole = readFileSync(file);
  truncateSync(file, 100);
  setTimeout(() => writeFileSync(file, whole), 1);
  const state = await openState(directory);
  expect(await state.read((view) => view.count(notes))).toBe(500);
  await state.close();
});

test('opening a state of this version writes nothing into it', async () => {
  const { directory, file } = await filledDirectory();
  const before = readFileSync(file);
  await (await openState(directory)).close();
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a new state has its place on the disk before it takes any record', async () => {
  const root = temporaryDirectory();
  const flushed = noteFlushes(root);
  const state = await openState(join(root, 'state'));
  await state.close();
  expect(flushed[0]).toBe('flushed .');
  expect(flushed.at(-1)).toBe('flushed state');
  failDisk('fsyncSync', (file) => !isOpenFile(file) && existsSync(join(root, 'other', 'data.mdb')));
  expect(await refusal(join(root, 'other'))).toMatchObject({ code: 'io-failed' });
});

test('no state is begun where a disk tells only in the end that it is full', async () => {
  const directory = temporaryDirectory();
  failDisk('fsyncSync', isOpenFile);
  expect(await refusal(directory)).toMatchObject({ code: 'io-failed' });
  expect(readdirSync(directory)).toEqual([]);
});

test.each([
  ['a file', (path: string) => writeFileSync(path, ''), false],
  ['a directory of others', (path: string) => mkdirSync(path), false],
  [
    'one whose data file is gone: that is damage',
    (path: string) => {
      mkdirSync(path);
      writeFileSync(join(path, '.has-records'), '');
    },
    true,
  ],
])('what has held a state is told from what never has: %s', (_, make, isState) => {
  const path = join(temporaryDirectory(), 'state');
  make(path);
  expect(isStateDirectory(path)).toBe(isState);
  expect(isStateDirectory(join(path, 'below'))).toBe(false);
});

test('a data file that is empty, left by a process that was killed while making it, is filled', async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'data.mdb'), '');
  const state = await openState(directory);
  expect(await state.transact((transaction) => transaction.nextId('notes'))).toBe(1);
  await state.close();
});

test.each([
  ['empty', (file: string) => truncateSync(file, 0)],
  ['gone', (file: string) => rmSync(file)],
])('a data file that is %s where there were records is refused as damaged', async (_, spoil) => {
  const { directory, file } = await filledDirectory();
  spoil(file);
  const error = await refusal(directory);
  expect(error).toMatchObject({ code: 'corrupt', message: expect.stringContaining('empty or missing') });
});

test('nothing is acknowledged that would be lost, as the data file has been removed; what is open can be read', async () => {
  const { directory, file } = await filledDirectory();
  const onBroken = vi.fn();
  const state = await openState(directory, { onBroken });
  onTestFinished(() => state.close());
  rmSync(file);
  for (const isUrgent of [false, true]) {
    const write = state.transact((transaction) => transaction.put(notes, [0], { text: 'lost' }), { isUrgent });
    await expect(write).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('has been removed'),
    });
  }
  expect(await state.read((view) => view.get(notes, [0])?.text)).toBe('note '.repeat(100));
  expect(onBroken).not.toHaveBeenCalled();
});

test('a directory that is not there since a restore was cut off is refused, and what is beside it is named', async () => {
  const root = temporaryDirectory();
  for (const name of ['state.before-20261123T101112Z', 'state.restoring-4711', 'state.txt', 'statement']) {
    mkdirSync(join(root, name));
  }
  const error = await refusal(join(root, 'state'));
  expect(error.code).toBe('corrupt');
  expect(error.message).toContain('state.before-20261123T101112Z and state.restoring-4711 beside it');
  expect(readdirSync(root)).not.toContain('state');
});

test.each(['is not there', 'is empty'])(
  'a directory that %s beside what a restore has built in part is refused, and no part has its name',
  async (condition) => {
    const root = temporaryDirectory();
    for (const name of ['state.before-20261123T101112Z', 'state.building-4711']) mkdirSync(join(root, name));
    if (condition === 'is empty') mkdirSync(join(root, 'state'));
    const error = await refusal(join(root, 'state'));
    expect(error.code).toBe('corrupt');
    expect(error.message).toContain(
      'an incomplete one in state.building-4711 beside it: a restore has not finished; restore again',
    );
    expect(error.message).not.toContain('name back');
  },
);

test('what a restore has built in part is not among those that may have the name', async () => {
  const root = temporaryDirectory();
  for (const name of ['state.restoring-4711', 'state.building-4712']) mkdirSync(join(root, name));
  expect((await refusal(join(root, 'state'))).message).toContain('but state.restoring-4711 beside it');
});

test('a directory that was removed begins anew, though one that a restore had put aside is beside it', async () => {
  const root = temporaryDirectory();
  // The last two are of a state of another name.
  for (const name of ['state.before-20261123T101112Z', 'store.restoring-4711', 'store.building-4712']) {
    mkdirSync(join(root, name));
  }
  const state = await openState(join(root, 'state'));
  expect(await state.read((view) => view.count(notes))).toBe(0);
  await state.close();
});

test('a state that is there is opened, whatever restores have left beside it', async () => {
  const { directory } = await filledDirectory();
  for (const verb of ['building', 'restoring']) mkdirSync(`${directory}.${verb}-4711`);
  onTestFinished(() => {
    for (const verb of ['building', 'restoring']) rmSync(`${directory}.${verb}-4711`, { recursive: true });
  });
  const state = await openState(directory);
  expect(await state.read((view) => view.count(notes))).toBe(500);
  await state.close();
});

test('a directory whose lock files cannot be made is refused, and not in use afterwards', async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'writing.lock'));
  expect((await refusal(directory)).code).toBe('not-writable');
  keepUnused(directory)();
});

test('a directory with a lock file of LMDB’s that must not be opened is refused', async () => {
  const { directory } = await filledDirectory();
  failDisk('accessSync', (path) => path === join(directory, 'lock.mdb'));
  expect(await refusal(directory)).toMatchObject({ code: 'io-failed' });
});

test('where a state must exist, none is made', async () => {
  const directory = join(temporaryDirectory(), 'state');
  await expect(openState(directory, { mustExist: true })).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining(`${directory}: the state that this service has opened is gone from here`),
  });
  expect(existsSync(directory)).toBe(false);
  await (await openState(directory)).close();
  await (await openState(directory, { mustExist: true })).close();
});
