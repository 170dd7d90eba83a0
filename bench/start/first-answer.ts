import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { killAtExit } from '../lib/at-exit.js';
import { consume } from '../lib/consume.js';
import { PROGRAM } from '../lib/program.js';
import { WrongAnswerError } from '../lib/suite.js';

const API_KEY = 'bench-key';

/** A point whose tract is known. */
export interface KnownPoint {
  readonly lat: number;
  readonly lng: number;
  readonly geoid: string;
}

/** What to start the service on, and what to ask it. */
export interface FirstAnswer {
  readonly datasetsDir: string;
  readonly point: KnownPoint;
  /** Where the service gets a directory for its state, empty each time. */
  readonly tempDir: string;
}

/**
 * Milliseconds from starting `serve` on a datasets directory to the last byte of its first answer from /v1/context.
 * Rejects if the answer does not name the known tract, or the service does not end well when it is told to.
 */
export async function timeFirstAnswer({ datasetsDir, point, tempDir }: FirstAnswer): Promise<number> {
  const stateDir = mkdtempSync(join(tempDir, 'serve-state-'));
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      PROGRAM,
      'serve',
      ...['--datasets', datasetsDir, '--state-dir', stateDir],
      ...['--port', '0', '--admin-port', '0', '--api-keys', API_KEY],
    ],
    // An empty environment: neither the settings nor the subscribers of the user who runs the bench concern this service.
    { env: {}, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  killAtExit(child);
  const exit = once(child, 'exit');
  const errors = text(child.stderr);
  let elapsedMs: number;
  try {
    const url = await listeningUrl(child.stdout);
    if (url === undefined) throw new Error(`serve ended before it listened:\n${await errors}`);
    const body = await fetchContext(url, point);
    elapsedMs = performance.now() - startedAt;
    if (!body.includes(`"geoid":"${point.geoid}"`)) {
      throw new WrongAnswerError(`/v1/context for ${point.lat}, ${point.lng} does not name tract ${point.geoid}`);
    }
    consume(body.length);
  } finally {
    child.kill('SIGTERM');
    await exit;
    rmSync(stateDir, { recursive: true, force: true });
  }
  const [code, signal] = await exit;
  if (code !== 0) throw new Error(`serve ended with ${code ?? signal} after SIGTERM:\n${await errors}`);
  return elapsedMs;
}

/** The URL in the service's `listening` log line; undefined if the output ends without one. */
async function listeningUrl(stdout: NodeJS.ReadableStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    // The output is read to its end, so that the service never blocks on a full pipe.
    const lines = createInterface({ input: stdout });
    lines.on('line', (line) => {
      const url = /"event":"listening","url":"(http[^"]+)"/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    lines.on('close', () => resolve(undefined));
  });
}

async function fetchContext(url: string, { lat, lng }: KnownPoint): Promise<string> {
  const request = get(`${url}/v1/context?lat=${lat}&lng=${lng}`, { headers: { 'x-api-key': API_KEY }, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  const body = await text(response);
  if (response.statusCode !== 200) throw new WrongAnswerError(`/v1/context answered ${response.statusCode}: ${body}`);
  return body;
}
