import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programEdition } from '../../../src/platform/program-edition.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

test('the edition is 22 characters, and the same on every call', () => {
  expect(programEdition()).toMatch(/^[\w-]{22}$/);
  expect(programEdition()).toBe(programEdition());
});

test('another main program and another program of the threads are other editions', () => {
  const directory = temporaryDirectory();
  const editions = ['main.js', 'worker.js', 'main.js'].map((name, at) => {
    writeFileSync(join(directory, name), `${at}`);
    return programEdition(directory);
  });
  expect(new Set([...editions, programEdition(temporaryDirectory())]).size).toBe(4);
});
