import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openTwoGenerations } from '../../../bench/lib/two-generations.js';
import { readCurrent, setCurrent } from '../../../src/catalog/directory/generations.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

it('switching between two generations does not change their own directory', () => {
  const given = temporaryDirectory();
  const [first, second] = [publishTinyDataset(given), publishTinyDataset(given, 1)];
  setCurrent(given, first);
  const opened = openTwoGenerations({ datasetsDir: given, tempDir: temporaryDirectory() });
  if ('skipped' in opened) expect.fail(opened.skipped);
  onTestFinished(() => opened.release());
  expect([opened.current, opened.other]).toEqual([first, second]);
  expect(opened.datasets.map(({ generation }) => generation)).toEqual([first, second]);
  expect(readCurrent(opened.datasetsDir)).toBe(first);
  opened.publish(second);
  expect(readCurrent(opened.datasetsDir)).toBe(second);
  expect(readCurrent(given)).toBe(first);
});

it('with one generation only, the suite is skipped with advice how to make another', () => {
  const given = temporaryDirectory();
  publishTinyDataset(given);
  const opened = openTwoGenerations({ datasetsDir: given, tempDir: temporaryDirectory() });
  expect(opened).toMatchObject({ skipped: expect.stringContaining('make another one there') });
});

it('without a dataset, the suite is skipped for that reason, as the others are', () => {
  const [empty, tempDir] = [temporaryDirectory(), temporaryDirectory()];
  for (const datasetsDir of [empty, join(empty, 'none')]) {
    expect(openTwoGenerations({ datasetsDir, tempDir })).toEqual({
      skipped: `no dataset with outlines in ${datasetsDir}: compile one there, or give another directory with --dataset`,
    });
  }
});
