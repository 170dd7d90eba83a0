import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { dataFilePath } from '../../../src/state/data-file.js';
import { openState } from '../../../src/state/open-state.js';
import { toStateError } from '../../../src/state/state-error.js';
import { defineCollection } from '../../../src/state/store.js';
import { fillDisk } from '../../support/failing-disk.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const notes = defineCollection('notes', { key: z.tuple([z.string()]), value: z.string() });

test('what finds no space is refused, and the same process writes again once there is some', async () => {
  const onBroken = vi.fn();
  const state = await openState(temporaryDirectory(), { onBroken });
  onTestFinished(() => state.close());
  const write = (): Promise<void> =>
    state.transact((transaction) => transaction.put(notes, ['a'], 'x'.repeat(3 << 20)));
  const free = fillDisk();
  await expect(write()).rejects.toMatchObject({ code: 'disk-full' });
  free();
  await write();
  expect(await state.read((view) => view.get(notes, ['a'])?.length)).toBe(3 << 20);
  expect(onBroken).not.toHaveBeenCalled();
});

test('what is refused takes no space, neither of the full disk nor of what is freed', async () => {
  const directory = temporaryDirectory();
  const state = await openState(directory, { onBroken: vi.fn() });
  onTestFinished(() => state.close());
  const write = (length: number): Promise<void> =>
    state.transact((transaction) => transaction.put(notes, ['a'], 'x'.repeat(length)));
  await write(1);
  const before = statSync(dataFilePath(directory)).size;
  const free = fillDisk(3 << 20);
  for (let attempt = 0; attempt < 30; attempt++) {
    await expect(write(5 << 20)).rejects.toMatchObject({ code: 'disk-full' });
    expect(statSync(dataFilePath(directory)).size).toBe(before);
  }
  free();
  await write(2);
  expect(statSync(dataFilePath(directory)).size).toBeLessThan(before + (4 << 20));
});

test('what is urgent is stored on a full disk, hundreds of times, when all else is refused', async () => {
  const state = await openState(temporaryDirectory(), { onBroken: vi.fn() });
  onTestFinished(() => state.close());
  const write = (name: string, options = {}): Promise<void> =>
    state.transact((transaction) => transaction.put(notes, [name], 'x'.repeat(300)), options);
  await write('first');
  fillDisk();
  let kept = 0;
  const fill = async (): Promise<void> => {
    for (;;) await write(`note ${kept++}`);
  };
  await expect(fill()).rejects.toMatchObject({ code: 'disk-full' });
  for (let at = 0; at < 300; at++) await write(`urgent ${at}`, { isUrgent: true });
  await expect(write('another')).rejects.toMatchObject({ code: 'disk-full' });
  expect(await state.read((view) => view.get(notes, ['urgent 299'])?.length)).toBe(300);
});

test('what is kept can be read on a full disk, but nothing new can be begun there', async () => {
  const directory = temporaryDirectory();
  const state = await openState(directory);
  await state.transact((transaction) => transaction.put(notes, ['a'], 'kept'));
  await state.close();
  fillDisk();
  const again = await openState(directory);
  onTestFinished(() => again.close());
  expect(await again.read((view) => view.get(notes, ['a']))).toBe('kept');
  await expect(openState(temporaryDirectory())).rejects.toMatchObject({ code: 'disk-full' });
});

test('a quota that is used up is a full disk, though Node has no name for it on Linux', async () => {
  const directory = temporaryDirectory();
  const state = await openState(directory, { onBroken: vi.fn() });
  onTestFinished(() => state.close());
  const unnamed = {
    code: 'UNKNOWN',
    errno: -constants.errno.EDQUOT,
    message: 'UNKNOWN: unknown error, write',
  };
  fillDisk(0, unnamed);
  const refused = state.transact((transaction) => transaction.put(notes, ['a'], 'x'.repeat(3 << 20)));
  const message = `state directory ${directory}: no space left to store this (EDQUOT, write)`;
  await expect(refused).rejects.toMatchObject({ code: 'disk-full', message });
});

test('transactions that share a commit have space for all of them, or those that have none are refused', async () => {
  const directory = temporaryDirectory();
  const state = await openState(directory, { onBroken: vi.fn() });
  onTestFinished(() => state.close());
  fillDisk(8 << 20);
  const write = (at: number): Promise<void> =>
    state.transact((transaction) => transaction.put(notes, [`note ${at}`], 'x'.repeat(1 << 20)));
  const ends = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => write(at)));
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(20);
  for (const reason of refused) expect(reason).toMatchObject({ code: 'disk-full' });
  expect(await state.read((view) => view.count(notes))).toBe(20 - refused.length);
});

test('to remove many records takes space too, and is refused as a whole where there is none', async () => {
  const state = await openState(temporaryDirectory(), { onBroken: vi.fn() });
  onTestFinished(() => state.close());
  fillDisk(1);
  let kept = 0;
  const fill = async (): Promise<void> => {
    for (;;) await state.transact((transaction) => transaction.put(notes, [`note ${kept++}`], 'x'.repeat(1000)));
  };
  await expect(fill()).rejects.toMatchObject({ code: 'disk-full' });
  const stored = await state.read((view) => view.count(notes));
  const removing = state.transact((transaction) => {
    for (let at = 0; at < stored; at++) transaction.remove(notes, [`note ${at}`]);
  });
  await expect(removing).rejects.toMatchObject({ code: 'disk-full' });
  expect(await state.read((view) => view.count(notes))).toBe(stored);
});

test('nothing is left of a state that finds too little space for its first files', async () => {
  const directory = temporaryDirectory();
  fillDisk();
  await expect(openState(directory)).rejects.toMatchObject({ code: 'disk-full' });
  expect(readdirSync(directory)).toEqual([]);
  // As left by a process that was killed while making it.
  writeFileSync(dataFilePath(directory), '');
  await expect(openState(directory)).rejects.toMatchObject({ code: 'disk-full' });
  expect(statSync(dataFilePath(directory)).size).toBe(0);
});

test.each([
  [
    'not-writable',
    'cannot be written to',
    ['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', constants.errno.EACCES, constants.errno.ENOTDIR, constants.errno.EROFS],
  ],
  ['disk-full', 'no space left to store this', ['ENOSPC', 'EDQUOT', constants.errno.ENOSPC, constants.errno.EDQUOT]],
  ['disk-full', 'the file may not grow so large', ['EFBIG', constants.errno.EFBIG]],
  ['corrupt', 'restore a backup', [-30_797, -30_796, -30_794, -30_793]],
  ['io-failed', 'reading or writing failed', ['EIO', constants.errno.EIO]],
] as const)('an error of the disk is told as %s, whether the system names or numbers it', (kind, detail, codes) => {
  for (const code of codes) {
    const told = toStateError('/state', Object.assign(new Error('the reason'), { code }));
    expect([code, told.code]).toEqual([code, kind]);
    expect(told.message).toContain(detail);
    expect(told.message).toContain('(the reason)');
    expect(toStateError('/other', told)).toBe(told);
  }
});
