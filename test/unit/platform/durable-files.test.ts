import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceFile, temporaryPath } from '../../../src/platform/durable-files.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test('a file is replaced, and what an interrupted replacement left behind is overwritten', () => {
  const path = join(temporaryDirectory(), 'file');
  writeFileSync(path, 'old');
  writeFileSync(temporaryPath(path), 'half of a longer te');
  replaceFile(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
});

test('a link in the place of the new file is not followed', () => {
  const directory = temporaryDirectory();
  const [path, other] = [join(directory, 'file'), join(directory, 'other')];
  writeFileSync(other, 'of someone else');
  symlinkSync(other, temporaryPath(path));
  replaceFile(path, 'new');
  expect(readFileSync(other, 'utf8')).toBe('of someone else');
  expect([lstatSync(path).isFile(), readFileSync(path, 'utf8')]).toEqual([true, 'new']);
});
