import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noteServed } from '../../../src/catalog/history.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test('the record of what was served is not written through a link', () => {
  const directory = temporaryDirectory();
  const other = join(directory, 'other');
  writeFileSync(other, 'precious');
  symlinkSync(other, join(directory, 'SERVED'));
  noteServed(directory, 'ab'.repeat(16));
  expect(readFileSync(other, 'utf8')).toBe('precious');
});
