import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { killAtExit } from './at-exit.js';
import { PROGRAM } from './program.js';
import type { TargetServer } from './target-server.js';

const API_KEY = 'bench-key';
/** A limit is on, as in service, and higher than any server here can answer: 100,000 a second. */
const RATE_LIMIT = ['--rate-limit-max', '1000000', '--rate-limit-window-seconds', '10'];
const START_TIMEOUT_MS = 30_000;
const LOG_LOOK_MS = 2000;
const LOG_MAX_BYTES = 64 * 1024 * 1024;

/** The service, started as a user starts it. */
export interface Service extends TargetServer {
  readonly pid: number;
  readonly child: ChildProcess;
}

export interface ServiceOptions {
  readonly datasetsDir: string;
  /** For its state and its log. */
  readonly tempDir: string;
  /** Keys beside the bench's own. */
  readonly furtherKeys?: readonly string[];
  /** Further flags, none of those that are given here. */
  readonly args?: readonly string[];
  /** A module to load first; it can speak over the child's IPC channel. */
  readonly preload?: string;
}

/**
 * Starts `serve` on a free loopback port with everything on that is on for users: keys, rate limit, log, metrics. The log
 * goes to a file, as it would in service; reading a pipe would take this process's share of the machine.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { datasetsDir, tempDir, furtherKeys = [], args = [], preload } = options;
  const keys = [API_KEY, ...furtherKeys].join();
  const ownDir = mkdtempSync(join(tempDir, 'service-'));
  const logFile = join(ownDir, 'log');
  // Appending, so that the file can be cut while it is written.
  const log = openSync(logFile, 'a');
  const child = spawn(
    process.execPath,
    [
      ...(preload === undefined ? [] : ['--import', preload]),
      PROGRAM,
      'serve',
      ...['--datasets', datasetsDir, '--state-dir', join(ownDir, 'state')],
      ...['--port', '0', '--admin-port', '0', '--api-keys', keys, ...RATE_LIMIT, ...args],
    ],
    // Settings of whoever runs the bench must not reach the service.
    { env: {}, stdio: ['ignore', log, log, 'ipc'] },
  );
  closeSync(log);
  killAtExit(child);
  const exited = once(child, 'exit');
  const url = await listeningUrl(child, logFile);
  const cutting = setInterval(() => {
    if (statSync(logFile).size > LOG_MAX_BYTES) truncateSync(logFile);
  }, LOG_LOOK_MS);
  return {
    url,
    headers: { 'x-api-key': API_KEY },
    pid: child.pid ?? 0,
    child,
    stop: async () => {
      clearInterval(cutting);
      child.kill('SIGTERM');
      await exited;
      rmSync(ownDir, { recursive: true, force: true });
    },
  };
}

/** The address in the log line that says so. Rejects with the log where the service ends first. */
async function listeningUrl(child: ChildProcess, logFile: string): Promise<string> {
  const givesUpAt = performance.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && performance.now() < givesUpAt) {
    const url = /"event":"listening","url":"(http[^"]+)"/.exec(readFileSync(logFile, 'utf8'))?.[1];
    if (url !== undefined) return url;
    await delay(20);
  }
  child.kill('SIGKILL');
  throw new Error(`serve did not come to listen:\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
}
