import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { currentPath, generationPath } from '../../../../src/catalog/directory/generations.js';
import {
  earlierGenerations,
  forgetAfter,
  historyPath,
  noteServed,
  recordSuccessor,
  rollbackTarget,
} from '../../../../src/catalog/directory/history.js';
import { readNames, writeNames } from '../../../../src/catalog/directory/name-list.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';

const [A, B, C] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)];

/** A datasets directory with this history, of whose generations only some are still there. */
function datasetsWith(history: readonly string[], there: readonly string[]): string {
  const directory = temporaryDirectory();
  for (const name of there) mkdirSync(generationPath(directory, name), { recursive: true });
  writeNames(historyPath(directory), history);
  return directory;
}

test('of a generation that was published twice, those before it are each named once, and never itself', () => {
  expect(earlierGenerations(datasetsWith([A, B, A, C], [A, B, C]), C)).toEqual([A, B]);
  expect(earlierGenerations(datasetsWith([A, B, A], [A, B]), A)).toEqual([B]);
  expect(earlierGenerations(datasetsWith([A, B, A], [A]), A)).toEqual([]);
});

test('a rollback goes to the live generation if another waits, but not if its files are gone', () => {
  for (const [there, target] of [
    [[A, B, C], B],
    [[A, C], A],
  ] as const) {
    const directory = datasetsWith([A, B, C], there);
    writeFileSync(currentPath(directory), `${C}\n`);
    expect(rollbackTarget(directory, B)).toBe(target);
  }
});

test('what a publication that was cut off left behind the current generation is dropped by the next', () => {
  const directory = datasetsWith([A, B], [A, C]);
  writeFileSync(currentPath(directory), `${A}\n`);
  recordSuccessor(directory, C);
  expect(readNames(historyPath(directory))).toEqual([A, C]);
});

test('a rollback to a generation that the history does not have leaves it as it is', () => {
  const directory = datasetsWith([A, B], [A, B, C]);
  for (const left of [B, undefined]) forgetAfter(directory, C, left);
  expect(readNames(historyPath(directory))).toEqual([A, B]);
});

test('what was served is recorded once', () => {
  const directory = temporaryDirectory();
  for (const name of [A, B, A]) noteServed(directory, name);
  expect(readNames(join(directory, 'SERVED'))).toEqual([A, B]);
});

test('a list keeps its last 1,000 names, and is read without lines that name no generation', () => {
  const path = join(temporaryDirectory(), 'HISTORY');
  const names = Array.from({ length: 1001 }, (_, at) => at.toString(16).padStart(32, '0'));
  writeNames(path, names);
  expect(readNames(path)).toEqual(names.slice(1));
  writeFileSync(path, `${A}\n\n../${B}\n${C.slice(1)}\n${B}`);
  expect(readNames(path)).toEqual([A, B]);
});

test('the record of what was served is not written through a link', () => {
  const directory = temporaryDirectory();
  const other = join(directory, 'other');
  writeFileSync(other, 'precious');
  symlinkSync(other, join(directory, 'SERVED'));
  noteServed(directory, 'ab'.repeat(16));
  expect(readFileSync(other, 'utf8')).toBe('precious');
});
