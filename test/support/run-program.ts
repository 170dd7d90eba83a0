import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { packageFile } from '../../src/platform/package-root.js';

/** The built program; `npm test` builds it first. */
export const PROGRAM = packageFile('dist', 'program', 'main.js');

/**
 * Starts a command with only the given environment, in `cwd`; `limitKib` limits the size of every file that it writes. The
 * settings of the user who runs the tests must not reach the program.
 */
export function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = process.cwd(),
  limitKib?: number,
) {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is not there: run npm run build first`);
  const command = [process.execPath, PROGRAM, ...args];
  // A POSIX shell's limit is in blocks of 512 bytes.
  const limited = ['/bin/sh', '-c', `ulimit -f ${(limitKib ?? 0) * 2}; exec "$@"`, 'sh', ...command];
  const [file = '', ...rest] = limitKib === undefined ? command : limited;
  // Tests run in parallel, hence ADMIN_PORT 0. By TMPDIR an interrupted run of the tests finds what it started.
  return spawn(file, rest, {
    env: { ADMIN_PORT: '0', TMPDIR: tmpdir(), ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
