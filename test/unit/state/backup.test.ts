import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs, {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { libc } from '../../../src/platform/libc.js';
import { backupState } from '../../../src/state/backup.js';
import { BackupError } from '../../../src/state/backup-format.js';
import { handOver } from '../../../src/state/hand-over.js';
import { openState } from '../../../src/state/open-state.js';
import { createPartialBackup } from '../../../src/state/partial-backup.js';
import { openBackup } from '../../../src/state/read-backup.js';
import { restoreState } from '../../../src/state/restore.js';
import { loadSecretKey } from '../../../src/state/secret-key.js';
import { defineCollection, type StateStore } from '../../../src/state/store.js';
import { failDisk, fillDisk } from '../../support/failing-disk.js';
import { replaceCalls } from '../../support/replaced-calls.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const notes = defineCollection('notes', { key: z.tuple([z.string(), z.number()]), value: z.json() });

/** More than are read, or written, at a time. */
const MANY = 1200;

async function openWithNotes(directory: string, count = 20): Promise<StateStore> {
  const state = await openState(directory);
  onTestFinished(() => state.close());
  await state.transact((transaction) => {
    for (let at = 0; at < count; at++)
      transaction.put(notes, [`nöte "${at % 3}"\n`, at - 3.5], { at, list: [null, 'é'] });
    transaction.nextId('notes');
  });
  return state;
}

const dump = (state: StateStore) => state.dump((records) => [...records]);

test('a backup restores every record, every counter and every key file, while others read and write', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'), MANY);
  const key = loadSecretKey(state.directory, 'webhook-secret.key');
  const before = await dump(state);
  const file = join(root, 'backup');
  const writing = Promise.all([1, 2, 3].map((at) => state.transact((view) => view.put(notes, ['later', at], at))));
  const [summary] = await Promise.all([backupState(state, file, NOW), writing]);
  expect(summary).toMatchObject({ sizeBytes: statSync(file).size });
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const target = join(root, 'restored');
  const restored = await restoreState(file, target, NOW);
  expect(restored).toMatchObject({ records: summary.records, createdAt: NOW.toISOString(), formerDirectory: null });
  const copy = await openState(target);
  onTestFinished(() => copy.close());
  const later = ({ key: [name] }: { key: readonly unknown[] }): boolean => name === 'later';
  expect((await dump(copy)).filter((record) => !later(record))).toEqual(before);
  expect(loadSecretKey(target, 'webhook-secret.key')).toEqual(key);
  expect(statSync(join(target, 'webhook-secret.key')).mode & 0o777).toBe(0o600);
  expect(await copy.transact((transaction) => transaction.nextId('notes'))).toBe(2);
  expect(readdirSync(root).sort()).toEqual(['backup', 'restored', 'state']);
});

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

test.runIf(isRoot)(
  'what root restores belongs to the owner of the old directory, or of the one above if there is none',
  async () => {
    const root = temporaryDirectory();
    const state = await openWithNotes(join(root, 'state'));
    loadSecretKey(state.directory, 'webhook-secret.key');
    const file = join(root, 'backup');
    await backupState(state, file, NOW);
    const ownersIn = (directory: string) => {
      const paths = [directory, ...readdirSync(directory).map((name) => join(directory, name))];
      const owners = paths.map((path) => statSync(path)).map(({ uid, gid }) => `${uid}:${gid}`);
      return { files: paths.length - 1, owners: [...new Set(owners)] };
    };
    const target = join(root, 'of-a-service', 'state');
    mkdirSync(join(root, 'of-a-service'));
    chownSync(join(root, 'of-a-service'), 61_001, 61_002);
    await restoreState(file, target, NOW);
    const restored = ownersIn(target);
    expect(restored).toEqual({ files: expect.any(Number), owners: ['61001:61002'] });
    expect(restored.files).toBeGreaterThan(2);
    chownSync(target, 61_003, 61_004);
    await restoreState(file, target, NOW);
    expect(ownersIn(target).owners).toEqual(['61003:61004']);
    await restoreState(file, join(root, 'of-root'), NOW);
    expect(ownersIn(join(root, 'of-root')).owners).toEqual([`0:${process.getgid?.()}`]);
  },
);

test.runIf(isRoot)(
  'neither root’s backup of another user’s state nor its restore there, if that fails, leaves a file that is root’s',
  async () => {
    const root = temporaryDirectory();
    const directory = join(root, 'state');
    const locks = ['in-use.lock', 'lock.mdb', 'opening.lock', 'writing.lock'];
    await (await openWithNotes(directory)).close();
    for (const name of locks) rmSync(join(directory, name));
    const paths = () => [directory, ...readdirSync(directory).map((name) => join(directory, name))];
    for (const path of paths()) chownSync(path, 61_001, 61_002);
    const owners = () => [...new Set(paths().map((path) => `${statSync(path).uid}:${statSync(path).gid}`))];

    await expect(restoreState(join(root, 'none'), directory, NOW)).rejects.toThrow(BackupError);
    expect(readdirSync(directory)).toContain('in-use.lock');
    expect(owners()).toEqual(['61001:61002']);
    const state = await openState(directory);
    await backupState(state, join(root, 'backup'), NOW);
    await state.close();
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(locks));
    expect(owners()).toEqual(['61001:61002']);
  },
);

test.runIf(isRoot)(
  'so do the directories above that root’s restore makes, which only their owner can open',
  async () => {
    const root = temporaryDirectory();
    const state = await openWithNotes(join(root, 'state'));
    const file = join(root, 'backup');
    await backupState(state, file, NOW);
    const home = join(root, 'of-a-service');
    mkdirSync(home);
    chownSync(home, 61_001, 61_002);
    const made = [join(home, 'var'), join(home, 'var', 'lib'), join(home, 'var', 'lib', 'state')];
    const { rootsDirectory } = await restoreState(file, made[2] ?? '', NOW);
    expect(made.map((path) => statSync(path)).map(({ uid, gid, mode }) => [uid, gid, mode & 0o777])).toEqual(
      made.map(() => [61_001, 61_002, 0o700]),
    );
    expect(rootsDirectory).toBeNull();
  },
);

test.runIf(isRoot)('what stays root’s is named, as a service of another user could not open it', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'));
  const file = join(root, 'backup');
  await backupState(state, file, NOW);
  const rootsOf = async (directory: string) => (await restoreState(file, directory, NOW)).rootsDirectory;
  const target = join(root, 'var', 'lib', 'state');
  expect(await rootsOf(target)).toBe(join(root, 'var'));
  // It was root's before.
  expect(await rootsOf(target)).toBeNull();
  expect(await rootsOf(join(root, 'beside'))).toBe(join(root, 'beside'));
});

test.runIf(isRoot)('what lies where a link leads from a restored directory’s place is not given to anybody', () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, 'others'));
  writeFileSync(join(root, 'others', 'file'), '');
  symlinkSync('others', join(root, 'built'));
  expect(() => handOver(join(root, 'built'), { uid: 61_001, gid: 61_002 })).toThrow('ENOTDIR');
  expect(statSync(join(root, 'others', 'file')).uid).toBe(0);
});

test.runIf(isRoot).each(['EPERM', 'EINVAL'])('what the system lets nobody be given stays root’s: %s', (code) => {
  const root = temporaryDirectory();
  writeFileSync(join(root, 'file'), '');
  replaceCalls({
    fchownSync: () => {
      throw Object.assign(new Error(`${code}: not to this owner`), { code });
    },
  });
  handOver(root, { uid: 61_001, gid: 61_002 });
  expect(statSync(join(root, 'file')).uid).toBe(0);
});

test.runIf(isRoot)('without /proc, nothing is given to anybody', () => {
  const root = temporaryDirectory();
  const { existsSync: exists } = fs;
  replaceCalls({ existsSync: (path) => !String(path).startsWith('/proc/') && exists(path) });
  handOver(root, { uid: 61_001, gid: 61_002 });
  expect(statSync(root).uid).toBe(0);
});

test('a backup holds the state’s own files alone, and a restore takes no other', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'));
  loadSecretKey(state.directory, 'webhook-secret.key');
  await backupState(state, join(state.directory, 'backup'), NOW);
  writeFileSync(join(state.directory, 'other.key'), 'a secret of someone else');
  const file = join(root, 'backup');
  await backupState(state, file, NOW);
  const [header = '', ...lines] = readFileSync(file, 'utf8').split('\n').slice(0, -2);
  expect(lines.filter((line) => line.startsWith('{"file"'))).toEqual([expect.stringContaining('webhook-secret.key')]);

  const others = ['data.mdb', 'former-backup'].map((name) => JSON.stringify({ file: name, text: 'x' }));
  const content = `${[header, ...others, ...lines].join('\n')}\n`;
  const end = { lines: lines.length + 3, sha256: createHash('sha256').update(content).digest('hex') };
  writeFileSync(file, `${content}${JSON.stringify(end)}\n`);
  await restoreState(file, join(root, 'restored'), NOW);
  expect(readdirSync(join(root, 'restored'))).not.toContain('former-backup');
  const restored = await openState(join(root, 'restored'));
  onTestFinished(() => restored.close());
  expect(await restored.transact((transaction) => transaction.nextId('notes'))).toBe(2);
});

test('a restore reads a backup piece by piece, however its lines lie in them', async () => {
  const root = temporaryDirectory();
  const state = await openState(join(root, 'state'));
  onTestFinished(() => state.close());
  const sizes = [0, 1, 1_000_000, 1_048_500, 1_048_577, 3_000_000, 5];
  await state.transact((transaction) => {
    for (const [at, size] of sizes.entries()) transaction.put(notes, ['é', at], 'ß\u2028'.repeat(size / 2));
  });
  await backupState(state, join(root, 'backup'), NOW);
  await restoreState(join(root, 'backup'), join(root, 'restored'), NOW);
  const restored = await openState(join(root, 'restored'));
  onTestFinished(() => restored.close());
  expect(await dump(restored)).toEqual(await dump(state));
});

test('leftovers of a killed backup are removed by the next one; files of a running backup or of other programs are not', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'), MANY);
  const begun = '{"format":"tract-context state backup 1","createdAt":"2026-02-28T12:00:00.000Z"}\n{"coll';
  writeFileSync(join(root, 'yesterday.0123abcd.partial'), begun);
  writeFileSync(join(root, 'not-begun.0123abcd.partial'), '', { mode: 0o600 });
  writeFileSync(join(root, 'another.0123abcd.partial'), '', { mode: 0o640 });
  writeFileSync(join(root, 'download.0123abcd.partial'), 'of another program');
  const running = createPartialBackup(join(root, 'running'));
  writeFileSync(running.path, begun);
  const kept = ['another.0123abcd.partial', 'download.0123abcd.partial', 'state'];
  await Promise.all([1, 2].map((at) => backupState(state, join(root, `backup-${at}`), NOW)));
  expect(readdirSync(root).sort()).toEqual(['backup-1', 'backup-2', ...kept, basename(running.path)].sort());
  running.close();
  expect(readdirSync(root).sort()).toEqual(['backup-1', 'backup-2', ...kept].sort());
  for (const at of [1, 2]) expect(openBackup(join(root, `backup-${at}`)).createdAt).toBe(NOW.toISOString());
});

test('a killed backup is recognized by its first bytes', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'));
  const dumping = vi.spyOn(state, 'dump').mockImplementationOnce(async () => {
    const [name = ''] = readdirSync(root).filter((entry) => entry.endsWith('.partial'));
    cpSync(join(root, name), join(root, 'killed.0123abcd.partial'));
    throw new Error('killed');
  });
  await expect(backupState(state, join(root, 'backup'), NOW)).rejects.toThrow('killed');
  expect(dumping).toHaveBeenCalledOnce();
  expect(existsSync(join(root, 'killed.0123abcd.partial'))).toBe(true);
  await backupState(state, join(root, 'backup'), NOW);
  expect(readdirSync(root).sort()).toEqual(['backup', 'state']);
});

test.each([
  ['locks', () => false],
  [
    'has removed',
    (root: string) => {
      for (const name of readdirSync(root)) rmSync(join(root, name));
      return true;
    },
  ],
])('the empty file of a backup that another one %s, as a leftover, is replaced', (_, take) => {
  const root = temporaryDirectory();
  const locking = vi.spyOn(libc(), 'tryLock').mockImplementationOnce(() => take(root));
  onTestFinished(() => locking.mockRestore());
  const backup = createPartialBackup(join(root, 'backup'));
  onTestFinished(() => backup.close());
  expect(readdirSync(root)).toEqual([basename(backup.path)]);
  expect(locking).toHaveBeenCalledTimes(2);
});

test('two restores within a second put two directories aside', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'));
  await backupState(state, join(root, 'backup'), NOW);
  await state.close();
  await restoreState(join(root, 'backup'), state.directory, NOW);
  const { formerDirectory } = await restoreState(join(root, 'backup'), state.directory, NOW);
  expect(formerDirectory).toBe(`${state.directory}.before-20260301T120001Z`);
  expect(existsSync(`${state.directory}.before-20260301T120000Z`)).toBe(true);
});

test('what was there before is put aside, and an empty directory is filled', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'));
  await backupState(state, join(root, 'backup'), NOW);
  await state.transact((transaction) => transaction.put(notes, ['late', 1], true));
  await state.close();
  const { formerDirectory } = await restoreState(join(root, 'backup'), state.directory, NOW);
  expect(formerDirectory).toBe(`${state.directory}.before-20260301T120000Z`);
  const former = await openState(formerDirectory ?? '');
  expect(await former.read((view) => view.get(notes, ['late', 1]))).toBe(true);
  await former.close();
  const now = await openState(state.directory);
  expect(await now.read((view) => view.get(notes, ['late', 1]))).toBeUndefined();
  await now.close();
});

test('a directory of something else, or a file, is not moved aside', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'));
  await backupState(state, join(root, 'backup'), NOW);
  await state.close();
  const other = join(root, 'datasets');
  mkdirSync(other);
  writeFileSync(join(other, 'CURRENT'), '');
  await expect(restoreState(join(root, 'backup'), other, NOW)).rejects.toMatchObject({ code: 'not-a-state' });
  await expect(restoreState(join(root, 'backup'), join(other, 'CURRENT'), NOW)).rejects.toMatchObject({
    code: 'not-writable',
  });
  expect(readdirSync(root).sort()).toEqual(['backup', 'datasets', 'state']);
  expect(readdirSync(other)).toEqual(['CURRENT']);
});

test.each(['admin-token', 'webhook-secret.key', 'in-use.lock', '.has-records'])(
  'what is left of a state is replaced by a restore: %s',
  async (file) => {
    const root = temporaryDirectory();
    const state = await openWithNotes(join(root, 'state'));
    await backupState(state, join(root, 'backup'), NOW);
    await state.close();
    const remains = join(root, 'remains');
    mkdirSync(remains);
    writeFileSync(join(remains, file), '');
    const { formerDirectory } = await restoreState(join(root, 'backup'), remains, NOW);
    expect(readdirSync(formerDirectory ?? '')).toContain(file);
  },
);

test('nothing of what a killed restore of the same number had built is in the next one', async () => {
  const root = temporaryDirectory();
  const directory = join(root, 'state');
  const empty = await openState(directory);
  await backupState(empty, join(root, 'backup'), new Date());
  await empty.close();
  for (const verb of ['building', 'restoring']) {
    const left = await openWithNotes(`${directory}.${verb}-${process.pid}`);
    await left.close();
  }
  await restoreState(join(root, 'backup'), directory, new Date());
  const restored = await openState(directory);
  onTestFinished(() => restored.close());
  expect((await dump(restored)).filter(({ collection }) => collection === 'notes')).toEqual([]);
});

test('what restores that were killed had built is removed by the next one, since it holds keys', async () => {
  const root = temporaryDirectory();
  const directory = join(root, 'state');
  const state = await openState(directory);
  await backupState(state, join(root, 'backup'), new Date());
  await state.close();
  for (const verb of ['building', 'restoring']) {
    // No process has a number like the first; this one has the second.
    const [dead, alive] = [`state.${verb}-999999999`, `state.${verb}-${process.ppid}`];
    for (const name of [dead, alive]) mkdirSync(join(root, name));
    await restoreState(join(root, 'backup'), directory, new Date());
    const names = readdirSync(root);
    expect(names).not.toContain(dead);
    expect(names).toContain(alive);
    for (const name of names.filter((name) => name.includes('.before-'))) rmSync(join(root, name), { recursive: true });
  }
});

test('a restore that fails leaves what one before it, of the same number, had built whole', async () => {
  const root = temporaryDirectory();
  const newer = await openState(join(root, 'newer'), { migrations: [() => {}, () => {}] });
  await backupState(newer, join(root, 'backup'), NOW);
  await newer.close();
  const whole = `state.restoring-${process.pid}`;
  mkdirSync(join(root, whole));
  await expect(restoreState(join(root, 'backup'), join(root, 'state'), NOW)).rejects.toThrow();
  expect(readdirSync(root).sort()).toEqual(['backup', 'newer', whole]);
});

test('a state that some process has open is not replaced', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'));
  await backupState(state, join(root, 'backup'), NOW);
  await expect(restoreState(join(root, 'backup'), state.directory, NOW)).rejects.toMatchObject({ code: 'in-use' });
  expect(await state.transact((transaction) => transaction.nextId('notes'))).toBe(2);
  expect(readdirSync(root).sort()).toEqual(['backup', 'state']);
});

test('what can be read but once, or becomes shorter or another meanwhile, restores nothing', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'), MANY);
  const file = join(root, 'backup');
  await backupState(state, file, NOW);
  const pipe = join(root, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(() => openBackup(pipe)).toThrow('it is not a regular file');
  const backup = openBackup(file);
  const whole = readFileSync(file);
  writeFileSync(file, whole.toString().split('\n').toSpliced(6, 1, '{"collection":"no').join('\n'));
  expect(() => [...backup.lines()]).toThrow('line 7 is neither a record nor a file');
  writeFileSync(file, whole);
  truncateSync(file, Math.floor(statSync(file).size / 2));
  expect(() => [...backup.lines()]).toThrow(BackupError);
  truncateSync(file, 0);
  expect(() => [...backup.lines()]).toThrow('shorter');
});

test('a backup that is cut off, altered or none at all restores nothing', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'), MANY);
  const file = join(root, 'backup');
  await backupState(state, file, NOW);
  const whole = readFileSync(file);
  const half = Math.floor(whole.length / 2);
  const flipped = Buffer.from(whole);
  flipped.writeUInt8(flipped.readUInt8(half) ^ 1, half);
  const lines = whole.toString().split('\n');
  for (const [content, message] of [
    [whole.subarray(0, half), 'is truncated or was changed'],
    [flipped, 'is truncated or was changed'],
    [lines.toSpliced(5, 1).join('\n'), 'is truncated or was changed'],
    ['', 'not a backup of a state directory'],
    ['{"format":"something else"}\n', 'not a backup of a state directory'],
  ] as const) {
    writeFileSync(file, content);
    await expect(restoreState(file, join(root, 'target'), NOW)).rejects.toThrow(message);
    expect(existsSync(join(root, 'target'))).toBe(false);
  }
  await expect(restoreState(join(root, 'missing'), join(root, 'target'), NOW)).rejects.toThrow('cannot be read');
});

test.each([
  ['nothing that is JSON', '{"collection":"notes","key":["se'],
  ['no record', '{"collection":"notes","key":"secret"}'],
  ['a record without a name', '{"collection":"Notes!","key":["secret"],"value":1}'],
  ['a key that no record can have', '{"collection":"notes","key":["secret\\u0000"],"value":1}'],
])('a line that is %s, of a backup that is whole, is told by its number alone', async (_, damaged) => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'));
  const file = join(root, 'backup');
  await backupState(state, file, NOW);
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -2).toSpliced(6, 1, damaged).toSpliced(9, 1, damaged);
  const content = `${lines.join('\n')}\n`;
  const sha256 = createHash('sha256').update(content).digest('hex');
  writeFileSync(file, `${content}${JSON.stringify({ lines: lines.length, sha256 })}\n`);
  // Before anything is built from it.
  expect(() => openBackup(file)).toThrow(BackupError);
  const error: unknown = await restoreState(file, join(root, 'target'), NOW).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BackupError);
  expect(error).toHaveProperty('message', `backup ${file}: line 7 is neither a record nor a file`);
  expect(readdirSync(root).sort()).toEqual(['backup', 'state']);
});

test('a backup of a newer program is refused with its version, an older one is migrated', async () => {
  const root = temporaryDirectory();
  const newer = await openState(join(root, 'newer'), { migrations: [() => {}, () => {}] });
  await backupState(newer, join(root, 'backup'), NOW);
  await newer.close();
  await expect(restoreState(join(root, 'backup'), join(root, 'target'), NOW)).rejects.toMatchObject({
    code: 'newer-version',
    message: expect.stringContaining('has version 3'),
  });
  expect(readdirSync(root).sort()).toEqual(['backup', 'newer']);
});

test('a backup that grows past a limit is not told as a full disk', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'));
  fillDisk(0, { code: 'EFBIG', message: 'EFBIG: file too large, write' });
  await expect(backupState(state, join(root, 'backup'), NOW)).rejects.toThrow('the file may not grow so large');
});

test('a backup never replaces a file, and leaves none behind where it fails', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'));
  writeFileSync(join(root, 'taken'), 'mine');
  await expect(backupState(state, join(root, 'taken'), NOW)).rejects.toThrow('a file with that name already exists');
  expect(readFileSync(join(root, 'taken'), 'utf8')).toBe('mine');
  await expect(backupState(state, join(root, 'no', 'where'), NOW)).rejects.toThrow('cannot be written');
  expect(readdirSync(root).sort()).toEqual(['state', 'taken']);
});

/** As on media that have no hard links. */
function refuseLinks(code: string): void {
  replaceCalls({
    linkSync: () => {
      throw Object.assign(new Error(`${code}: no links here`), { code });
    },
  });
}

test.each(['EPERM', 'ENOTSUP'])(
  'a backup needs no hard links (%s), and replaces no file there either',
  async (code) => {
    const root = temporaryDirectory();
    const state = await openWithNotes(join(root, 'state'));
    const file = join(root, 'backup');
    refuseLinks(code);
    await backupState(state, file, NOW);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(openBackup(file).createdAt).toBe(NOW.toISOString());
    writeFileSync(file, 'mine');
    await expect(backupState(state, file, NOW)).rejects.toThrow('a file with that name already exists');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(readdirSync(root).sort()).toEqual(['backup', 'state']);
  },
);

test('where there are no hard links, a backup that cannot get its name leaves no empty file in its place', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'));
  refuseLinks('EPERM');
  failDisk('renameSync', () => true);
  await expect(backupState(state, join(root, 'backup'), NOW)).rejects.toThrow('it cannot be written (EIO');
  expect(readdirSync(root)).toEqual(['state']);
});

test('a key file that cannot be read is told as that, and not as a backup that cannot be written', async () => {
  const root = temporaryDirectory();
  const state = await openWithNotes(join(root, 'state'));
  mkdirSync(join(state.directory, 'admin-token'));
  const error: unknown = await backupState(state, join(root, 'backup'), NOW).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'io-failed',
    detail: expect.stringContaining('admin-token cannot be read (EISDIR'),
  });
});

test.runIf(process.platform === 'linux')(
  'a mount point is not restored into: what to do instead is told, and nothing is built',
  async () => {
    const root = temporaryDirectory();
    await backupState(await openWithNotes(join(root, 'state')), join(root, 'backup'), NOW);
    const restored = restoreState(join(root, 'backup'), '/proc', NOW);
    await expect(restored).rejects.toMatchObject({
      code: 'mount-point',
      message: expect.stringContaining('such as /proc/state'),
    });
  },
);
