import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type InputTree, writeTree } from './official-files.js';
import { runHere } from './run-here.js';
import { PROGRAM, runProgram } from './run-program.js';
import { temporaryDirectory } from './temporary-directory.js';

export interface CliResult {
  /** The exit code; null if a signal ended the command. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command. */
export interface RunningCli {
  readonly process: ChildProcess;
  readonly result: Promise<CliResult>;
}

/** Starts `tract-context` with these arguments; `limitKib` limits the size of every file that it writes. */
export function startCli(args: readonly string[], limitKib?: number): RunningCli {
  const child = runProgram(args, {}, process.cwd(), limitKib);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const result = Promise.all([ended, text(child.stdout), text(child.stderr)]).then(([code, stdout, stderr]) => ({
    code,
    stdout,
    stderr,
  }));
  return { process: child, result };
}

/** Runs `tract-context` to its end. */
export function runCli(...args: string[]): Promise<CliResult> {
  return startCli(args).result;
}

/** Runs `tract-context` to its end in the process of the tests. */
export function runCliHere(...args: string[]): Promise<CliResult> {
  return runHere(args);
}

/**
 * Runs `tract-context` with one of its output streams closed by the reader, as by `… | head`; `printed` is what it writes to
 * the other stream.
 */
export async function runCliWithoutReader(closed: 'stdout' | 'stderr', ...args: string[]) {
  const child = runProgram(args);
  child[closed].destroy();
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [code, printed] = await Promise.all([ended, text(closed === 'stdout' ? child.stderr : child.stdout)]);
  return { code, printed };
}

/**
 * Runs `tract-context` with its output in a file, which cannot grow beyond `limitBytes`, a multiple of 512; `printed` is what it
 * writes to stderr.
 */
export async function runCliInto(file: string, limitBytes: number, ...args: string[]) {
  return await runInShell(`ulimit -f ${limitBytes / 512}; exec "$0" "$@" > ${file}`, args);
}

/** Runs a command of the program with a redirection of the shell, such as `>&-`; gives its exit code and stderr. */
export async function runCliWith(redirection: string, ...args: string[]) {
  return await runInShell(`exec "$0" "$@" ${redirection}`, args);
}

async function runInShell(script: string, args: readonly string[]) {
  const child = spawn('/bin/sh', ['-c', script, process.execPath, PROGRAM, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [[code], printed] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  return { code, printed };
}

/** Compiles these files in a new directory, in this process; `output` is the datasets directory. */
export async function compileTree(tree: InputTree, ...options: string[]): Promise<CliResult & { output: string }> {
  const root = temporaryDirectory();
  const output = join(root, 'datasets');
  const input = writeTree(join(root, 'in'), tree);
  return { ...(await runCliHere('compile', '--input', input, '--output', output, ...options)), output };
}
