import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The built `subscriber-program`; `npm test` builds it first. */
const PROGRAM = fileURLToPath(new URL('../../dist/test/support/subscriber-program.js', import.meta.url));

/** What a `subscriber-program` printed, and how it ended. */
export interface SubscriberRun {
  readonly created: readonly number[];
  readonly limited: number;
  readonly failures: readonly string[];
  /** Null if a signal ended the process. */
  readonly exitCode: number | null;
}

export interface SubscriberOptions {
  /** How many subscriptions to create; without it, the process creates them until it is killed or fails. */
  readonly count?: number;
  readonly urlLength?: number;
  /** The size beyond which the kernel lets no file grow. */
  readonly fileLimitKibibytes?: number;
  /** The process is killed with SIGKILL after reporting this many subscriptions. */
  readonly killAfter?: number;
}

/** Runs `subscriber-program` in its own process until it ends. */
export async function runSubscriber(
  directory: string,
  owner: string,
  options: SubscriberOptions,
): Promise<SubscriberRun> {
  const child = start(directory, owner, options);
  const closed = once(child, 'close');
  const created: number[] = [];
  const failures: string[] = [];
  let limited = 0;
  if (!child.stdout) throw new Error('a child without output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, id] = /^created (\d+)$/.exec(line) ?? [];
    if (id !== undefined) created.push(Number(id));
    else if (line === 'active-limit') limited++;
    else failures.push(line);
    if (created.length === options.killAfter) child.kill('SIGKILL');
  }
  await closed;
  return { created, limited, failures, exitCode: child.exitCode };
}

function start(directory: string, owner: string, options: SubscriberOptions): ChildProcess {
  const args = [PROGRAM, directory, owner, String(options.count ?? 'endless'), String(options.urlLength ?? 40)];
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  if (options.fileLimitKibibytes === undefined) return spawn(process.execPath, args, { stdio });
  // bash's limit is in units of 1024 bytes.
  const limited = `ulimit -f ${options.fileLimitKibibytes}; exec "$0" "$@"`;
  return spawn('bash', ['-c', limited, process.execPath, ...args], { stdio });
}
