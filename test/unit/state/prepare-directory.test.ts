import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWritableByOthers, prepareDirectory } from '../../../src/state/prepare-directory.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test.each([
  ['777', true],
  ['1777', true],
  ['720', true],
  ['702', true],
  ['755', false],
  ['700', false],
])('others can write into a directory of mode %s: %s', (mode, writable) => {
  const directory = temporaryDirectory();
  chmodSync(directory, mode);
  expect(isWritableByOthers(directory)).toBe(writable);
});

test('what a process has left that was killed while it tried a write is removed by the next', () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, '.probe-4711'), '');
  prepareDirectory(directory);
  expect(readdirSync(directory)).toEqual([]);
});
