import { closeSync, openSync } from 'node:fs';
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

test('a lock is for all that share it, or for one alone, until it is given back', () => {
  const [one = -1, other = -1] = openFiles(2);
  expect([libc().tryLock(one, 'shared'), libc().tryLock(other, 'shared')]).toEqual([true, true]);
  expect(libc().tryLock(one, 'exclusive')).toBe(false);
  libc().unlock(other);
  expect(libc().tryLock(one, 'exclusive')).toBe(true);
  expect(libc().tryLock(other, 'shared')).toBe(false);
});

test('what the system refuses for another reason than a holder is an error that says why', () => {
  const refused = expect.objectContaining({ code: 'EBADF', message: 'EBADF: bad file descriptor, flock' });
  expect(() => libc().tryLock(-1, 'exclusive')).toThrow(refused);
  expect(() => libc().mapReadOnly(-1, 4096)).toThrow('EBADF: bad file descriptor, mmap');
});
