import fs, {
  cpSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RunCheck } from '../../../../src/catalog/admin/check-threads.js';
import { runCheck } from '../../../../src/catalog/admin/generation-checks.js';
import { pruneGenerations } from '../../../../src/catalog/admin/prune.js';
import { CatalogError } from '../../../../src/catalog/directory/catalog-error.js';
import { holdGeneration } from '../../../../src/catalog/directory/generation-hold.js';
import { generationName } from '../../../../src/catalog/directory/generation-name.js';
import {
  currentPath,
  generationPath,
  listGenerations,
  readCurrent,
} from '../../../../src/catalog/directory/generations.js';
import { historyPath, recordSuccessor } from '../../../../src/catalog/directory/history.js';
import { readNames, writeNames } from '../../../../src/catalog/directory/name-list.js';
import { beginPublication } from '../../../../src/catalog/directory/publish.js';
import { publishLock } from '../../../../src/catalog/directory/publish-lock.js';
import { isWithdrawn } from '../../../../src/catalog/directory/withdrawn.js';
import { showReload, showRollback } from '../../../../src/cli/commands/datasets.js';
import { deferred } from '../../../../src/core/deferred.js';
import { writeContainer } from '../../../../src/format/container-writer.js';
import { findDamage, readSections } from '../../../../src/format/dataset.js';
import { OUTLINES_FILE, OUTLINES_KIND } from '../../../../src/format/outlines-file.js';
import { PROVIDERS_FILE } from '../../../../src/format/providers-file.js';
import { TRACTS_FILE } from '../../../../src/format/tracts-file.js';
import { eventually } from '../../../support/eventually.js';
import { failDisk, noteFlushes } from '../../../support/failing-disk.js';
import { replaceCalls } from '../../../support/replaced-calls.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { publishTinyDataset, writeTinyFiles } from '../../../support/tiny-dataset.js';
import { administer } from '../opened-datasets.js';

/** Directories with so many generations, published one after the other. To be copied: it takes a while to make one. */
const templates = new Map<number, { readonly directory: string; readonly names: readonly string[] }>();

function template(count: number) {
  let made = templates.get(count);
  if (!made) {
    const directory = mkdtempSync(join(tmpdir(), 'generations-'));
    const names = Array.from({ length: count }, (_, more) => publishTinyDataset(directory, more));
    made = { directory, names };
    templates.set(count, made);
  }
  return made;
}

afterAll(() => {
  for (const { directory } of templates.values()) rmSync(directory, { recursive: true });
});

/** A service on the first generation of so many; the last one is published. */
function served(count: number, pinned: readonly number[] = [], check?: RunCheck) {
  const { directory, names } = template(count);
  const datasetsDir = temporaryDirectory();
  cpSync(directory, datasetsDir, { recursive: true });
  const publish = (at: number): void => writeFileSync(currentPath(datasetsDir), `${names.at(at)}\n`);
  publish(0);
  const parts = administer(
    datasetsDir,
    pinned.map((at) => names[at] ?? ''),
    check,
  );
  publish(-1);
  return { ...parts, datasetsDir, names };
}

/** A service that was reloaded to each of so many generations, one after the other. */
async function servedEach(count: number, pinned: readonly number[] = []) {
  const parts = served(count, pinned);
  const { admin, datasetsDir, names } = parts;
  for (const name of names) {
    writeFileSync(currentPath(datasetsDir), `${name}\n`);
    await admin.reload();
  }
  return parts;
}

/** Flips a bit in the last byte of a generation's tracts. */
function spoil(datasetsDir: string, generation: string | undefined): void {
  const path = join(generationPath(datasetsDir, generation ?? ''), TRACTS_FILE);
  const bytes = readFileSync(path);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

/** Until the test is finished, the disk does not give a generation's tracts. */
function loseTracts(datasetsDir: string, generation: string | undefined): void {
  const { ino } = statSync(join(generationPath(datasetsDir, generation ?? ''), TRACTS_FILE));
  failDisk('readSync', (file) => typeof file === 'number' && fstatSync(file).ino === ino);
}

/** Until the test is finished, or the returned function called, the file system refuses to write to files of this name. */
function refuseToWrite(name: string, code: string): () => void {
  const { openSync, writeFileSync: write } = fs;
  const refuse = (path: unknown): void => {
    if (!String(path).endsWith(`/${name}`)) return;
    throw Object.assign(new Error(`${code}: refused, open '${path}'`), { code, syscall: 'open' });
  };
  return replaceCalls({
    openSync: (...args) => {
      refuse(args[0]);
      return openSync(...args);
    },
    writeFileSync: (...args) => {
      refuse(args[0]);
      write(...args);
    },
  });
}

describe('a directory that cannot be written to', () => {
  const causes = [
    ['EACCES', 'no permission to write there'],
    ['EROFS', 'the file system is read-only'],
    ['ENOSPC', 'the disk is full'],
  ] as const;

  test.each(causes)('is named with the reason in errors of rollback and prune: %s', async (code, reason) => {
    const { admin, catalog, datasetsDir, names } = await servedEach(2);
    refuseToWrite('.lock', code);
    const refusal = { code: 'not-writable', message: expect.stringContaining(`${datasetsDir}: ${reason} (${code}`) };
    await expect(admin.rollback()).rejects.toMatchObject(refusal);
    await expect(admin.prune({ keep: 0 })).rejects.toMatchObject(refusal);
    expect([catalog.generation(), readCurrent(datasetsDir)]).toEqual([names[1], names[1]]);
    expect(listGenerations(datasetsDir)).toHaveLength(2);
  });

  test('is named if only CURRENT cannot be replaced, and the live generation stays', async () => {
    const { admin, catalog, datasetsDir, names } = await servedEach(2);
    refuseToWrite('CURRENT.new', 'ENOSPC');
    await expect(admin.rollback()).rejects.toMatchObject({
      code: 'not-writable',
      message: expect.stringContaining(`${datasetsDir}: the disk is full`),
    });
    expect([catalog.generation(), readCurrent(datasetsDir)]).toEqual([names[1], names[1]]);
    // Else the next rollback would not know where to go.
    expect(readNames(historyPath(datasetsDir))).toEqual(names);
  });
});

describe('reload', () => {
  test('takes the published generation live and counts the tracts that differ, by section', async () => {
    const { admin, catalog, reloaded, names } = served(2);
    const [from, to] = names;
    const bySection = { demographics: 1, svi_themes: 0, places_measures: 0, epa_data: 0, sdoh_index: 0 };
    const changes = { changedTracts: 1, addedTracts: 0, removedTracts: 0, bySection };
    expect(await admin.reload()).toMatchObject({ changed: true, dryRun: false, from, to, changes });
    expect(catalog.generation()).toBe(to);
    expect(reloaded.mock.calls).toEqual([[{ from, to, changes }]]);
  });

  test('is announced although the processes end right after they took the generation live', async () => {
    const { admin, catalog, reloaded, names } = served(2);
    const [from, to] = names;
    // What the service reports as live before the reload, and from then on.
    vi.spyOn(catalog, 'generation').mockReturnValueOnce(from).mockReturnValueOnce(from).mockReturnValue(undefined);
    expect(await admin.reload()).toMatchObject({ changed: true, from, to });
    expect(reloaded).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ from, to }));
  });

  test('of the live generation succeeds, changes nothing, and notifies nobody', async () => {
    const { admin, reloaded, events, names } = served(1);
    const result = await admin.reload();
    expect(result).toMatchObject({ changed: false, renewed: false, from: names[0], to: names[0], changes: null });
    expect(showReload(result)[0]).toContain(`${names[0]} is already live and its files are intact; nothing changed (`);
    expect([reloaded.mock.calls, events.opened.mock.calls.length]).toEqual([[], 1]);
  });

  test('of the live generation counts the verification in how long it took', async () => {
    let nowMs = 1000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    onTestFinished(() => clock.mockRestore());
    const { admin } = served(1, [], (asked) => {
      nowMs += 700;
      return Promise.resolve(runCheck(asked));
    });
    expect(await admin.reload()).toMatchObject({ changed: false, durationMs: 700 });
  });

  test('of the live generation opens rebuilt files and reports `renewed`, which a dry run does not', async () => {
    const { admin, datasetsDir, names, events } = served(1);
    const directory = generationPath(datasetsDir, names[0] ?? '');
    cpSync(directory, `${directory}.copy`, { recursive: true });
    rmSync(directory, { recursive: true });
    renameSync(`${directory}.copy`, directory);
    const tried = await admin.reload({ dryRun: true });
    expect(showReload(tried)[0]).toContain(`${names[0]} is already live and its files are intact (`);
    const result = await admin.reload();
    expect(result).toMatchObject({ changed: false, renewed: true, to: names[0] });
    expect(showReload(result)[0]).toContain('stays live; its files were reopened (');
    expect(events.opened).toHaveBeenCalledTimes(2);
  });

  test('of the live generation is refused if its files were damaged, and it stays live', async () => {
    const { admin, catalog, datasetsDir, names } = served(1);
    spoil(datasetsDir, names[0]);
    await expect(admin.reload()).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(
        new RegExp(
          `^the files of ${names[0]} were not reopened; it stays live as it was opened before: tracts\\.tctx, `,
        ),
      ),
      damage: { file: TRACTS_FILE },
    });
    expect(catalog.generation()).toBe(names[0]);
  });

  test('as a dry run reports what it would change, and refuses what it would refuse', async () => {
    const { admin, catalog, reloaded, datasetsDir, names } = served(2);
    expect(await admin.reload({ dryRun: true })).toMatchObject({ changed: true, dryRun: true, to: names[1] });
    spoil(datasetsDir, names[1]);
    await expect(admin.reload({ dryRun: true })).rejects.toMatchObject({ code: 'damaged' });
    expect([catalog.generation(), reloaded.mock.calls]).toEqual([names[0], []]);
  });

  test('refuses intact files that do not fit together, also as a dry run', async () => {
    const { admin, catalog, reloaded, datasetsDir, names } = served(2);
    const directory = generationPath(datasetsDir, names[1] ?? '');
    rmSync(join(directory, OUTLINES_FILE));
    writeContainer(join(directory, OUTLINES_FILE), OUTLINES_KIND, []);
    const name = generationName(readSections(directory));
    renameSync(directory, generationPath(datasetsDir, name));
    writeFileSync(currentPath(datasetsDir), `${name}\n`);
    for (const dryRun of [true, false]) {
      await expect(admin.reload({ dryRun })).rejects.toMatchObject({
        code: 'damaged',
        message: expect.stringMatching(
          /was not made live; .* stays live: outlines\.tctx, section .*: the file has no such/,
        ),
      });
    }
    expect([catalog.generation(), reloaded.mock.calls]).toEqual([names[0], []]);
  });

  test.each([
    ['has lost a file that not every generation has', (own: string) => rmSync(join(own, PROVIDERS_FILE))],
    [
      'has a file of another generation',
      (own: string, other: string) => cpSync(join(other, TRACTS_FILE), join(own, TRACTS_FILE)),
    ],
  ])('refuses a generation that %s', async (_, harm) => {
    const { admin, catalog, datasetsDir, names } = served(2);
    const [other = '', own = ''] = names.map((name) => generationPath(datasetsDir, name));
    harm(own, other);
    const detail =
      'its files are not those that it was published with: one is missing, or belongs to another generation';
    const refusal = {
      code: 'damaged',
      message: `${names[1]} was not made live; ${names[0]} stays live: ${names[1]}: ${detail}`,
    };
    await expect(admin.reload({ dryRun: true })).rejects.toMatchObject(refusal);
    await expect(admin.reload()).rejects.toMatchObject(refusal);
    expect(await admin.verify()).toMatchObject({ intact: false, damage: [{ code: 'wrong-files', file: names[1] }] });
    expect(catalog.generation()).toBe(names[0]);
  });

  test('refuses a generation with a flipped bit, names it, file and section, and what stays live', async () => {
    const { admin, catalog, datasetsDir, names } = served(2);
    spoil(datasetsDir, names[1]);
    await expect(admin.reload()).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(
        new RegExp(`^${names[1]} was not made live; ${names[0]} stays live: tracts\\.tctx, section [a-z/-]+: `),
      ),
      damage: { code: 'checksum-mismatch', file: TRACTS_FILE },
    });
    expect(catalog.generation()).toBe(names[0]);
  });

  test('says that nothing is published, or that what is published is not there', async () => {
    const { admin, datasetsDir } = served(1);
    writeFileSync(currentPath(datasetsDir), 'ab'.repeat(16));
    await expect(admin.reload()).rejects.toMatchObject({
      code: 'unknown-generation',
      message: `CURRENT names generation ${'ab'.repeat(16)}, which does not exist here`,
    });
    writeFileSync(currentPath(datasetsDir), 'x');
    await expect(admin.reload()).rejects.toMatchObject({
      message: expect.stringContaining(`${datasetsDir}: CURRENT names no generation`),
    });
    rmSync(currentPath(datasetsDir));
    await expect(admin.reload()).rejects.toMatchObject({
      code: 'nothing-published',
      message: `${datasetsDir}: no dataset is published`,
    });
  });

  test('names the directory if its generations cannot be listed', async () => {
    const { admin, datasetsDir } = served(1);
    const generations = join(datasetsDir, 'generations');
    rmSync(generations, { recursive: true });
    symlinkSync('generations', generations);
    const message = `${datasetsDir}: generations cannot be read: it is a circular symbolic link`;
    for (const asked of [admin.current(), admin.list(), admin.reload()]) {
      await expect(asked).rejects.toMatchObject({ code: 'unreadable', message });
    }
  });

  test('distinguishes files that the system refuses to open from damaged ones', async () => {
    const { admin, datasetsDir, names } = served(2);
    const file = join(generationPath(datasetsDir, names[1] ?? ''), TRACTS_FILE);
    rmSync(file);
    await expect(admin.reload()).rejects.toMatchObject({ code: 'damaged', damage: { code: 'file-missing' } });
    symlinkSync(TRACTS_FILE, file);
    await expect(admin.reload()).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining(`${names[1]} was not made live; ${names[0]} stays live: ${TRACTS_FILE}: ELOOP`),
    });
  });

  test('works even if the live generation’s files were removed by hand', async () => {
    const { admin, catalog, datasetsDir, names } = served(2);
    rmSync(generationPath(datasetsDir, names[0] ?? ''), { recursive: true });
    expect(await admin.reload()).toMatchObject({ changed: true, to: names[1], changes: null });
    expect(catalog.generation()).toBe(names[1]);
  });

  test('works even if the disk no longer gives the live generation’s files', async () => {
    const { admin, catalog, datasetsDir, names } = served(2);
    loseTracts(datasetsDir, names[0]);
    expect(await admin.reload()).toMatchObject({ changed: true, to: names[1], changes: null });
    expect(catalog.generation()).toBe(names[1]);
  });

  test('verifies a generation that there is nothing to compare with, too', async () => {
    const { admin, catalog, datasetsDir, names } = served(2);
    rmSync(generationPath(datasetsDir, names[0] ?? ''), { recursive: true });
    spoil(datasetsDir, names[1]);
    await expect(admin.reload()).rejects.toMatchObject({ code: 'damaged' });
    expect(catalog.generation()).toBe(names[0]);
  });

  test('requested twice at once happens once', async () => {
    const { admin, reloaded } = served(2);
    const both = await Promise.all([admin.reload(), admin.reload()]);
    expect(both.map(({ changed }) => changed)).toEqual([true, false]);
    expect(reloaded).toHaveBeenCalledOnce();
  });
});

describe('rollback', () => {
  test('goes back step by step, durably, until nothing earlier is left', async () => {
    const { admin, catalog, datasetsDir, names } = await servedEach(3);
    expect(await admin.rollback()).toMatchObject({ changed: true, from: names[2], to: names[1], withdrawn: null });
    expect([catalog.generation(), readCurrent(datasetsDir)]).toEqual([names[1], names[1]]);
    await admin.rollback();
    expect([catalog.generation(), readCurrent(datasetsDir)]).toEqual([names[0], names[0]]);
    await expect(admin.rollback()).rejects.toMatchObject({ code: 'no-previous' });
  });

  test('never goes to a generation that was published but never live', async () => {
    const { admin, catalog, names } = served(3);
    await admin.reload();
    expect(await admin.current()).toMatchObject({ live: { generation: names[2] }, previous: names[0] });
    await admin.rollback();
    expect(catalog.generation()).toBe(names[0]);
  });

  test('notes the generation that it went back from, live or not, and no other', async () => {
    const { admin, datasetsDir, names } = await servedEach(2);
    await admin.rollback();
    expect(names.map((name) => isWithdrawn(datasetsDir, name))).toEqual([false, true]);
    const waiting = served(2);
    await waiting.admin.rollback();
    expect(waiting.names.map((name) => isWithdrawn(waiting.datasetsDir, name))).toEqual([false, true]);
  });

  test('that cannot note what it withdraws changes nothing: the next one would withdraw what it had gone to', async () => {
    const { admin, catalog, datasetsDir, names } = await servedEach(2);
    const allow = refuseToWrite('WITHDRAWN.new', 'ENOSPC');
    await expect(admin.rollback()).rejects.toMatchObject({ code: 'not-writable' });
    expect([catalog.generation(), readCurrent(datasetsDir)]).toEqual([names[1], names[1]]);
    allow();
    expect(await admin.rollback()).toMatchObject({ changed: true, to: names[0], withdrawn: null });
  });

  test('that CURRENT tells of is live, too, although HISTORY could not be written: the next one would undo it', async () => {
    const { admin, catalog, datasetsDir, names } = await servedEach(3);
    const allow = refuseToWrite('HISTORY.new', 'ENOSPC');
    expect(await admin.rollback()).toMatchObject({ changed: true, to: names[1] });
    expect([catalog.generation(), readCurrent(datasetsDir)]).toEqual([names[1], names[1]]);
    allow();
    expect(await admin.rollback()).toMatchObject({ changed: true, to: names[0] });
  });

  test('to a generation that was once withdrawn makes it one that an update may publish', async () => {
    const { admin, datasetsDir, names } = await servedEach(2);
    const [first = '', second = ''] = names;
    for (const name of [first, second, first]) {
      recordSuccessor(datasetsDir, name);
      writeFileSync(currentPath(datasetsDir), `${name}\n`);
      await admin.reload();
    }
    for (const to of [second, first]) expect(await admin.rollback()).toMatchObject({ to });
    expect(names.map((name) => isWithdrawn(datasetsDir, name))).toEqual([false, true]);
  });

  test('forgets the generation that it left: the next publication follows the one it went to', async () => {
    const { admin, datasetsDir, names } = await servedEach(3);
    await admin.rollback();
    const next = publishTinyDataset(datasetsDir, 9);
    await admin.reload();
    expect(await admin.current()).toMatchObject({
      live: { generation: next },
      published: next,
      previous: names[1],
    });
  });

  test('does not return to what it left, although a HISTORY that was copied from elsewhere names it', async () => {
    const { admin, datasetsDir, names } = await servedEach(2);
    await admin.rollback();
    const next = publishTinyDataset(datasetsDir, 9);
    writeNames(historyPath(datasetsDir), [...names, next]);
    await admin.reload();
    expect(await admin.current()).toMatchObject({ previous: names[0] });
    expect(await admin.rollback()).toMatchObject({ changed: true, to: names[0] });
  });

  test('returns to what it left once that has been live again', async () => {
    const { admin, datasetsDir, names } = await servedEach(2);
    await admin.rollback();
    for (const people of [1, 9]) {
      publishTinyDataset(datasetsDir, people);
      await admin.reload();
    }
    expect(await admin.rollback()).toMatchObject({ changed: true, to: names[1] });
  });

  test('returns to a generation that could be noted as live only when the next one took its place', async () => {
    const { admin, datasetsDir, names } = await servedEach(1);
    const allow = refuseToWrite('SERVED', 'EROFS');
    const unnoted = publishTinyDataset(datasetsDir, 8);
    await admin.reload();
    allow();
    publishTinyDataset(datasetsDir, 9);
    await admin.reload();
    expect(await admin.rollback()).toMatchObject({ changed: true, to: unnoted });
    expect(await admin.rollback()).toMatchObject({ changed: true, to: names[0] });
  });

  test('undoes the republication of an earlier generation, and nothing else', async () => {
    const { admin, datasetsDir, names } = await servedEach(3);
    publishTinyDataset(datasetsDir, 1);
    expect(await admin.rollback()).toMatchObject({ changed: false, to: names[2], withdrawn: names[1] });
    expect(await admin.prune({ keep: 2 })).toMatchObject({ removed: [] });
    expect(await admin.rollback()).toMatchObject({ changed: true, to: names[1] });
    expect(await admin.rollback()).toMatchObject({ changed: true, to: names[0] });
    await expect(admin.rollback()).rejects.toMatchObject({ code: 'no-previous' });
  });

  test('does not go forward again after a republication was cut off', async () => {
    const { admin, datasetsDir, names } = await servedEach(2);
    // Killed before CURRENT named it.
    recordSuccessor(datasetsDir, names[0] ?? '');
    expect(await admin.rollback()).toMatchObject({ to: names[0] });
    await expect(admin.rollback()).rejects.toMatchObject({ code: 'no-previous' });
  });

  test('goes back through a generation that was live twice, each time to the one before it', async () => {
    const { admin, datasetsDir, names } = await servedEach(2);
    publishTinyDataset(datasetsDir, 0);
    await admin.reload();
    expect(await admin.rollback()).toMatchObject({ to: names[1] });
    expect(await admin.rollback()).toMatchObject({ to: names[0] });
    await expect(admin.rollback()).rejects.toMatchObject({ code: 'no-previous' });
  });

  test('withdraws a generation that is published and not live; the next rollback goes back from the live one', async () => {
    const { admin, catalog, datasetsDir, names, reloaded } = await servedEach(2);
    const waiting = [8, 9].map((people) => publishTinyDataset(datasetsDir, people)).at(-1);
    expect(await admin.current()).toMatchObject({ published: waiting, previous: names[0] });
    expect((await admin.list()).filter(({ live, previous }) => live || previous)).toMatchObject([
      { generation: names[1], live: true, previous: false },
      { generation: names[0], live: false, previous: true },
    ]);
    reloaded.mockClear();
    expect(await admin.rollback()).toMatchObject({
      changed: false,
      from: names[1],
      to: names[1],
      withdrawn: waiting,
    });
    expect([catalog.generation(), readCurrent(datasetsDir)]).toEqual([names[1], names[1]]);
    expect(reloaded).not.toHaveBeenCalled();
    expect(await admin.rollback()).toMatchObject({ changed: true, to: names[0], withdrawn: null });
  });

  test.each([undefined, '', 'garbage'])(
    'goes back from a publication that replaced a broken CURRENT: %j',
    async (content) => {
      const { admin, datasetsDir, names } = await servedEach(2);
      if (content === undefined) rmSync(currentPath(datasetsDir));
      else writeFileSync(currentPath(datasetsDir), content);
      publishTinyDataset(datasetsDir, 9);
      await admin.reload();
      expect(await admin.rollback()).toMatchObject({ to: names[1] });
      expect(await admin.rollback()).toMatchObject({ to: names[0] });
    },
  );

  test.each([undefined, '', 'garbage'])('reports that it mended a broken CURRENT: %j', async (content) => {
    const { admin, datasetsDir, names } = await servedEach(2);
    if (content === undefined) rmSync(currentPath(datasetsDir));
    else writeFileSync(currentPath(datasetsDir), content);
    expect(await admin.current()).toMatchObject({ published: null, previous: names[0] });
    const mended = await admin.rollback();
    expect(mended).toMatchObject({ changed: false, to: names[1], withdrawn: null, mended: true });
    expect(readCurrent(datasetsDir)).toBe(names[1]);
    expect(showRollback(mended)).toEqual([
      `CURRENT named no generation. ${names[1]} stays live and is published again.`,
      'Another rollback returns to the generation that was live before, if there is one.',
    ]);
    expect(await admin.rollback()).toMatchObject({ changed: true, to: names[0], mended: false });
  });

  test('withdraws a publication that cannot be opened, so that a restart does not find it', async () => {
    const { admin, datasetsDir, names } = served(2);
    spoil(datasetsDir, names[1]);
    await expect(admin.reload()).rejects.toMatchObject({ code: 'damaged' });
    expect(await admin.rollback()).toMatchObject({ to: names[0], withdrawn: names[1] });
    expect(readCurrent(datasetsDir)).toBe(names[0]);
  });

  test('to a damaged generation is refused, and CURRENT stays', async () => {
    const { admin, catalog, datasetsDir, names } = await servedEach(3);
    spoil(datasetsDir, names[1]);
    await expect(admin.rollback()).rejects.toMatchObject({ code: 'damaged' });
    expect([catalog.generation(), readCurrent(datasetsDir)]).toEqual([names[2], names[2]]);
  });

  test('skips a generation that is gone', async () => {
    const { admin, datasetsDir, names } = await servedEach(3);
    rmSync(generationPath(datasetsDir, names[1] ?? ''), { recursive: true });
    expect(await admin.rollback()).toMatchObject({ to: names[0] });
  });

  test.each(['HISTORY', 'SERVED'])('names a record of earlier generations that cannot be read: %s', async (name) => {
    const { admin, datasetsDir } = await servedEach(2);
    const path = join(datasetsDir, name);
    rmSync(path);
    mkdirSync(path);
    const message = `${datasetsDir}: ${name} cannot be read: it is a directory`;
    for (const asked of [admin.rollback(), admin.list()]) {
      await expect(asked).rejects.toMatchObject({ code: 'unreadable', message });
    }
  });

  test('and all that works on generations name a missing datasets directory, and do not create it', async () => {
    const { admin, datasetsDir } = served(1);
    rmSync(datasetsDir, { recursive: true });
    const refusal = { code: 'nothing-published', message: `${datasetsDir}: no such directory` };
    for (const work of [admin.rollback, admin.prune, admin.list, admin.reload, admin.verify]) {
      await expect(work()).rejects.toMatchObject(refusal);
    }
    expect(existsSync(datasetsDir)).toBe(false);
  });

  test('and prune wait a moment for another process’s change, and then name that process', async () => {
    const { admin, datasetsDir } = served(2);
    const lock = publishLock.take(datasetsDir, { holder: 'compile', waitMs: 0 });
    const busy = {
      code: 'busy',
      message: `${datasetsDir}: compile (pid ${process.pid}) is changing the published dataset here; try again when it has finished`,
    };
    await expect(admin.rollback()).rejects.toMatchObject(busy);
    await expect(admin.prune()).rejects.toMatchObject(busy);
    const waiting = admin.prune();
    setImmediate(() => lock.release());
    await expect(waiting).resolves.toBeDefined();
  });

  test('is named to processes that have to wait for it', async () => {
    const [begun, mayEnd] = [deferred<void>(), deferred<void>()];
    let isRollingBack = false;
    const { admin, datasetsDir } = served(2, [], async (asked) => {
      if (isRollingBack) begun.resolve();
      if (isRollingBack) await mayEnd.promise;
      return runCheck(asked);
    });
    await admin.reload();
    isRollingBack = true;
    const rolling = admin.rollback();
    await begun.promise;
    expect(() => publishLock.take(datasetsDir, { holder: 'compile', waitMs: 0 })).toThrow(
      `${datasetsDir}: datasets rollback of the service (pid ${process.pid}) is changing the published dataset here; try again when it has finished`,
    );
    mayEnd.resolve();
    await rolling;
  });

  test('and prune work while a compile runs, and do not affect what it publishes', async () => {
    const { admin, datasetsDir, names } = await servedEach(3);
    const compiling = beginPublication(datasetsDir);
    const files = writeTinyFiles(compiling.directory, 7);
    expect(await admin.rollback()).toMatchObject({ changed: true, to: names[1] });
    expect((await admin.prune({ keep: 0 })).removed).toContain(names[0]);
    expect(findDamage(compiling.directory)).toEqual([]);
    const { generation } = compiling.commit(files);
    compiling.close();
    expect(findDamage(generationPath(datasetsDir, generation))).toEqual([]);
    expect(await admin.current()).toMatchObject({ live: { generation: names[1] }, published: generation });
    expect(await admin.rollback()).toMatchObject({ to: names[1], withdrawn: generation });
  });
});

describe('a live generation whose tracts can no longer be read', () => {
  const losses: readonly (readonly [string, (path: string) => void])[] = [
    ['since the header is damaged', (path) => writeFileSync(path, readFileSync(path).fill(0xff, 100, 104))],
    ['since the file is gone', (path) => rmSync(path)],
  ];

  test.each(losses)('is replaced by an intact one, without counts: %s', async (_, lose) => {
    const { admin, catalog, datasetsDir, names } = served(2);
    lose(join(generationPath(datasetsDir, names[0] ?? ''), TRACTS_FILE));
    expect(await admin.reload({ dryRun: true })).toMatchObject({ changed: true, to: names[1], changes: null });
    expect(await admin.reload()).toMatchObject({ changed: true, to: names[1], changes: null });
    expect(catalog.generation()).toBe(names[1]);
  });

  test.each(losses)('is rolled back to an intact one: %s', async (_, lose) => {
    const { admin, catalog, datasetsDir, names } = served(2);
    await admin.reload();
    lose(join(generationPath(datasetsDir, names[1] ?? ''), TRACTS_FILE));
    expect(await admin.rollback()).toMatchObject({ changed: true, to: names[0], changes: null });
    expect(catalog.generation()).toBe(names[0]);
  });
});

describe('prune', () => {
  test('keeps the current generation, the one before it, pinned ones, and those open in any process', async () => {
    const { admin, events, datasetsDir, names } = await servedEach(6, [1]);
    await eventually(() => expect(events.closed).toHaveBeenCalledTimes(5));
    const reader = holdGeneration(generationPath(datasetsDir, names[2] ?? ''));
    const { removed, kept, freedBytes } = await admin.prune();
    expect(removed.toSorted()).toEqual([names[0], names[3]].toSorted());
    expect(new Map(kept.map(({ generation, reason }) => [generation, reason]))).toEqual(
      new Map([
        [names[1], 'pinned'],
        [names[2], 'in-use'],
        [names[4], 'earlier'],
        [names[5], 'current'],
      ]),
    );
    expect(freedBytes).toBeGreaterThan(1e6);
    reader?.release();
    expect((await admin.prune({ keep: 0 })).removed.toSorted()).toEqual([names[2], names[4]].toSorted());
    expect(listGenerations(datasetsDir).toSorted()).toEqual([names[1], names[5]].toSorted());
  });

  test('takes a generation’s name from it, and has that on the disk, before it removes a file', async () => {
    const { admin, datasetsDir, names, events } = await servedEach(2);
    await eventually(() => expect(events.closed).toHaveBeenCalledOnce());
    const path = generationPath(datasetsDir, names[0] ?? '');
    const noted = noteFlushes(datasetsDir);
    // As if it were killed when it begins to remove.
    const removing = vi.spyOn(fs.promises, 'rm').mockRejectedValueOnce(new Error('EIO'));
    syncBuiltinESMExports();
    onTestFinished(() => {
      removing.mockRestore();
      syncBuiltinESMExports();
    });
    await expect(admin.prune({ keep: 0 })).rejects.toThrow('EIO');
    expect(noted).toEqual([`renamed ${join('generations', names[0] ?? '')}`, 'flushed generations']);
    expect(existsSync(path)).toBe(false);
    await admin.prune({ keep: 0 });
    expect(readdirSync(dirname(path))).toEqual([names[1]]);
  });

  test('lets requests be answered while it removes files', async () => {
    const { admin, datasetsDir, names, events } = await servedEach(2);
    await eventually(() => expect(events.closed).toHaveBeenCalledOnce());
    let isOver = false;
    const pruning = admin.prune({ keep: 0 }).finally(() => {
      isOver = true;
    });
    const seen = new Set<string>();
    while (!isOver) {
      for (const name of readdirSync(join(datasetsDir, 'generations'))) seen.add(name);
      await nextTurn();
    }
    await pruning;
    expect(seen).toContain(`.condemned-${names[0]}`);
  });

  test('keeps the live generation and as many before it as requested, even if another is published', async () => {
    const { admin, datasetsDir, names } = await servedEach(3);
    const [neverLive, waiting] = [8, 9].map((people) => publishTinyDataset(datasetsDir, people));
    expect((await admin.prune({ keep: 1 })).removed.toSorted()).toEqual([names[0], neverLive].toSorted());
    expect((await admin.current()).previous).toBe(names[1]);
    expect((await admin.prune({ keep: 0 })).kept).toContainEqual({ generation: names[2], reason: 'in-use' });
    expect(listGenerations(datasetsDir).toSorted()).toEqual([names[2], waiting].toSorted());
  });

  test('removes nothing if CURRENT does not name the generation that is needed', async () => {
    const { admin, datasetsDir } = served(3);
    const advice = 'nothing was deleted; run `datasets rollback` to make CURRENT name the live generation again';
    for (const [content, code] of [
      [undefined, 'nothing-published'],
      ['', 'nothing-published'],
      ['\u0000garbage', 'nothing-published'],
      ['ab'.repeat(16), 'unknown-generation'],
    ] as const) {
      if (content === undefined) rmSync(currentPath(datasetsDir));
      else writeFileSync(currentPath(datasetsDir), content);
      const refusal = { code, message: expect.stringContaining(advice) };
      await expect(admin.prune({ keep: 0 })).rejects.toMatchObject(refusal);
    }
    expect(listGenerations(datasetsDir)).toHaveLength(3);
  });

  test('advises no rollback where there is nothing that it could go back to', async () => {
    const { datasetsDir, names } = served(2);
    const pruning = (live: string | undefined) =>
      pruneGenerations(datasetsDir, { keep: 0, live, pinned: new Set() }).catch(({ message }: Error) => message);
    writeFileSync(currentPath(datasetsDir), 'ab'.repeat(16));
    writeFileSync(historyPath(datasetsDir), `${names[0]}\n${'ab'.repeat(16)}\n`);
    expect(await pruning(undefined)).toMatch(
      /run `datasets rollback` to make CURRENT name the one that was live before$/,
    );
    rmSync(currentPath(datasetsDir));
    expect(await pruning(undefined)).toMatch(
      /nothing was deleted; put CURRENT back, or publish a dataset with `compile`$/,
    );
  });

  test('keeps a generation that cannot be opened, and removes the others', async () => {
    const { admin, datasetsDir, names } = served(2);
    // What cannot be opened whoever the test runs as; its name is among the others’.
    const unreadable = '80'.repeat(16);
    const others = ['00'.repeat(16), 'ff'.repeat(16)];
    symlinkSync(unreadable, generationPath(datasetsDir, unreadable));
    for (const name of others) mkdirSync(generationPath(datasetsDir, name));
    const { removed, kept } = await admin.prune();
    expect(removed).toEqual(others);
    expect(kept).toContainEqual({ generation: unreadable, reason: 'unreadable' });
    expect(listGenerations(datasetsDir).toSorted()).toEqual([...names, unreadable].toSorted());
  });

  test('keeps a generation whose files it may not remove, and removes the others', async () => {
    const { admin, datasetsDir, names } = served(2);
    const foreign = '80'.repeat(16);
    const others = ['00'.repeat(16), 'ff'.repeat(16)];
    for (const name of [foreign, ...others]) mkdirSync(generationPath(datasetsDir, name));
    const { accessSync } = fs;
    replaceCalls({
      accessSync: (path, mode) => {
        if (path === generationPath(datasetsDir, foreign)) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
        accessSync(path, mode);
      },
    });
    const { removed, kept } = await admin.prune();
    expect(removed).toEqual(others);
    expect(kept).toContainEqual({ generation: foreign, reason: 'not-removable' });
    expect(listGenerations(datasetsDir).toSorted()).toEqual([...names, foreign].toSorted());
    // The first attempt does not go on holding it.
    expect((await admin.prune()).kept).toContainEqual({ generation: foreign, reason: 'not-removable' });
  });

  test('clears the leftovers of a killed compile even if nothing was ever published', async () => {
    const datasetsDir = temporaryDirectory();
    const abandoned = join(datasetsDir, 'generations', '.unfinished-1');
    mkdirSync(abandoned, { recursive: true });
    const { admin } = administer(datasetsDir);
    expect(await admin.prune()).toEqual({ removed: [], kept: [], freedBytes: 0 });
    expect(existsSync(abandoned)).toBe(false);
  });

  test('and rollback remove the leftovers of killed processes, but not by the thread that answers requests', async () => {
    const { admin, datasetsDir } = served(2);
    const generationsDir = join(datasetsDir, 'generations');
    const leave = (name: string): void => void mkdirSync(join(generationsDir, name));
    const { rmSync: remove } = fs;
    replaceCalls({
      rmSync: (path, options) => {
        if (dirname(String(path)) === generationsDir) throw new Error(`${path} is removed while requests wait`);
        remove(path, options);
      },
    });
    leave('.condemned-1');
    leave('.unfinished-1');
    await admin.prune();
    expect(readdirSync(generationsDir)).toEqual(listGenerations(datasetsDir));
    leave('.condemned-1');
    leave('ab'.repeat(16));
    writeFileSync(join(datasetsDir, '.publishing'), 'ab'.repeat(16));
    await admin.rollback();
    expect(readdirSync(generationsDir)).toHaveLength(2);
  });

  test('clears the leftovers of a killed compile, and never the files of a running one', async () => {
    const { admin, datasetsDir } = served(1);
    const compiling = beginPublication(datasetsDir);
    const abandoned = join(datasetsDir, 'generations', '.unfinished-1');
    mkdirSync(abandoned);
    await admin.prune();
    expect([existsSync(abandoned), existsSync(compiling.directory)]).toEqual([true, true]);
    compiling.close();
    await admin.prune();
    expect(existsSync(abandoned)).toBe(false);
  });

  test('leaves nothing in the directory but generations', async () => {
    const { admin, datasetsDir } = served(4);
    await admin.prune({ keep: 0 });
    expect(readdirSync(join(datasetsDir, 'generations'))).toEqual(listGenerations(datasetsDir));
  });
});

test('verify checks the named generation, or else the current one, and lists all damage', async () => {
  const { admin, datasetsDir, names } = served(2);
  expect(await admin.verify()).toMatchObject({ generation: names[1], intact: true, damage: [] });
  spoil(datasetsDir, names[0]);
  const { intact, damage } = await admin.verify(names[0]);
  expect(intact).toBe(false);
  expect(damage).toMatchObject([{ code: 'checksum-mismatch', file: TRACTS_FILE }]);
  for (const name of ['ab'.repeat(16), '../..', '']) {
    await expect(admin.verify(name)).rejects.toMatchObject({ code: 'unknown-generation' });
  }
});

test('a generation that is removed while it is verified is unknown, and not damaged', async () => {
  const { admin, names } = served(2, [], async (check) => {
    rmSync(check.directory, { recursive: true });
    return runCheck(check);
  });
  await expect(admin.verify(names[0])).rejects.toMatchObject({ code: 'unknown-generation' });
});

test('a generation that cannot be read is listed beside the others, and verify says why', async () => {
  const { admin, datasetsDir, names } = served(3);
  const [, broken = ''] = names;
  rmSync(generationPath(datasetsDir, broken), { recursive: true });
  writeFileSync(generationPath(datasetsDir, broken), '');
  const listed = await admin.list();
  expect(listed.map(({ sizeBytes }) => sizeBytes === null)).toEqual([false, false, true]);
  expect(listed.at(-1)).toMatchObject({ generation: broken, sources: [] });
  const { intact, damage } = await admin.verify(broken);
  expect(intact).toBe(false);
  expect(damage[0]).toMatchObject({ code: 'cannot-open' });
});

test('a file that the disk does not give is named by verify, and does not keep the others from being listed', async () => {
  const { admin, datasetsDir, names } = served(2);
  loseTracts(datasetsDir, names[1]);
  expect(await admin.verify()).toMatchObject({
    intact: false,
    damage: [{ code: 'cannot-open', file: TRACTS_FILE, message: `${TRACTS_FILE}: EIO: i/o error, readSync` }],
  });
  expect((await admin.list()).map(({ generation }) => generation)).toEqual(names);
});

test('the list describes each generation, the live one first', async () => {
  const { admin, datasetsDir, names } = await servedEach(3, [0]);
  // Named so that they would be in another order by their names.
  const neverLive = ['00', 'ff'].map((pair) => pair.repeat(16));
  for (const name of neverLive) mkdirSync(generationPath(datasetsDir, name));
  expect(await admin.list()).toMatchObject([
    { generation: names[2], live: true, current: true, previous: false, pinned: false },
    { generation: names[1], live: false, current: false, previous: true, pinned: false },
    { generation: names[0], live: false, current: false, previous: false, pinned: true },
    ...neverLive.map((generation) => ({ generation, live: false, current: false, previous: false, pinned: false })),
  ]);
  const [{ sizeBytes, createdAt } = { sizeBytes: 0, createdAt: '' }] = await admin.list();
  expect(sizeBytes).toBeGreaterThan(1e6);
  expect(new Date(createdAt).toISOString()).toBe(createdAt);
});

test('the list tells the live generation from a published one that waits', async () => {
  const { admin, names } = served(2);
  expect(await admin.list()).toMatchObject([
    { generation: names[0], live: true, current: false },
    { generation: names[1], live: false, current: true },
  ]);
});

describe('when the service stops', () => {
  test('a reload that is verifying is given up, and queued and later operations are refused', async () => {
    const begun = deferred<void>();
    const { admin, catalog, names } = served(2, [], (_, signal) => {
      begun.resolve();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const outcomes = Promise.allSettled([admin.reload(), admin.prune()]);
    await begun.promise;
    await admin.stop();
    const refused = { status: 'rejected', reason: expect.objectContaining({ name: 'CatalogError', code: 'stopped' }) };
    expect(await outcomes).toEqual([refused, refused]);
    expect(catalog.generation()).toBe(names[0]);
    for (const later of [admin.reload(), admin.rollback(), admin.verify()])
      await expect(later).rejects.toMatchObject({ code: 'stopped' });
  });

  test('an operation that waits for the publish lock is given up', async () => {
    const { admin, datasetsDir, names } = served(2);
    await admin.reload();
    const lock = publishLock.take(datasetsDir, { holder: 'compile', waitMs: 0 });
    onTestFinished(() => lock.release());
    const refused = expect(admin.rollback()).rejects.toMatchObject({ code: 'stopped' });
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([admin.stop(), refused]);
    expect(readCurrent(datasetsDir)).toBe(names[1]);
  });

  test('a generation that becomes ready meanwhile is discarded, CURRENT stays, and stop waits for that', async () => {
    const { admin, catalog, datasetsDir, warm, reloaded, events, names } = served(2);
    await admin.reload();
    const warming = deferred<void>();
    warm.mockReturnValueOnce(warming.promise);
    const refused = expect(admin.rollback()).rejects.toMatchObject({ code: 'stopped' });
    await eventually(() => expect(warm).toHaveBeenCalledTimes(2));
    const stopped = vi.fn();
    const stopping = admin.stop().then(stopped);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(stopped).not.toHaveBeenCalled();
    warming.resolve();
    await Promise.all([stopping, refused]);
    expect([catalog.generation(), readCurrent(datasetsDir)]).toEqual([names[1], names[1]]);
    expect(events.closed).toHaveBeenLastCalledWith(names[0]);
    expect(reloaded).toHaveBeenCalledOnce();
  });

  test('a process that ends before it has prepared the generation is reported as the stop', async () => {
    const { admin } = served(2);
    const gone = deferred<never>();
    const refused = expect(admin.inTurn(() => gone.promise)).rejects.toMatchObject({ code: 'stopped' });
    await Promise.resolve();
    const stopped = admin.stop();
    gone.reject(new CatalogError('not-everywhere', 'the other process is gone'));
    await Promise.all([refused, stopped]);
  });

  test('the caller of the last operation can record its outcome before stop resolves', async () => {
    const { admin } = served(2);
    const steps: string[] = [];
    const reload = admin.inTurn(() => new Promise((resolve) => setTimeout(resolve, 5)));
    const written = reload.then(async () => {
      for (let step = 0; step < 50; step++) await undefined;
      steps.push('written');
    });
    await Promise.resolve();
    await admin.stop();
    steps.push('stopped');
    await written;
    expect(steps).toEqual(['written', 'stopped']);
  });
});

test('a generation that another process removes during the listing is left out', async () => {
  const { admin, datasetsDir, names } = served(2);
  // What a listing finds, and is gone when it is looked at.
  symlinkSync(join(datasetsDir, 'gone'), generationPath(datasetsDir, 'ab'.repeat(16)));
  expect((await admin.list()).map(({ generation }) => generation)).toEqual(names);
});
