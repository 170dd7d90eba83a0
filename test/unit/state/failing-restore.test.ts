import fs, { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { backupState } from '../../../src/state/backup.js';
import { openState } from '../../../src/state/open-state.js';
import { restoreState } from '../../../src/state/restore.js';
import { defineCollection } from '../../../src/state/store.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** From now on no file or directory whose name has any of these in it can be renamed. */
function refuseToRename(...parts: string[]): void {
  failRenames('EIO', (from) => parts.some((part) => from.includes(part)));
}

function failRenames(code: string, fails: (from: string) => boolean): void {
  const original = fs.renameSync;
  fs.renameSync = (from, to) => {
    if (fails(String(from))) throw Object.assign(new Error(`${code}: not renamed`), { code });
    original(from, to);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.renameSync = original;
    syncBuiltinESMExports();
  });
}

const notes = defineCollection('notes', { key: z.tuple([z.string()]), value: z.string() });

/** A state with a note, closed, and a backup of it beside it. */
async function backedUp(root: string): Promise<string> {
  const state = await openState(join(root, 'state'));
  await state.transact((transaction) => transaction.put(notes, ['kept'], 'this'));
  await backupState(state, join(root, 'backup'), new Date());
  await state.close();
  return state.directory;
}

test('where the restored state cannot take its place, the former one is there as before', async () => {
  const root = temporaryDirectory();
  const directory = await backedUp(root);
  refuseToRename('.restoring-');
  await expect(restoreState(join(root, 'backup'), directory, new Date())).rejects.toMatchObject({ code: 'io-failed' });
  expect(readdirSync(root).sort()).toEqual(['backup', 'state']);
  const again = await openState(directory);
  onTestFinished(() => again.close());
  expect(await again.dump((records) => [...records])).toContainEqual(
    expect.objectContaining({ collection: 'notes', key: ['kept'], value: 'this' }),
  );
});

test('where neither can have the name, both stay, and a start tells of them', async () => {
  const root = temporaryDirectory();
  const directory = await backedUp(root);
  refuseToRename('.restoring-', '.before-');
  const now = new Date('2026-03-01T12:00:00.000Z');
  await expect(restoreState(join(root, 'backup'), directory, now)).rejects.toMatchObject({ code: 'io-failed' });
  const [former, built] = ['state.before-20260301T120000Z', `state.restoring-${process.pid}`];
  expect(readdirSync(root).sort()).toEqual(['backup', former, built]);
  await expect(openState(directory)).rejects.toThrow(`${former} and ${built} beside it: a restore was interrupted`);
});

test('where what is built whole cannot be called so, the state is there as before, and nothing beside it', async () => {
  const root = temporaryDirectory();
  const directory = await backedUp(root);
  refuseToRename('.building-');
  await expect(restoreState(join(root, 'backup'), directory, new Date())).rejects.toMatchObject({ code: 'io-failed' });
  expect(readdirSync(root).sort()).toEqual(['backup', 'state']);
});

test.each(['EBUSY', 'EXDEV'])(
  'a directory that cannot be moved (%s) is told as a mount point, with what to do',
  async (code) => {
    const root = temporaryDirectory();
    const directory = await backedUp(root);
    failRenames(code, (from) => from === directory);
    await expect(restoreState(join(root, 'backup'), directory, new Date())).rejects.toMatchObject({
      code: 'mount-point',
      message: expect.stringMatching(`${code}.*restore to a directory below it, such as ${join(directory, 'state')}`),
    });
    expect(readdirSync(root).sort()).toEqual(['backup', 'state']);
  },
);

test('an empty directory that cannot be removed is told as a mount point, too', async () => {
  const root = temporaryDirectory();
  const directory = await backedUp(root);
  rmSync(directory, { recursive: true });
  mkdirSync(directory);
  const original = fs.rmSync;
  fs.rmSync = (path, options) => {
    if (path === directory) throw Object.assign(new Error('EBUSY: resource busy'), { code: 'EBUSY' });
    original(path, options);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.rmSync = original;
    syncBuiltinESMExports();
  });
  const restored = restoreState(join(root, 'backup'), directory, new Date());
  await expect(restored).rejects.toMatchObject({ name: 'StateError', code: 'mount-point' });
  expect(readdirSync(root).sort()).toEqual(['backup', 'state']);
});
