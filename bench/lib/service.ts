import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { YOUNG_GENERATION } from '../../src/platform/garbage-collection.js';
import { killAtExit } from './at-exit.js';
import { PROGRAM } from './program.js';
import type { TargetServer } from './target-server.js';

const API_KEY = 'bench-key';
/** The rate limit is on, as in production, but at 100,000 requests a second, more than any server here can answer. */
const RATE_LIMIT = ['--rate-limit-max', '1000000', '--rate-limit-window-seconds', '10'];
const START_TIMEOUT_MS = 30_000;
const LOG_LOOK_MS = 2000;
const LOG_MAX_BYTES = 64 * 1024 * 1024;

/** A running service, started through the built program as a user would. */
export interface Service extends TargetServer {
  readonly pid: number;
  readonly child: ChildProcess;
}

export interface ServiceOptions {
  readonly datasetsDir: string;
  /** Where the service gets a directory for its state and its log. */
  readonly tempDir: string;
  /** API keys that the service accepts besides the bench's own. */
  readonly furtherKeys?: readonly string[];
  /** Further flags, which must not repeat those that `startService` passes. */
  readonly args?: readonly string[];
  /** A module that the service's process loads first; it can use the child's IPC channel. */
  readonly preload?: string;
}

/**
 * Starts `serve` on a free loopback port with everything enabled that users have enabled: keys, rate limit, log, metrics.
 * The log goes to a file, as in production; reading it from a pipe would cost this process processor time.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { datasetsDir, tempDir, furtherKeys = [], args = [], preload } = options;
  const keys = [API_KEY, ...furtherKeys].join();
  const ownDir = mkdtempSync(join(tempDir, 'service-'));
  const logFile = join(ownDir, 'log');
  // Opened for appending, so that the file can be truncated while the service writes to it.
  const log = openSync(logFile, 'a');
  const child = spawn(
    process.execPath,
    [
      // As README has a supervisor run it.
      YOUNG_GENERATION,
      ...(preload === undefined ? [] : ['--import', preload]),
      PROGRAM,
      'serve',
      ...['--datasets', datasetsDir, '--state-dir', join(ownDir, 'state')],
      ...['--port', '0', '--admin-port', '0', '--api-keys', keys, ...RATE_LIMIT, ...args],
    ],
    // An empty environment: the settings of the user who runs the bench must not reach the service.
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

/** Waits for the log line that names the service's URL. Rejects with the log if the service exits, or is late. */
async function listeningUrl(child: ChildProcess, logFile: string): Promise<string> {
  const givesUpAt = performance.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null && performance.now() < givesUpAt) {
    const url = /"event":"listening","url":"(http[^"]+)"/.exec(readFileSync(logFile, 'utf8'))?.[1];
    if (url !== undefined) return url;
    await delay(20);
  }
  child.kill('SIGKILL');
  throw new Error(`serve did not start listening:\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
}
