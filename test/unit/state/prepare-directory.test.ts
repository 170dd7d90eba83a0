import { chmodSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isWritableByOthers } from '../../../src/state/prepare-directory.js';
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
