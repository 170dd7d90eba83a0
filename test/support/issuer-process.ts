import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The built `issuer-program`; `npm test` builds it first. */
export const ISSUER_PROGRAM = fileURLToPath(new URL('../../dist/test/support/issuer-program.js', import.meta.url));

/** The lines that an `issuer-program` printed, and how it ended. */
export interface IssuerRun {
  readonly keys: readonly string[];
  readonly failures: readonly string[];
  /** Null if a signal ended the process. */
  readonly exitCode: number | null;
}

export interface IssuerOptions {
  /** How many keys to issue; without it, the process issues keys until it is killed or fails. */
  readonly count?: number;
  /** The size beyond which the kernel lets no file grow. */
  readonly fileLimitKibibytes?: number;
  /** The process is killed with SIGKILL after printing this many keys. */
  readonly killAfter?: number;
}

/** Runs `issuer-program` in its own process until it ends. */
export async function runIssuer(directory: string, options: IssuerOptions): Promise<IssuerRun> {
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
  const args = [ISSUER_PROGRAM, directory, ...(count === undefined ? [] : [String(count)])];
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  if (fileLimitKibibytes === undefined) return spawn(process.execPath, args, { stdio });
  // bash's limit is in units of 1024 bytes.
  return spawn('bash', ['-c', `ulimit -f ${fileLimitKibibytes}; exec "$0" "$@"`, process.execPath, ...args], { stdio });
}
