import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
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

/**
 * Milliseconds from starting `serve` on a datasets directory to the last byte of its first answer from /v1/context.
 * Rejects if the answer does not name the known tract. Waits until the service has exited.
 */
export async function timeFirstAnswer(datasetsDir: string, point: KnownPoint): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [PROGRAM, 'serve', '--datasets', datasetsDir, '--port', '0', '--admin-port', '0', '--api-keys', API_KEY],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exit = once(child, 'exit');
  const errors = text(child.stderr);
  try {
    const url = await listeningUrl(child.stdout);
    if (url === undefined) throw new Error(`serve ended before it listened:\n${await errors}`);
    const body = await fetchContext(url, point);
    const elapsedMs = performance.now() - startedAt;
    if (!body.includes(`"geoid":"${point.geoid}"`)) {
      throw new WrongAnswerError(`/v1/context for ${point.lat}, ${point.lng} does not name tract ${point.geoid}`);
    }
    consume(body.length);
    return elapsedMs;
  } finally {
    child.kill('SIGTERM');
    await exit;
  }
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
