import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type InputTree, writeTree } from './official-files.js';
import { temporaryDirectory } from './temporary-directory.js';

/** The built command. `npm test` builds it first. */
const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'program', 'main.js');

export interface CliResult {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface RunningCli {
  readonly process: ChildProcess;
  readonly result: Promise<CliResult>;
}

/** Starts `tract-context` with these arguments; `limitKib` is the size that a file it writes may grow to. */
export function startCli(args: readonly string[], limitKib?: number): RunningCli {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is not there: run npm run build first`);
  const command = [process.execPath, MAIN, ...args];
  // A limit is in blocks of 512 bytes.
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
 * Runs `tract-context` while nobody reads one of its streams any more, as `… | head` leaves it; `printed` is the
 * other's.
 */
export async function runCliWithoutReader(closed: 'stdout' | 'stderr', ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child[closed].destroy();
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [code, printed] = await Promise.all([ended, text(closed === 'stdout' ? child.stderr : child.stdout)]);
  return { code, printed };
}

/** Compiles these files in a directory of their own, and gives what happened with the datasets directory. */
export async function compileTree(tree: InputTree, ...options: string[]): Promise<CliResult & { output: string }> {
  const root = temporaryDirectory();
  const output = join(root, 'datasets');
  const input = writeTree(join(root, 'in'), tree);
  return { ...(await runCli('compile', '--input', input, '--output', output, ...options)), output };
}
