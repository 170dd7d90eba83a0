import { closeSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { libc } from '../../../src/platform/libc.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

function openFiles(count: number): number[] {
  const path = join(temporaryDirectory(), 'lock');
  const files = Array.from({ length: count }, () => openSync(path, 'a'));
  onTestFinished(() => files.forEach(closeSync));
  return files;
}

test('a lock is held by many shared or by one exclusively, until it is unlocked', () => {
  const [one = -1, other = -1] = openFiles(2);
  expect([libc().tryLock(one, 'shared'), libc().tryLock(other, 'shared')]).toEqual([true, true]);
  expect(libc().tryLock(one, 'exclusive')).toBe(false);
  libc().unlock(other);
  expect(libc().tryLock(one, 'exclusive')).toBe(true);
  expect(libc().tryLock(other, 'shared')).toBe(false);
});

test('a refusal for any reason but another holder is an error with the system’s code', () => {
  const refused = expect.objectContaining({ code: 'EBADF', message: 'EBADF: bad file descriptor, flock' });
  expect(() => libc().tryLock(-1, 'exclusive')).toThrow(refused);
  expect(() => libc().mapReadOnly(-1, 4096)).toThrow('EBADF: bad file descriptor, mmap');
});

test('two directories trade places in one step; without one of them nothing happens', () => {
  const root = temporaryDirectory();
  const [one, other] = [join(root, 'one'), join(root, 'ötra')];
  for (const path of [one, other]) mkdirSync(path);
  writeFileSync(join(one, 'of one'), '');
  expect(libc().exchange(one, other)).toBe(true);
  expect([readdirSync(one), readdirSync(other)]).toEqual([[], ['of one']]);
  expect(libc().exchange(join(root, 'nothing'), other)).toBe(false);
  expect(readdirSync(other)).toEqual(['of one']);
});
