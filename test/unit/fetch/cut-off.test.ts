import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cutOffAlone, cutOffRows } from '../../../src/load/fetch/cut-off.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

function fileOf(text: string): string {
  const path = join(temporaryDirectory(), 'file');
  writeFileSync(path, text);
  return path;
}

test.each([
  ['[["NAME","B01003_001E"],\n["Sample","12"]]', undefined],
  ['[["Sample","12"]]\r\n', undefined],
  ['[["Sample","12"],\n["Oth', 'its rows do not end'],
  ['[["Sample","12"]', 'its rows do not end'],
  ['[', 'its rows do not end'],
])('rows in JSON end in a bracket: %j', async (text, why) => {
  expect(await cutOffRows(fileOf(text))).toBe(why);
});

test.each([
  ['a,b\n1,2\n', undefined],
  ['a,b\r1,2\r', undefined],
  ['a,b\n1,', 'its last line has no line break'],
])('a table ends in a line break: %j', async (text, why) => {
  expect(await cutOffAlone(fileOf(text))).toBe(why);
});
