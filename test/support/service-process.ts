import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The built program; `npm test` builds it first. */
const PROGRAM = fileURLToPath(new URL('../../dist/program/main.js', import.meta.url));

export const TEST_KEY = 'a-key-for-tests';

type LogLine = Readonly<Record<string, unknown>>;

/** The service, started as a user starts it. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** A GET with the test's key unless `headers` are given. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends bytes over a connection of their own and gives all that comes back until the server closes. */
  exchange(bytes: string): Promise<string>;
  /** The first line of the log, past or to come, that has these fields; without so many lines that were there before. */
  logLine(fields: LogLine, behind?: number): Promise<LogLine>;
  /** How many lines the log has so far. */
  logLength(): number;
  /** Everything written so far, to either stream. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** The exit code, when it has ended. */
  readonly exited: Promise<number | null>;
}

/** Starts `tract-context serve` on a free port, with a state of its own and no rate limit, and waits until it listens. */
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
  const url = String(started.url);
  return {
    url,
    pid: child.pid ?? 0,
    fetch: async (path, init = {}) => {
      try {
        return await fetch(`${url}${path}`, { headers: { 'X-API-Key': TEST_KEY }, ...init });
      } catch (error) {
        console.error(`${path} got no answer. The service's log:\n${log.output()}`);
        throw error;
      }
    },
    exchange: (bytes) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(bytes);
      return text(socket);
    },
    logLine: log.line,
    logLength: log.length,
    output: log.output,
    signal: (name) => child.kill(name),
    exited,
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

/** Starts a command in a working directory of its own. */
export function runProgram(args: readonly string[], env: Record<string, string>, cwd = process.cwd()) {
  // Only what is given: settings of whoever runs the tests must not reach the program. Tests run side by side.
  const given = { ADMIN_PORT: '0', ...env };
  return spawn(process.execPath, [PROGRAM, ...args], { env: given, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
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
