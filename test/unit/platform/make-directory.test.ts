import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../src/platform/make-directory.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

describe('a directory', () => {
  test('is made with its missing ancestors, all with the given mode', () => {
    const root = temporaryDirectory();
    expect(makeDirectory(join(root, 'a', 'b', 'c'), 0o700)).toBe(join(root, 'a'));
    for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, path)).mode & 0o777).toBe(0o700);
  });

  test('that exists is left as it is', () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, 'a'), { mode: 0o750 });
    expect(makeDirectory(join(root, 'a'), 0o700)).toBeUndefined();
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o750);
  });

  test('below a file, or where the system refuses, is an error and not an endless call', () => {
    const root = temporaryDirectory();
    writeFileSync(join(root, 'file'), '');
    expect(() => makeDirectory(join(root, 'file', 'a'))).toThrow(/ENOTDIR/);
    if (process.platform === 'linux') expect(() => makeDirectory('/proc/none/a')).toThrow(/ENOENT/);
  });
});
