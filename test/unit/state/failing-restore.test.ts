import fs, {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { backupState } from '../../../src/state/backup.js';
import { openState } from '../../../src/state/open-state.js';
import { restoreState } from '../../../src/state/restore.js';
import { defineCollection } from '../../../src/state/store.js';
import { failDisk, isOpenFile, noteFlushes } from '../../support/failing-disk.js';
import { replaceCalls } from '../../support/replaced-calls.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** From now on no file or directory whose name has any of these in it can be renamed. */
function refuseToRename(...parts: string[]): void {
  failRenames('EIO', (from) => parts.some((part) => from.includes(part)));
}

function failRenames(code: string, fails: (from: string) => boolean): void {
  const { renameSync: rename } = fs;
  replaceCalls({
    renameSync: (from, to) => {
      if (fails(String(from))) throw Object.assign(new Error(`${code}: not renamed`), { code });
      rename(from, to);
    },
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

test('where the key files cannot be written, the error names the state directory', async () => {
  const root = temporaryDirectory();
  const directory = join(root, 'state');
  mkdirSync(directory);
  writeFileSync(join(directory, 'admin-token'), 'token');
  await backedUp(root);
  failDisk('writeFileSync', (path) => String(path).endsWith('/admin-token'));
  await expect(restoreState(join(root, 'backup'), directory, new Date())).rejects.toMatchObject({
    name: 'StateError',
    message: `state directory ${directory}: reading or writing failed (EIO: i/o error, writeFileSync)`,
  });
  expect(readdirSync(root).sort()).toEqual(['backup', 'state']);
});

test('where the disk fails once the restored state is in its place, the error says that it is', async () => {
  const root = temporaryDirectory();
  const directory = await backedUp(root);
  const isInPlace = (): boolean => {
    const names = readdirSync(root);
    return names.includes('state') && names.some((name) => name.includes('.before-'));
  };
  failDisk('fsyncSync', isInPlace);
  await expect(restoreState(join(root, 'backup'), directory, new Date())).rejects.toThrow(
    `${directory}: has been restored, but the disk failed afterwards (EIO: i/o error, fsyncSync)`,
  );
});

test('a backup whose name cannot be made durable is not there, and another one can have the name', async () => {
  const root = temporaryDirectory();
  const directory = await backedUp(root);
  const path = join(root, 'another');
  const state = await openState(directory);
  onTestFinished(() => state.close());
  let isFailing = true;
  failDisk('fsyncSync', () => isFailing && existsSync(path));
  await expect(backupState(state, path, new Date())).rejects.toThrow(
    'it cannot be written (EIO: i/o error, fsyncSync)',
  );
  isFailing = false;
  expect((await backupState(state, path, new Date())).records).toBeGreaterThan(0);
});

test('a backup whose content cannot be made durable is not there', async () => {
  const root = temporaryDirectory();
  const state = await openState(await backedUp(root));
  onTestFinished(() => state.close());
  failDisk('fsyncSync', isOpenFile);
  await expect(backupState(state, join(root, 'another'), new Date())).rejects.toThrow(
    'it cannot be written (EIO: i/o error, fsyncSync)',
  );
  expect(readdirSync(root).sort()).toEqual(['backup', 'state']);
});

test('each step of a restore is on the disk before the next: after a power failure one whole state is there', async () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, 'state'));
  writeFileSync(join(root, 'state', 'admin-token'), 'token');
  const directory = await backedUp(root);
  const noted = noteFlushes(root);
  await restoreState(join(root, 'backup'), directory, new Date());
  const steps = noted.filter((step, at) => !step.includes('.probe-') && step !== noted[at - 1]);
  const building = `state.building-${process.pid}`;
  expect(steps.slice(steps.indexOf(`flushed ${building}/admin-token`))).toEqual([
    `flushed ${building}/admin-token`,
    `flushed ${building}`,
    `renamed ${building}`,
    'flushed .',
    'renamed state',
    `renamed state.restoring-${process.pid}`,
    'flushed .',
  ]);
});

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

test('where there was no state before, a restore that cannot take its place leaves nothing, since it would hold keys', async () => {
  const root = temporaryDirectory();
  const directory = await backedUp(root);
  rmSync(directory, { recursive: true });
  refuseToRename('.restoring-');
  await expect(restoreState(join(root, 'backup'), directory, new Date())).rejects.toMatchObject({ code: 'io-failed' });
  expect(readdirSync(root)).toEqual(['backup']);
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
  const { rmSync: remove } = fs;
  replaceCalls({
    rmSync: (path, options) => {
      if (path === directory) throw Object.assign(new Error('EBUSY: resource busy'), { code: 'EBUSY' });
      remove(path, options);
    },
  });
  const restored = restoreState(join(root, 'backup'), directory, new Date());
  await expect(restored).rejects.toMatchObject({ name: 'StateError', code: 'mount-point' });
  expect(readdirSync(root).sort()).toEqual(['backup', 'state']);
});

test('where the directory is a symbolic link, the directory that it leads to is replaced, and the link stays', async () => {
  const root = temporaryDirectory();
  await backedUp(root);
  const volume = join(root, 'volume');
  mkdirSync(volume);
  renameSync(join(root, 'state'), join(volume, 'live'));
  symlinkSync(join('volume', 'live'), join(root, 'state'));
  const { formerDirectory } = await restoreState(join(root, 'backup'), join(root, 'state'), new Date());
  expect(lstatSync(join(root, 'state')).isSymbolicLink()).toBe(true);
  expect(formerDirectory).toContain(join(volume, 'live.before-'));
  expect(readdirSync(root).sort()).toEqual(['backup', 'state', 'volume']);
  const restored = await openState(join(root, 'state'));
  expect(await restored.read((view) => view.count(notes))).toBe(1);
  await restored.close();

  // A link to the link leads there, too.
  symlinkSync('state', join(root, 'alias'));
  expect((await restoreState(join(root, 'backup'), join(root, 'alias'), new Date())).formerDirectory).toContain(
    join(volume, 'live.before-'),
  );
  expect(lstatSync(join(root, 'state')).isSymbolicLink()).toBe(true);

  // As a restore that was killed between its two renames leaves it: the link leads nowhere.
  renameSync(join(volume, 'live'), join(volume, 'live.restoring-1'));
  await expect(openState(join(root, 'state'))).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringMatching(/\/volume\/live: no state found, .*live\.restoring-1 beside it: /),
  });
  expect((await restoreState(join(root, 'backup'), join(root, 'state'), new Date())).formerDirectory).toBe(null);
  expect(existsSync(join(volume, 'live', 'data.mdb'))).toBe(true);
});

test.each([
  ['that is there', true],
  ['that is gone', false],
])('a link that leads up from another link leads to the directory that the system finds, %s', async (_, isThere) => {
  const root = temporaryDirectory();
  await backedUp(root);
  const [service, volume] = [join(root, 'service'), join(root, 'volume')];
  for (const directory of [service, join(volume, 'release')]) mkdirSync(directory, { recursive: true });
  if (isThere) renameSync(join(root, 'state'), join(volume, 'live'));
  symlinkSync('../volume/release', join(service, 'current'));
  symlinkSync('current/../live', join(service, 'state'));
  await restoreState(join(root, 'backup'), join(service, 'state'), new Date());
  expect(readdirSync(service).sort()).toEqual(['current', 'state']);
  expect(existsSync(join(volume, 'live', 'data.mdb'))).toBe(true);
});
