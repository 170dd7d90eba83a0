import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tryFileLock } from '../../../src/platform/file-lock.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test('a lock file that is a link is refused, and what it leads to is left as it is', () => {
  const directory = temporaryDirectory();
  const [path, other] = [join(directory, '.lock'), join(directory, 'other')];
  writeFileSync(other, 'precious');
  symlinkSync(other, path);
  expect(() => tryFileLock(path, 'compile')?.release()).toThrow(/ELOOP/);
  expect(readFileSync(other, 'utf8')).toBe('precious');
});
