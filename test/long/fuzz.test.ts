import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { errorSchema, validationErrorSchema } from '../../src/http/schemas/system.js';
import { startContract } from '../support/contract.js';
import { createDocumentValidator } from '../support/document-validator.js';
import { createFuzzer, type FuzzRequest } from '../support/fuzz-requests.js';
import { ownMemoryMib } from '../support/process-memory.js';
import { seededRandom } from '../support/seeded-random.js';
import { TEST_KEY } from '../support/service-process.js';

const FULL_RUN = 100_000;
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? FULL_RUN);
const SEED = Number(process.env.FUZZ_SEED ?? 20_200_401);
const CONCURRENCY = 24;
const REQUEST_TIMEOUT_MS = 10_000;
/** Between looks at the memory. */
const SAMPLE_EVERY = 500;
/** What a leak of a few hundred bytes a request would pass after the first quarter. */
const GROWTH_MAX_MIB = 24;

// Small caches, so that they are full early and memory is steady from then on.
const contract = startContract({ CACHE_MAX_SIZE: '200', CACHE_MAX_BYTES: '2000000' });

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

function send(
  base: string,
  agent: Agent,
  { method, target, headers, body }: FuzzRequest,
): Promise<Received | undefined> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const request = httpRequest({ agent, hostname, port, method, path: target, headers: { ...headers, ...length } });
    request.setTimeout(REQUEST_TIMEOUT_MS, () => request.destroy(new Error(`no answer in time: ${method} ${target}`)));
    request.on('error', (error: NodeJS.ErrnoException) => {
      // An answer may come before a body is sent whole, and the connection is closed then.
      if (body !== undefined && (error.code === 'EPIPE' || error.code === 'ECONNRESET')) resolve(undefined);
      else reject(error);
    });
    request.on('response', (response) => {
      const encoding = response.headers['content-encoding'];
      response.setEncoding('latin1');
      text(response).then((latin1) => {
        const bytes = Buffer.from(latin1, 'latin1');
        const plain =
          encoding === 'br'
            ? unless(bytes, brotliDecompressSync)
            : encoding === 'gzip'
              ? unless(bytes, gunzipSync)
              : bytes;
        const names = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
        const isJson = response.headers['content-type']?.includes('json') && plain.length > 0;
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(names),
          body: isJson ? JSON.parse(plain.toString()) : plain.toString(),
        });
      }, reject);
    });
    request.end(body);
  });
}

/** The answer to HEAD says how its body would be packed, but has none. */
function unless(bytes: Buffer, unpack: (bytes: Buffer) => Buffer): Buffer {
  return bytes.length === 0 ? bytes : unpack(bytes);
}

test(`${REQUESTS} requests of all kinds: no 5xx, no hang, no answer out of shape, no growth (seed ${SEED})`, async () => {
  const { service, document } = contract;
  const validator = createDocumentValidator(document);
  const fuzz = createFuzzer(document, seededRandom(SEED), TEST_KEY);
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const statuses = new Map<number, number>();
  const memoryMib: number[] = [];
  let sent = 0;

  const check = (request: FuzzRequest, { status, headers, body }: Received): void => {
    const described = `${request.method} ${request.target} ${request.body?.slice(0, 200) ?? ''} → ${status}`;
    expect(status, described).toBeLessThan(500);
    expect(headers.get('x-request-id'), described).toMatch(/^[\w.-]{1,128}$/);
    expect(headers.has('x-injected'), described).toBe(false);
    if (request.method === 'HEAD' || status === 304 || status === 204) expect(body, described).toBe('');
    else if (status >= 400) {
      const shape = status === 422 ? validationErrorSchema : errorSchema;
      expect(shape.safeParse(body).error?.issues ?? [], described).toEqual([]);
    } else {
      const path = request.target.split('?')[0] ?? '';
      expect(validator.findings({ method: request.method, path, status, headers, body }), described).toEqual([]);
    }
  };

  const client = async (): Promise<void> => {
    while (sent < REQUESTS) {
      if (sent++ % SAMPLE_EVERY === 0) memoryMib.push(ownMemoryMib(service.pid));
      const request = fuzz();
      const received = await send(service.url, agent, request);
      if (!received) continue;
      statuses.set(received.status, (statuses.get(received.status) ?? 0) + 1);
      check(request, received);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, client));
  agent.destroy();

  // The least of a stretch is what is left after collections of garbage.
  const leastOf = (from: number, to: number): number =>
    Math.min(...memoryMib.slice(Math.floor(memoryMib.length * from), Math.ceil(memoryMib.length * to)));
  const [early, late] = [leastOf(0.25, 0.5), leastOf(0.75, 1)];
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(`fuzz: ${counts.join(', ')}; memory ${early.toFixed(0)} → ${late.toFixed(0)} MiB`);
  expect(late - early).toBeLessThan(GROWTH_MAX_MIB);
  // All kinds of answers were seen, so that the run says something.
  if (REQUESTS >= FULL_RUN) {
    const wanted = [200, 201, 204, 304, 400, 401, 403, 404, 405, 413, 422];
    expect(wanted.filter((status) => !statuses.has(status))).toEqual([]);
  }
  expect((await fetch(`${service.url}/health`)).status).toBe(200);
  expect(service.output()).not.toContain('unexpected error');
});
