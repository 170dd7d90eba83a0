import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildingPath, formerPath, restoringPath } from '../../../src/state/restore-directories.js';

const ROOT = join(import.meta.dirname, '../../..');

// All of them hold key files, which `git add .` in the service's directory must not take along.
test.skipIf(!existsSync(join(ROOT, '.git')))('git ignores the states, and what restores leave beside them', () => {
  const directories = ['state', 'state-demo'].flatMap((state) => [
    state,
    buildingPath(state, 1234),
    restoringPath(state, 1234),
    formerPath(state, new Date()),
  ]);
  const files = directories.map((directory) => `${directory}/admin-token`);
  const ignored = execFileSync('git', ['check-ignore', '--no-index', '--', ...files], { cwd: ROOT, encoding: 'utf8' });
  expect(ignored.trim().split('\n')).toEqual(files);
});
