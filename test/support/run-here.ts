import { readFileSync } from 'node:fs';
import { vi } from 'vitest';
import { isFileSystemError } from '../../src/platform/file-system-error.js';
import { packageFile } from '../../src/platform/package-root.js';
import { PROGRAM } from './run-program.js';

type Command = typeof import('../../src/cli/commands/inspect.js');

let isRunning = false;

/**
 * Runs a command of the built program in this process, in which it is loaded once: a process of its own takes a quarter of a
 * second of processor time to start. For tests of what a command does, says and exits with; that processes do and say the
 * same, `command-line.test.ts` holds for each kind of command, and in `npm run test:long` for each command. One at a time,
 * as output and environment are the process's.
 */
export async function runHere(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  if (isRunning) throw new Error('one command at a time can be run in this process');
  isRunning = true;
  const [name = '', ...rest] = args;
  const said = { stdout: '', stderr: '' };
  const restore = [...collect('stdout', said), ...collect('stderr', said)];
  const ofTheDeveloper = process.env;
  process.env = { ADMIN_PORT: '0', ...env };
  try {
    const command: Command = await import(fileOf(name));
    return { code: await endOf(name, command.run([...rest]), said), ...said };
  } finally {
    process.env = ofTheDeveloper;
    for (const each of restore) each();
    isRunning = false;
  }
}

/**
 * The file of the program that has this command, which its main module names. What it holds is in few files, also for the
 * threads that it starts: to load each of its modules for them took a fifth of a small compile.
 */
function fileOf(name: string): string {
  const [, file] = new RegExp(`import\\("\\./(${name}-[^"]+)"\\)`).exec(readFileSync(PROGRAM, 'utf8')) ?? [];
  if (file === undefined) throw new Error(`${PROGRAM} has no command ${name}`);
  return packageFile('dist', 'program', file);
}

/** The exit code; an error is told as by the program's main module. */
async function endOf(name: string, running: Promise<number>, said: { stderr: string }): Promise<number> {
  try {
    return await running;
  } catch (error) {
    // An instance of another class: the built modules have classes of their own.
    const isCliError = error instanceof Error && error.name === 'CliError' && 'exitCode' in error;
    if (!isCliError && !isFileSystemError(error)) throw error;
    said.stderr += `tract-context ${name}: ${error.message}\n`;
    return isCliError ? Number(error.exitCode) : 1;
  }
}

/** Takes what would be printed; gives what ends that. */
function collect(name: 'stdout' | 'stderr', said: Record<typeof name, string>): (() => void)[] {
  const write = (chunk: string | Uint8Array, ...[encoding, written]: unknown[]): boolean => {
    said[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = typeof encoding === 'function' ? encoding : written;
    if (typeof done === 'function') done();
    return true;
  };
  const spies = [
    vi.spyOn(process[name], 'write').mockImplementation(write),
    vi.spyOn(console, name === 'stdout' ? 'log' : 'error').mockImplementation((...values: unknown[]) => {
      said[name] += `${values.join(' ')}\n`;
    }),
  ];
  return spies.map((spy) => () => spy.mockRestore());
}
