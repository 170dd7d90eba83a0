import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type InputTree, writeTree } from './official-files.js';
import { temporaryDirectory } from './temporary-directory.js';

/** The built program; `npm test` builds it first. */
const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'program', 'main.js');

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
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is not there: run npm run build first`);
  const command = [process.execPath, MAIN, ...args];
  // A POSIX shell's limit is in blocks of 512 bytes.
  const limited = ['sh', '-c', `ulimit -f ${(limitKib ?? 0) * 2}; exec "$@"`, 'sh', ...command];
  const [file = '', ...rest] = limitKib === undefined ? command : limited;
  const child = spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
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

/**
 * Runs `tract-context` with one of its output streams closed by the reader, as by `… | head`; `printed` is what it writes to
 * the other stream.
 */
export async function runCliWithoutReader(closed: 'stdout' | 'stderr', ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child[closed].destroy();
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [code, printed] = await Promise.all([ended, text(closed === 'stdout' ? child.stderr : child.stdout)]);
  return { code, printed };
}

/** Compiles these files in a new directory; `output` is the datasets directory. */
export async function compileTree(tree: InputTree, ...options: string[]): Promise<CliResult & { output: string }> {
  const root = temporaryDirectory();
  const output = join(root, 'datasets');
  const input = writeTree(join(root, 'in'), tree);
  return { ...(await runCli('compile', '--input', input, '--output', output, ...options)), output };
}
