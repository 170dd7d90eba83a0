import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/platform/package-root.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** A checkout that is built or not, of a package with the same scripts but a build that always fails. */
function checkout(isBuilt: boolean): string {
  const root = temporaryDirectory();
  const { name, version, bin, scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const { prepare } = scripts;
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ name, version, bin, scripts: { prepare, build: 'exit 3' } }),
  );
  mkdirSync(join(root, 'dist', 'program'), { recursive: true });
  const program = '#!/usr/bin/env node\nconsole.log("the program runs");\n';
  if (isBuilt) writeFileSync(join(root, 'dist', 'program', 'main.js'), program, { mode: 0o755 });
  return root;
}

/** Runs npm or npx there without the user's cache, in which npx keeps a link to each package that it has prepared. */
function run(cwd: string, command: string, ...args: string[]): { status: number | null; stdout: string } {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    npm_config_cache: join(cwd, 'cache'),
    npm_config_offline: 'true',
  };
  return spawnSync(command, args, { cwd, env, encoding: 'utf8' });
}

test('npx runs what is built without building it, for which a machine that only serves has no tools', () => {
  expect(run(checkout(true), 'npx', 'tract-context')).toMatchObject({ status: 0, stdout: 'the program runs\n' });
});

test('npx builds what is not built, and npm ci builds always: what is there may be of an older version', () => {
  expect(run(checkout(false), 'npx', 'tract-context').status).toBe(3);
  const built = checkout(true);
  const { name, version, bin } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
  const lock = { name, version, lockfileVersion: 3, requires: true, packages: { '': { name, version, bin } } };
  writeFileSync(join(built, 'package-lock.json'), JSON.stringify(lock));
  expect(run(built, 'npm', 'ci').status).toBe(3);
});
