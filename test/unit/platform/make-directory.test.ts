import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../src/platform/make-directory.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

describe('a directory', () => {
  test('is created with its parents, all with the given mode', () => {
    const root = temporaryDirectory();
    expect(makeDirectory(join(root, 'a', 'b', 'c'), 0o700)).toBe(join(root, 'a'));
    for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, path)).mode & 0o777).toBe(0o700);
  });

  test('that is there stays as it is', () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, 'a'), { mode: 0o750 });
    expect(makeDirectory(join(root, 'a'), 0o700)).toBeUndefined();
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o750);
  });

  test('is an error below a file, and where the system makes none: the call ends', () => {
    const root = temporaryDirectory();
    writeFileSync(join(root, 'file'), '');
    expect(() => makeDirectory(join(root, 'file', 'a'))).toThrow(/ENOTDIR/);
    if (process.platform === 'linux') expect(() => makeDirectory('/proc/none/a')).toThrow(/ENOENT/);
  });
});
