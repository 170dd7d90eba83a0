import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { WITHIN_MS } from '../support/eventually.js';
import { PROGRAM } from '../support/run-program.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

const KEY = 'a-key-for-tests';
const CONNECTIONS = 8;

/** Makes the service collect its garbage at each SIGUSR2 and print how many answers are left in its heap. */
const COUNT_ANSWERS = `data:text/javascript,
  import { ServerResponse } from 'node:http';
  import { queryObjects } from 'node:v8';
  process.on('SIGUSR2', () => console.log('answers left: ' + queryObjects(ServerResponse, { format: 'count' })));`;

interface Counting {
  readonly url: string;
  answersLeft(): Promise<number>;
  end(): Promise<void>;
}

/** Starts `serve` on a small dataset. */
async function startCounting(): Promise<Counting> {
  const root = mkdtempSync(join(tmpdir(), 'idle-connections-'));
  const datasetsDir = join(root, 'datasets');
  publishTinyDataset(datasetsDir);
  const args = ['--import', COUNT_ANSWERS, PROGRAM, 'serve', '--datasets', datasetsDir, '--port', '0'];
  const env = { API_KEYS: KEY, STATE_DIR: join(root, 'state'), ADMIN_PORT: '0' };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const find = async (pattern: RegExp): Promise<string> => {
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      const found = pattern.exec(line.value)?.[1];
      if (found !== undefined) return found;
    }
    throw new Error('the service ended');
  };
  return {
    url: await find(/"event":"listening","url":"(http[^"]+)"/),
    answersLeft: async () => {
      child.kill('SIGUSR2');
      return Number(await find(/^answers left: (\d+)$/));
    },
    end: async () => {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await lines.return?.();
      child.stdout.resume();
      await closed;
      rmSync(root, { recursive: true });
    },
  };
}

let service: Counting | undefined;
beforeAll(async () => {
  service = await startCounting();
});
afterAll(() => service?.end());

async function statusOf(agent: Agent, url: string, body?: string): Promise<number | undefined> {
  const headers = { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const sent = request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' });
  sent.end(body);
  const [answer]: IncomingMessage[] = await once(sent, 'response');
  answer?.resume();
  if (answer) await once(answer, 'end');
  return answer?.statusCode;
}

test.each([
  { what: 'an answer of the main thread', path: '/v1/context?lat=45.05&lng=-94.95', status: 200 },
  { what: 'an answer of a worker thread', path: '/v1/nearby?lat=45.05&lng=-94.95&radius=5', status: 200 },
  { what: 'an answer to a body', path: '/v1/batch', body: '{"addresses":["1 Main St"]}', status: 200 },
  { what: 'an error', path: '/v1/nowhere', status: 404 },
])('a connection that waits for its next request keeps nothing of $what', async ({ path, body, status }) => {
  const { url, answersLeft } = service ?? expect.fail('the service has been started');
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  onTestFinished(() => agent.destroy());
  const atFirst = await answersLeft();
  const asked = Array.from({ length: CONNECTIONS }, () => statusOf(agent, url + path, body));
  expect(await Promise.all(asked)).toEqual(Array(CONNECTIONS).fill(status));
  expect(Object.values(agent.freeSockets).flat()).toHaveLength(CONNECTIONS);
  // The service may learn a moment after its client that an answer is sent.
  await expect.poll(answersLeft, { timeout: WITHIN_MS }).toBe(atFirst);
});
