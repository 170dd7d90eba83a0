import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Built by `npm test` before it runs. */
const PROGRAM = fileURLToPath(new URL('../../dist/test/support/issuer-program.js', import.meta.url));

/** What a process has told, line by line, and how it ended. */
export interface IssuerRun {
  readonly keys: readonly string[];
  readonly failures: readonly string[];
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
}

export interface IssuerOptions {
  /** None: until it is killed, or fails. */
  readonly count?: number;
  /** The kernel refuses to let files grow beyond this. */
  readonly fileLimitKibibytes?: number;
  /** Killed with SIGKILL after this many acknowledgements. */
  readonly killAfter?: number;
}

/** Runs `issuer-program` in a process of its own until it ends. */
export async function runIssuer(directory: string, options: IssuerOptions = {}): Promise<IssuerRun> {
  const child = start(directory, options);
  const closed = once(child, 'close');
  const keys: string[] = [];
  const failures: string[] = [];
  if (!child.stdout) throw new Error('a child without output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, key] = /^key (\S+)$/.exec(line) ?? [];
    if (key !== undefined) keys.push(key);
    else failures.push(line);
    if (keys.length === options.killAfter) child.kill('SIGKILL');
  }
  await closed;
  return { keys, failures, exitCode: child.exitCode };
}

function start(directory: string, { count, fileLimitKibibytes }: IssuerOptions): ChildProcess {
  const args = [PROGRAM, directory, ...(count === undefined ? [] : [String(count)])];
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  if (fileLimitKibibytes === undefined) return spawn(process.execPath, args, { stdio });
  // The limit of bash counts in units of 1024 bytes.
  return spawn('bash', ['-c', `ulimit -f ${fileLimitKibibytes}; exec "$0" "$@"`, process.execPath, ...args], { stdio });
}
