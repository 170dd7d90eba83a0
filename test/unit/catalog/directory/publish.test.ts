import fs, {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { compileLock } from '../../../../src/catalog/directory/compile-lock.js';
import { holdAlone } from '../../../../src/catalog/directory/generation-hold.js';
import { findGenerationDamage, generationName } from '../../../../src/catalog/directory/generation-name.js';
import {
  currentPath,
  generationPath,
  listGenerations,
  readCurrent,
  setCurrent,
} from '../../../../src/catalog/directory/generations.js';
import { historyPath, servedPath } from '../../../../src/catalog/directory/history.js';
import { beginPublication, WithdrawnGenerationError } from '../../../../src/catalog/directory/publish.js';
import { publishLock } from '../../../../src/catalog/directory/publish-lock.js';
import { isWithdrawn, noteRollback, withdrawnPath } from '../../../../src/catalog/directory/withdrawn.js';
import { withLoaderErrors } from '../../../../src/cli/loader-errors.js';
import { findDamage } from '../../../../src/format/dataset.js';
import { temporaryPath } from '../../../../src/platform/durable-files.js';
import { libc } from '../../../../src/platform/libc.js';
import { failDisk, isOpenFile, noteFlushes } from '../../../support/failing-disk.js';
import { replaceCalls } from '../../../support/replaced-calls.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { publishTinyDataset, writeTinyFiles } from '../../../support/tiny-dataset.js';

const NOW = { holder: 'datasets prune', waitMs: 0 };
const NEVER_LIVE = 'b'.repeat(32);

/** As a publication leaves it that is killed after the generation has its name, and before it is the live one. */
function killBeforeLive(datasetsDir: string, generation: string): void {
  const live = generationPath(datasetsDir, readCurrent(datasetsDir) ?? '');
  const leftover = beginPublication(datasetsDir);
  writeFileSync(join(leftover.directory, 'tracts.tctx'), readFileSync(join(live, 'tracts.tctx')));
  writeFileSync(join(datasetsDir, '.publishing'), `${generation}\n`);
  renameSync(leftover.directory, generationPath(datasetsDir, generation));
  leftover.close();
}

it('the publish lock is released if the leftovers of a killed process cannot be cleared', () => {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  const inTheWay = temporaryPath(currentPath(datasetsDir));
  mkdirSync(inTheWay);
  expect(() => publishLock.take(datasetsDir, NOW)).toThrow(inTheWay);
  expect(() => beginPublication(datasetsDir)).toThrow(inTheWay);
  rmdirSync(inTheWay);
  publishLock.take(datasetsDir, NOW).release();
  beginPublication(datasetsDir).close();
});

it('a generation that was rolled back from is not published again, unless that is asked for', () => {
  const datasetsDir = temporaryDirectory();
  const first = publishTinyDataset(datasetsDir);
  const publishOther = (evenIfWithdrawn: boolean) => {
    const publication = beginPublication(datasetsDir, { evenIfWithdrawn });
    try {
      return publication.commit(writeTinyFiles(publication.directory, 1));
    } finally {
      publication.close();
    }
  };
  const { generation } = publishOther(false);
  // As a rollback does.
  noteRollback(datasetsDir, generation, first);
  setCurrent(datasetsDir, first);
  expect(() => publishOther(false)).toThrow(new WithdrawnGenerationError(generation));
  expect([readCurrent(datasetsDir), ...listGenerations(datasetsDir)]).toEqual([first, ...[first, generation].sort()]);
  expect(publishOther(true)).toMatchObject({ generation, changed: true, replaced: first, wasWithdrawn: true });
  setCurrent(datasetsDir, first);
  expect(publishOther(false)).toMatchObject({ generation, changed: true, wasWithdrawn: false });
});

it('what is published already is no longer withdrawn, whatever a rollback that was cut off has recorded', () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  noteRollback(datasetsDir, generation, NEVER_LIVE);
  const publication = beginPublication(datasetsDir, { evenIfWithdrawn: false });
  expect(publication.commit(writeTinyFiles(publication.directory))).toEqual({
    generation,
    changed: false,
    restored: false,
    replaced: undefined,
    wasWithdrawn: false,
  });
  publication.close();
});

it('a generation is named after all that its files consist of', () => {
  const [first, ...others] = writeTinyFiles(temporaryDirectory());
  const [section, ...more] = first?.sections ?? [];
  if (!first || !section) throw new Error('there are files, and sections in them');
  const named = (other: Partial<typeof section>, name = first.name): string =>
    generationName([{ name, sections: [{ ...section, ...other }, ...more] }, ...others]);
  const names = [
    named({}),
    named({}, 'other.tctx'),
    named({ name: 'other' }),
    named({ element: section.element + 1 }),
    named({ sizeBytes: section.sizeBytes + 1 }),
    named({ xxh3: section.xxh3 + 1n }),
    generationName([{ ...first, sections: more }, ...others]),
    generationName(others),
  ];
  expect(new Set(names).size).toBe(names.length);
});

it('a generation that another process is about to remove is published with the files that were written for it', () => {
  const datasetsDir = temporaryDirectory();
  const generation = publishTinyDataset(datasetsDir);
  publishTinyDataset(datasetsDir, 1);
  const path = generationPath(datasetsDir, generation);
  const publication = beginPublication(datasetsDir);
  const files = writeTinyFiles(publication.directory);
  const { ino } = statSync(publication.directory);
  // As prune does.
  const removal = holdAlone(path);
  expect(publication.commit(files)).toMatchObject({ generation, changed: true });
  removal?.release();
  publication.close();
  expect(statSync(path).ino).toBe(ino);
});

it('each step of a publication is on the disk before the next: after a power failure CURRENT names a whole generation', () => {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  const publication = beginPublication(datasetsDir);
  const files = writeTinyFiles(publication.directory, 1);
  const noted = noteFlushes(datasetsDir);
  const { generation } = publication.commit(files);
  publication.close();
  const unfinished = relative(datasetsDir, publication.directory);
  const steps = noted.filter((step, at) => step !== noted[at - 1]);
  expect(steps).toEqual([
    `flushed ${unfinished}`,
    'flushed .publishing',
    'flushed .',
    `renamed ${unfinished}`,
    'flushed generations',
    ...['HISTORY', 'CURRENT'].flatMap((name) => [`flushed ${name}.new`, `renamed ${name}.new`, 'flushed .']),
  ]);
  expect(readCurrent(datasetsDir)).toBe(generation);
});

it('what a killed compile of another user left, whose process had the same id, is in nobody’s way', () => {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  const left = join(datasetsDir, 'generations', `.unfinished-${process.pid}`);
  mkdirSync(left);
  refuseToRemove(left);
  const generation = publishTinyDataset(datasetsDir, 1);
  expect(readCurrent(datasetsDir)).toBe(generation);
  expect(existsSync(left)).toBe(true);
});

/** Until `undo` is called, the system lets nobody remove files below this path, as if they were another user's. */
function refuseToRemove(below: string): { undo(): void } {
  const { rmSync: remove } = fs;
  const undo = replaceCalls({
    rmSync: (path, options) => {
      if (String(path).startsWith(below)) {
        throw Object.assign(new Error(`EACCES: permission denied, unlink '${path}'`), {
          code: 'EACCES',
          syscall: 'unlink',
        });
      }
      remove(path, options);
    },
  });
  return { undo };
}

/** As on a system, or a file system, that cannot exchange two paths. */
function withoutExchange(): void {
  const spy = vi.spyOn(libc(), 'exchange').mockReturnValue(false);
  onTestFinished(() => spy.mockRestore());
}

describe('leftovers that cannot be removed', () => {
  it('keep nobody from publishing, and are removed once they can be', () => {
    const datasetsDir = temporaryDirectory();
    publishTinyDataset(datasetsDir);
    const generationsDir = dirname(generationPath(datasetsDir, NEVER_LIVE));
    const leftovers = ['.condemned-', '.unfinished-'].map((prefix) => join(generationsDir, `${prefix}${NEVER_LIVE}`));
    for (const path of leftovers) mkdirSync(path);
    const { undo } = refuseToRemove(join(generationsDir, '.'));
    const publication = beginPublication(datasetsDir);
    const { generation } = publication.commit(writeTinyFiles(publication.directory, 5));
    expect(readCurrent(datasetsDir)).toBe(generation);
    undo();
    publication.close();
    expect(leftovers.map((path) => existsSync(path))).toEqual([true, true]);
    beginPublication(datasetsDir).close();
    expect(leftovers.map((path) => existsSync(path))).toEqual([false, false]);
  });

  it('keep nobody from publishing, either, if it is a generation that was never live, which then stays as such', () => {
    const datasetsDir = temporaryDirectory();
    publishTinyDataset(datasetsDir);
    killBeforeLive(datasetsDir, NEVER_LIVE);
    refuseToRemove(generationPath(datasetsDir, NEVER_LIVE));
    const generation = publishTinyDataset(datasetsDir, 5);
    expect(readCurrent(datasetsDir)).toBe(generation);
    expect(listGenerations(datasetsDir)).toContain(NEVER_LIVE);
    expect(existsSync(join(datasetsDir, '.publishing'))).toBe(false);
  });
});

describe('the next publication', () => {
  it('clears a generation that was named but never live, and its marker', () => {
    const datasetsDir = temporaryDirectory();
    publishTinyDataset(datasetsDir);
    killBeforeLive(datasetsDir, NEVER_LIVE);
    expect(listGenerations(datasetsDir)).toHaveLength(2);
    beginPublication(datasetsDir).close();
    expect(listGenerations(datasetsDir)).toEqual([readCurrent(datasetsDir)]);
    expect(existsSync(join(datasetsDir, '.publishing'))).toBe(false);
  });

  it('keeps the live generation where the marker outlived the swap', () => {
    const datasetsDir = temporaryDirectory();
    publishTinyDataset(datasetsDir);
    const current = readCurrent(datasetsDir) ?? '';
    writeFileSync(join(datasetsDir, '.publishing'), `${current}\n`);
    beginPublication(datasetsDir).close();
    expect(listGenerations(datasetsDir)).toEqual([current]);
  });

  it('puts the live generation back where the repair of its files was cut off', () => {
    const datasetsDir = temporaryDirectory();
    publishTinyDataset(datasetsDir);
    const current = readCurrent(datasetsDir) ?? '';
    const path = generationPath(datasetsDir, current);
    writeFileSync(join(path, 'tracts.tctx'), 'damaged');
    const repair = beginPublication(datasetsDir);
    const files = writeTinyFiles(repair.directory);
    withoutExchange();
    const { renameSync: rename } = fs;
    const undo = replaceCalls({
      renameSync: (from, to) => {
        if (from === repair.directory) throw new Error('killed');
        rename(from, to);
      },
    });
    expect(() => repair.commit(files)).toThrow('killed');
    expect(existsSync(path)).toBe(false);
    undo();
    repair.close();
    const again = beginPublication(datasetsDir);
    expect(listGenerations(datasetsDir)).toEqual([current]);
    expect(again.commit(writeTinyFiles(again.directory))).toMatchObject({ generation: current, restored: true });
    again.close();
    expect(findDamage(path)).toEqual([]);
    expect(readdirSync(dirname(path))).toEqual([current]);
  });

  it('finds the live generation’s new files in their place wherever their repair was cut off', () => {
    const datasetsDir = temporaryDirectory();
    const current = publishTinyDataset(datasetsDir);
    const path = generationPath(datasetsDir, current);
    writeFileSync(join(path, 'tracts.tctx'), 'damaged');
    const repair = beginPublication(datasetsDir);
    const files = writeTinyFiles(repair.directory);
    const { renameSync: rename, fsyncSync: sync } = fs;
    const undo = replaceCalls({
      renameSync: (from, to) => {
        if ([String(from), String(to)].includes(path)) throw new Error('the generation is missing meanwhile');
        rename(from, to);
      },
      fsyncSync: (file) => {
        if (findGenerationDamage(path).length === 0) throw new Error('killed');
        sync(file);
      },
    });
    expect(() => repair.commit(files)).toThrow('killed');
    undo();
    expect(findGenerationDamage(path)).toEqual([]);
    repair.close();
    expect(readdirSync(dirname(path))).toEqual([current]);
  });

  it('replaces damaged files of the live generation where the system exchanges nothing', () => {
    const datasetsDir = temporaryDirectory();
    const current = publishTinyDataset(datasetsDir);
    const path = generationPath(datasetsDir, current);
    writeFileSync(join(path, 'tracts.tctx'), 'damaged');
    withoutExchange();
    const repair = beginPublication(datasetsDir);
    expect(repair.commit(writeTinyFiles(repair.directory))).toMatchObject({ generation: current, restored: true });
    repair.close();
    expect(findGenerationDamage(path)).toEqual([]);
    expect(readdirSync(dirname(path))).toEqual([current]);
  });

  it('takes away the damaged files of the live generation where their repair was cut off once they were replaced', () => {
    const datasetsDir = temporaryDirectory();
    const current = publishTinyDataset(datasetsDir);
    const path = generationPath(datasetsDir, current);
    cpSync(path, join(dirname(path), `.condemned-${current}`), { recursive: true });
    writeFileSync(join(dirname(path), `.condemned-${current}`, 'tracts.tctx'), 'damaged');
    beginPublication(datasetsDir).close();
    expect(findGenerationDamage(path)).toEqual([]);
    expect(readdirSync(dirname(path))).toEqual([current]);
  });

  it('replaces the live generation’s files where an intact one of another generation is among them', () => {
    const datasetsDir = temporaryDirectory();
    const other = publishTinyDataset(datasetsDir, 5);
    const current = publishTinyDataset(datasetsDir);
    const path = generationPath(datasetsDir, current);
    cpSync(join(generationPath(datasetsDir, other), 'tracts.tctx'), join(path, 'tracts.tctx'));
    expect(findGenerationDamage(path)).toMatchObject([{ code: 'wrong-files' }]);
    const repair = beginPublication(datasetsDir);
    expect(repair.commit(writeTinyFiles(repair.directory))).toMatchObject({ generation: current, restored: true });
    repair.close();
    expect(findGenerationDamage(path)).toEqual([]);
  });

  it('clears what was to replace the lists of generations, and CURRENT', () => {
    const datasetsDir = temporaryDirectory();
    publishTinyDataset(datasetsDir);
    const paths = [currentPath, historyPath, servedPath, withdrawnPath];
    const leftovers = paths.map((pathIn) => temporaryPath(pathIn(datasetsDir)));
    for (const path of leftovers) writeFileSync(path, 'half a li');
    beginPublication(datasetsDir).close();
    expect(leftovers.map((path) => existsSync(path))).toEqual([false, false, false, false]);
  });

  it('removes nothing for a marker that names no generation', () => {
    const datasetsDir = temporaryDirectory();
    publishTinyDataset(datasetsDir);
    writeFileSync(join(datasetsDir, '.publishing'), '../..\n');
    beginPublication(datasetsDir).close();
    expect(listGenerations(datasetsDir)).toHaveLength(1);
    expect(readdirSync(datasetsDir)).toContain('CURRENT');
  });
});

it.each([
  { file: 'CURRENT', pathIn: currentPath },
  { file: 'HISTORY', pathIn: historyPath },
])(
  'a generation that $file could not be made to name is not told as published, and takes up no space',
  ({ pathIn }) => {
    const datasetsDir = temporaryDirectory();
    const current = publishTinyDataset(datasetsDir);
    const publication = beginPublication(datasetsDir);
    const files = writeTinyFiles(publication.directory, 1);
    failDisk('writeFileSync', (path) => path === temporaryPath(pathIn(datasetsDir)));
    expect(() => publication.commit(files)).toThrow(/^EIO: i\/o error, writeFileSync$/);
    publication.close();
    expect(readCurrent(datasetsDir)).toBe(current);
    expect(readdirSync(join(datasetsDir, 'generations'))).toEqual([current]);
    expect(readdirSync(datasetsDir)).not.toContain('.publishing');
  },
);

it('files that the disk does not give back once they are written are not called damaged', async () => {
  const datasetsDir = temporaryDirectory();
  const publication = beginPublication(datasetsDir);
  const files = writeTinyFiles(publication.directory);
  failDisk('readSync', isOpenFile);
  const failed = withLoaderErrors(datasetsDir, async () => publication.commit(files));
  const message = `the compiled files cannot be read: ${publication.directory}/tracts.tctx: EIO: i/o error, readSync`;
  await expect(failed).rejects.toMatchObject({ name: 'CliError', message: `${message}\nNothing was published.` });
  publication.close();
});

describe('once CURRENT names the generation', () => {
  /** Lets this happen just after `CURRENT` was replaced, and from then on `fail` in place of one of the system's calls. */
  function failAfterSwap(datasetsDir: string, name: 'fsyncSync' | 'rmSync', code: string): void {
    const { renameSync: rename } = fs;
    const fail = (): never => {
      throw Object.assign(new Error(`${code}: refused`), { code, syscall: name });
    };
    replaceCalls({
      renameSync: (from, to) => {
        rename(from, to);
        if (to === currentPath(datasetsDir)) replaceCalls({ [name]: fail });
      },
    });
  }

  it('a disk that does not confirm it is an error that does not say that nothing was published', async () => {
    const datasetsDir = temporaryDirectory();
    const publication = beginPublication(datasetsDir);
    const files = writeTinyFiles(publication.directory, 5);
    noteRollback(datasetsDir, generationName(files), NEVER_LIVE);
    failAfterSwap(datasetsDir, 'fsyncSync', 'EIO');
    const failed = withLoaderErrors(datasetsDir, async () => publication.commit(files));
    const generation = generationName(files);
    // It is no longer withdrawn by then.
    expect(isWithdrawn(datasetsDir, generation)).toBe(false);
    const message = `${datasetsDir}: published ${generation}, but the disk did not confirm it: EIO: refused`;
    await expect(failed).rejects.toMatchObject({ name: 'CliError', message });
    expect(readCurrent(datasetsDir)).toBe(generation);
    publication.close();
    expect(existsSync(generationPath(datasetsDir, generation))).toBe(true);
  });

  it('nothing that has to be removed makes it fail', () => {
    const datasetsDir = temporaryDirectory();
    const publication = beginPublication(datasetsDir);
    const files = writeTinyFiles(publication.directory, 5);
    failAfterSwap(datasetsDir, 'rmSync', 'EIO');
    const { generation } = publication.commit(files);
    publication.close();
    expect(readCurrent(datasetsDir)).toBe(generation);
    // The compile lock is free again.
    compileLock.take(datasetsDir, NOW).release();
  });
});

it('a directory that the system does not make is an error at once', () => {
  expect(() => beginPublication('/proc/tract-context')).toThrow(/ENOENT|EPERM|EACCES/);
});

it('closing a publication again leaves the files and the lock of the next one alone', () => {
  const datasetsDir = temporaryDirectory();
  const first = beginPublication(datasetsDir);
  first.close();
  const second = beginPublication(datasetsDir);
  const files = writeTinyFiles(second.directory);
  first.close();
  expect(() => beginPublication(datasetsDir)).toThrow('is already compiling a dataset here');
  expect(second.commit(files)).toMatchObject({ changed: true });
  second.close();
});

describe('two locks', () => {
  it('refuse a second publication with the name of the first, and what to do', () => {
    const datasetsDir = temporaryDirectory();
    const first = beginPublication(datasetsDir, { holder: 'update' });
    expect(() => beginPublication(datasetsDir)).toThrow(
      `${datasetsDir}: update (pid ${process.pid}) is already compiling a dataset here; try again when it has finished`,
    );
    first.close();
    beginPublication(datasetsDir).close();
  });

  it('make a commit wait for another change; if that takes too long, the error names it and nothing is published', () => {
    const datasetsDir = temporaryDirectory();
    const before = publishTinyDataset(datasetsDir);
    const publication = beginPublication(datasetsDir, { waitMs: 100 });
    const files = writeTinyFiles(publication.directory, 5);
    const lock = publishLock.take(datasetsDir, NOW);
    expect(() => publication.commit(files)).toThrow(
      `${datasetsDir}: datasets prune (pid ${process.pid}) is changing the published dataset here; try again when it has finished`,
    );
    expect([readCurrent(datasetsDir), listGenerations(datasetsDir)]).toEqual([before, [before]]);
    lock.release();
    expect(publication.commit(files)).toMatchObject({ changed: true, replaced: before });
    publication.close();
  });

  it('call the holder `another process` if the lock file does not name it', () => {
    const datasetsDir = temporaryDirectory();
    const first = beginPublication(datasetsDir);
    writeFileSync(join(datasetsDir, '.compile-lock'), '\u001b[2J');
    expect(() => compileLock.take(datasetsDir, { holder: 'compile', waitMs: 50 })).toThrow(
      `${datasetsDir}: another process is already compiling a dataset here`,
    );
    first.close();
  });
});
