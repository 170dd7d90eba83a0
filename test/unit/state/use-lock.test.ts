import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markInUse } from '../../../src/state/use-lock.js';
import { replaceCalls } from '../../support/replaced-calls.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** Has something happen between the opening of the next file and whatever is done with it. */
function afterOpening(happens: () => void): void {
  const { openSync: open } = fs;
  const undo = replaceCalls({
    openSync: (...args) => {
      const file = open(...args);
      undo();
      happens();
      return file;
    },
  });
}

test('a directory that another takes the place of while its lock is taken is not in use by that', () => {
  const root = temporaryDirectory();
  const [directory, restored] = [join(root, 'state'), join(root, 'restored')];
  for (const path of [directory, restored]) {
    fs.mkdirSync(path);
    fs.writeFileSync(join(path, 'in-use.lock'), '');
  }
  afterOpening(() => {
    fs.renameSync(directory, join(root, 'former'));
    fs.renameSync(restored, directory);
  });
  expect(() => markInUse(directory)).toThrow('is being replaced by a restore');
  markInUse(directory)();
});
