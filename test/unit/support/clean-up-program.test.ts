import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../../src/platform/package-root.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const CLEAN_UP = packageFile('dist', 'test', 'support', 'clean-up-program.js');
const GOES_ON = "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000);";

test.runIf(process.platform === 'linux')(
  'once a run has ended, however, its directory and every process that names it are gone, and no other is',
  async () => {
    const directory = mkdtempSync(join(temporaryDirectory(), 'tract-context-run-'));
    writeFileSync(join(directory, 'left'), '');
    const start = (env: NodeJS.ProcessEnv, ...args: string[]) =>
      spawn(process.execPath, ['--eval', GOES_ON, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const named = [start({ TMPDIR: directory }), start({ STATE_DIR: join(directory, 'state') }), start({}, directory)];
    const other = start({ TMPDIR: `${directory.slice(0, -1)}` });
    const ends = named.map((child) => once(child, 'exit'));
    await Promise.all([...named, other].map((child) => once(child.stdout, 'data')));
    // What runs the tests is killed, so that nothing but the end of the pipe tells of its end.
    const run = `require('node:child_process').spawn(process.execPath, process.argv.slice(1), { detached: true,
      stdio: ['pipe', 'inherit', 'inherit'] }); ${GOES_ON}`;
    const runner = spawn(process.execPath, ['--eval', run, CLEAN_UP, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const cleanedUp = once(runner, 'close');
    await once(runner.stdout, 'data');
    expect(named.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([null, null, null]);
    runner.kill('SIGKILL');
    expect(await Promise.all(ends)).toEqual(named.map(() => [null, 'SIGKILL']));
    await cleanedUp;
    expect(existsSync(directory)).toBe(false);
    expect(other.exitCode ?? other.signalCode).toBe(null);
    other.kill('SIGKILL');
  },
);
