import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The built `hits-program`; `npm test` builds it first. */
const PROGRAM = fileURLToPath(new URL('../../dist/test/support/hits-program.js', import.meta.url));

export interface Hitting {
  /** The descriptor of the shared memory that `createTallies` makes. */
  readonly fd: number;
  readonly processes: number;
  readonly index: number;
  readonly windowSeconds: number;
  readonly limit: number;
  readonly durationMs: number;
}

/** A process that hits one key as fast as it can. */
export interface HittingProcess {
  readonly pid: number;
  begin(): void;
  /** Suspends the process wherever it is (SIGSTOP), until `resume`. */
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
  /** Waits for the process to end by itself; gives the times before and after each accepted hit. */
  accepted(): Promise<[beforeMs: number, afterMs: number][]>;
}

/** Starts `hits-program`; resolves when it is ready to begin. */
export async function startHitting(hitting: Hitting): Promise<HittingProcess> {
  const { fd, processes, index, windowSeconds, limit, durationMs } = hitting;
  const args = [processes, index, windowSeconds, limit, durationMs].map(String);
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['pipe', 'pipe', 'inherit', fd] });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error('a child without its streams');
  const exited = once(child, 'exit');
  const lines = createInterface({ input: stdout });
  await once(lines, 'line');
  const result = new Promise<string>((resolve) => {
    lines.once('line', resolve);
  });
  return {
    pid: child.pid ?? 0,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    begin: () => {
      stdin.write('begin\n');
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    accepted: async () => {
      const accepted = JSON.parse(await result);
      await exited;
      return accepted;
    },
  };
}
