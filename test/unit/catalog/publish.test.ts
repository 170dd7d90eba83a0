import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileLock } from '../../../src/catalog/compile-lock.js';
import { currentPath, generationPath, listGenerations, readCurrent } from '../../../src/catalog/generations.js';
import { beginPublication } from '../../../src/catalog/publish.js';
import { publishLock } from '../../../src/catalog/publish-lock.js';
import { temporaryPath } from '../../../src/platform/durable-files.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset, writeTinyFiles } from '../../support/tiny-dataset.js';

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

it('is free again where what a killed one left cannot be cleared', () => {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  const inTheWay = temporaryPath(currentPath(datasetsDir));
  mkdirSync(inTheWay);
  expect(() => publishLock.take(datasetsDir, NOW)).toThrow(inTheWay);
  rmdirSync(inTheWay);
  publishLock.take(datasetsDir, NOW).release();
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

  it('removes nothing for a marker that names no generation', () => {
    const datasetsDir = temporaryDirectory();
    publishTinyDataset(datasetsDir);
    writeFileSync(join(datasetsDir, '.publishing'), '../..\n');
    beginPublication(datasetsDir).close();
    expect(listGenerations(datasetsDir)).toHaveLength(1);
    expect(readdirSync(datasetsDir)).toContain('CURRENT');
  });
});

it('says at once where the system makes no directory', () => {
  expect(() => beginPublication('/proc/tract-context')).toThrow(/ENOENT|EPERM|EACCES/);
});

describe('two locks', () => {
  it('of two concurrent publications the second reports who holds the lock, and what to do', () => {
    const datasetsDir = temporaryDirectory();
    const first = beginPublication(datasetsDir, { holder: 'update' });
    expect(() => beginPublication(datasetsDir)).toThrow(
      `${datasetsDir}: update (pid ${process.pid}) is already compiling a dataset here; try again when it has finished`,
    );
    first.close();
    beginPublication(datasetsDir).close();
  });

  it('a commit waits for what changes the published one; where that takes too long it says who, and nothing is published', () => {
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

  it('a lock whose file does not name its holder is reported as another process’s', () => {
    const datasetsDir = temporaryDirectory();
    const first = beginPublication(datasetsDir);
    writeFileSync(join(datasetsDir, '.compile-lock'), '\u001b[2J');
    expect(() => compileLock.take(datasetsDir, { holder: 'compile', waitMs: 50 })).toThrow(
      `${datasetsDir}: another process is already compiling a dataset here`,
    );
    first.close();
  });
});
