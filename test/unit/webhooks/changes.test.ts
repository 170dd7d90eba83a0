import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { holdAlone } from '../../../src/catalog/directory/generation-hold.js';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { FormatError } from '../../../src/format/format-error.js';
import { TRACTS_FILE } from '../../../src/format/tracts-file.js';
import { openChanges } from '../../../src/webhooks/events/changes.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset } from '../../support/tiny-dataset.js';

/** From now on there is no memory for the rows of a comparison; views of memory that is there can be had. */
function refuseRows(): void {
  class NoRows extends Int32Array {
    constructor(rows: number) {
      super(0);
      if (typeof rows === 'number') throw new RangeError('Array buffer allocation failed');
    }
  }
  vi.stubGlobal('Int32Array', NoRows);
  onTestFinished(() => void vi.unstubAllGlobals());
}

test('where generations cannot be compared, none of them stays open', () => {
  const datasetsDir = temporaryDirectory();
  const [from, to] = [0, 1].map((more) => publishTinyDataset(datasetsDir, more));
  refuseRows();
  expect(() => openChanges(datasetsDir, from ?? '', to ?? '')).toThrow('Array buffer allocation failed');
  vi.unstubAllGlobals();
  for (const generation of [from, to]) {
    const hold = holdAlone(generationPath(datasetsDir, generation ?? ''));
    expect(hold).toBeDefined();
    hold?.release();
  }
});

test.runIf(process.platform === 'linux')('a generation that cannot be opened does not stay mapped', () => {
  const datasetsDir = temporaryDirectory();
  const [intact = '', damaged = ''] = [0, 1].map((more) => publishTinyDataset(datasetsDir, more));
  truncateSync(join(generationPath(datasetsDir, damaged), TRACTS_FILE), 1000);
  expect(() => openChanges(datasetsDir, intact, damaged)).toThrow(FormatError);
  const changes = openChanges(datasetsDir, damaged, intact);
  expect(changes.diff.rowsBefore.every((row) => row === -1)).toBe(true);
  changes.release();
  expect(readFileSync('/proc/self/maps', 'utf8')).not.toContain(datasetsDir);
});
