import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { messageOf } from '../../src/core/message-of.js';
import { runProgram } from './run-program.js';

export const TEST_KEY = 'a-key-for-tests';

type LogLine = Readonly<Record<string, unknown>>;

/** Calls to a running service. */
export interface ServiceCalls {
  readonly url: string;
  /** Sends a request, by default a GET, with the test's key unless `headers` are given. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends bytes over a new connection and gives everything that the server sends until it closes the connection. */
  exchange(bytes: string): Promise<string>;
}

/** A running service, started through the built program as a user would. */
export interface ServiceProcess extends ServiceCalls {
  readonly pid: number;
  /** The first log line, past or future, that has these fields; the first `behind` lines of the log are skipped. */
  logLine(fields: LogLine, behind?: number): Promise<LogLine>;
  /** The number of lines in the log so far. */
  logLength(): number;
  /** Everything written to stdout and stderr so far. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the service has exited, with its exit code; null if a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Ends the service without giving it time for anything; resolves when it has exited. */
  kill(): Promise<void>;
}

/** Starts `tract-context serve` on a free port, with its own state and no rate limit, and waits until it listens. */
export async function startService(datasetsDir: string, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const stateDir = mkdtempSync(join(tmpdir(), 'tract-context-state-'));
  const child = runProgram(['serve', '--datasets', datasetsDir, '--port', '0'], {
    API_KEYS: TEST_KEY,
    STATE_DIR: stateDir,
    RATE_LIMIT_MAX: '0',
    ...env,
  });
  const log = readLog(child);
  const exited = once(child, 'close').then(([code]: (number | null)[]) => {
    rmSync(stateDir, { recursive: true, force: true });
    return code ?? null;
  });
  const started = await Promise.race([log.line({ event: 'listening' }), exited]);
  if (started === null || typeof started === 'number') throw new Error(`the service ended: ${log.output()}`);
  const tellState = (): string => {
    const end = child.exitCode ?? child.signalCode;
    return `The service ${end === null ? 'runs' : `has ended with ${end}`}; its log:\n${log.output()}`;
  };
  return {
    ...callsTo(String(started.url), tellState),
    pid: child.pid ?? 0,
    logLine: log.line,
    logLength: log.length,
    output: log.output,
    signal: (name) => child.kill(name),
    exited,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Calls to the service at this address; `tellState` says more of it where it gives no answer. */
export function callsTo(url: string, tellState = (): string => 'Its log is not kept.'): ServiceCalls {
  return {
    url,
    fetch: async (path, init = {}) => {
      try {
        return await fetch(`${url}${path}`, { headers: { 'X-API-Key': TEST_KEY }, ...init });
      } catch (error) {
        // Part of the error, so that a test that expects one prints nothing.
        // Why is in the cause: the message of `fetch` is the same for whatever goes wrong.
        const why =
          error instanceof Error && error.cause ? `${messageOf(error)}, ${messageOf(error.cause)}` : messageOf(error);
        throw new Error(`${path} got no answer: ${why}. ${tellState()}`, { cause: error });
      }
    },
    exchange: (bytes) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(bytes);
      return text(socket);
    },
  };
}

/** Runs a command to its end. */
export async function runToEnd(args: readonly string[], env: Record<string, string> = {}, cwd?: string) {
  const child = runProgram(args, env, cwd);
  const exited = once(child, 'close');
  const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map(text));
  const [code]: (number | null)[] = await exited;
  return { code, stdout: stdout ?? '', stderr: stderr ?? '' };
}

function readLog(
  child: ChildProcess & { readonly stdout: NodeJS.ReadableStream; readonly stderr: NodeJS.ReadableStream },
) {
  const lines: LogLine[] = [];
  let written = '';
  const waiting = new Set<() => void>();
  child.stderr.on('data', (chunk: Buffer) => {
    written += chunk.toString();
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    written += `${line}\n`;
    lines.push(JSON.parse(line));
    for (const look of waiting) look();
  });
  const line = (fields: LogLine, behind = 0): Promise<LogLine> =>
    new Promise((resolve) => {
      const has = (entry: LogLine) => Object.entries(fields).every(([name, value]) => entry[name] === value);
      const look = (): void => {
        const found = lines.find((entry, at) => at >= behind && has(entry));
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { line, length: () => lines.length, output: () => written };
}
