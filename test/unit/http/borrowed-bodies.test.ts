import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deferred } from '../../../src/core/deferred.js';
import type { QueryPool } from '../../../src/pool/pool.js';
import { APP_KEY, liveWith, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';

/** More than the system takes of a connection that nobody reads from. */
const LENGTH = 16 * 2 ** 20;
const PATH = '/v1/providers/geojson?bbox=-78,38,-76,40';

interface Borrowing {
  readonly app: TestApp;
  /** When a body is given back. It is overwritten then, as by the next answer. */
  readonly released: Promise<void>;
  /** How many answers' bodies have been given back. */
  readonly releases: () => number;
}

/**
 * The application with a pool whose bodies, of letters a, are on loan; boxes from the Greenwich meridian eastward have
 * no answer. A body is there once it is `ready`.
 */
async function startBorrowing(
  options: TestAppOptions = {},
  ready: () => Promise<void> = () => Promise.resolve(),
): Promise<Borrowing> {
  const memory = Buffer.from(new SharedArrayBuffer(LENGTH)).fill('a');
  const { promise, resolve } = deferred<void>();
  let count = 0;
  /** For one answer. As of the pool's own, each call after the first does nothing. */
  const releaseOnce = (): (() => void) => {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      count++;
      memory.fill('z');
      resolve();
    };
  };
  const run: QueryPool['run'] = (task) => {
    if (task.kind === 'providers-in-box' && task.query.west === 0) return deferred<never>().promise;
    return ready().then(() => ({ ok: true, body: memory, release: releaseOnce() }));
  };
  const app = await startTestApp({ current: liveWith(run), cacheMaxSize: 0, ...options });
  return { app, released: promise, releases: () => count };
}

function open({ url }: TestApp): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  return socket;
}

const request = (method: string, path: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${APP_KEY}\r\n\r\n`;

const isWhole = (text: string): boolean => text.length === LENGTH && /^a*$/.test(text);

test('a body stays as it is until a slow client has read it', async () => {
  const { app, released, releases } = await startBorrowing();
  const socket = open(app);
  socket.write(request('GET', PATH));
  const [first] = await once(socket, 'data');
  socket.pause();
  // Meanwhile the service goes on.
  await app.get('/health');
  expect(releases()).toBe(0);
  const chunks: Buffer[] = [first];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.resume();
  await released;
  // What the system has taken is on its way.
  const headLength = Buffer.concat(chunks).indexOf('\r\n\r\n') + 4;
  while (Buffer.concat(chunks).length < headLength + LENGTH) await once(socket, 'data');
  expect(isWhole(Buffer.concat(chunks).subarray(headLength).toString())).toBe(true);
  expect(releases()).toBe(1);
});

test('compressing an answer releases its uncompressed body', async () => {
  const { app, released } = await startBorrowing();
  const answer = await app.get(PATH, { headers: { 'X-API-Key': APP_KEY, 'Accept-Encoding': 'gzip' } });
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect(isWhole(await answer.text())).toBe(true);
  await released;
});

describe('an answer beyond those that may wait to be compressed', () => {
  /** Asks for two answers at once, while room is for one of them. */
  async function askForTwo(accepted: string) {
    const borrowing = await startBorrowing({ compressingMaxBytes: LENGTH });
    const headers = { 'X-API-Key': APP_KEY, 'Accept-Encoding': accepted };
    const paths = [PATH, PATH.replace('-78', '-79')];
    const answers = await Promise.all(paths.map((path) => borrowing.app.get(path, { headers })));
    const refused = answers.filter((answer) => answer.headers.get('content-encoding') === null);
    expect(refused).toHaveLength(1);
    return { ...borrowing, answers, refused: refused[0] };
  }

  test('is sent as it is', async () => {
    const { answers, released } = await askForTwo('br');
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const answer of answers) expect((await answer.text()).length).toBe(LENGTH);
    await released;
  });

  test('is refused where its client takes no other', async () => {
    const { refused, answers, releases } = await askForTwo('br, identity;q=0');
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 503]);
    expect(refused?.headers.get('retry-after')).toMatch(/^[1-9]/);
    expect(refused?.headers.get('etag')).toBeNull();
    expect(await refused?.json()).toMatchObject({ error: true, status_code: 503 });
    await Promise.all(answers.map((answer) => answer.bodyUsed || answer.arrayBuffer()));
    expect(releases()).toBe(2);
  });
});

test.each([
  ['HEAD, which has no body', request('HEAD', PATH), ' 200 '],
  ['a 304', request('GET', PATH).replace('\r\n\r\n', '\r\nIf-None-Match: *\r\n\r\n'), ' 304 '],
])('the answer to %s releases the body that it was made of', async (_, text, status) => {
  const { app, released } = await startBorrowing();
  const socket = open(app);
  socket.write(text);
  const [head] = await once(socket, 'data');
  expect(String(head)).toContain(status);
  await released;
});

test('a body is released when its client disconnects in the middle of it', async () => {
  const { app, released, releases } = await startBorrowing();
  const socket = open(app);
  socket.write(request('GET', PATH));
  await once(socket, 'data');
  expect(releases()).toBe(0);
  socket.destroy();
  await released;
});

test('a body is released whose client has gone before it was ready', async () => {
  const [asked, ready] = [deferred<void>(), deferred<void>()];
  const { app, released } = await startBorrowing({}, () => {
    asked.resolve();
    return ready.promise;
  });
  const socket = open(app);
  socket.write(request('GET', PATH));
  await asked.promise;
  socket.destroy();
  // Meanwhile the service hears of it.
  for (let at = 0; at < 3; at++) await app.get('/health');
  ready.resolve();
  await released;
});

test('a body that waits behind another answer is released when their connection closes', async () => {
  const { app, released, releases } = await startBorrowing();
  const socket = open(app);
  socket.write(request('GET', PATH.replace('-78', '0').replace('-76', '1')) + request('GET', PATH));
  // Its line is logged when it has been written.
  while (!app.logLines.some((line) => line.includes('/v1/providers/geojson'))) await app.get('/health');
  expect(releases()).toBe(0);
  socket.destroy();
  await released;
});

test('a client that reads nothing of its answer is disconnected, which releases the body', async () => {
  const { app, released } = await startBorrowing({ answerTimeoutMs: 200 });
  const socket = open(app);
  const closed = once(socket, 'close');
  socket.pause();
  socket.write(request('GET', PATH));
  await released;
  // Reading on, it finds that the rest is not coming.
  socket.on('error', () => {}).resume();
  await closed;
});

test('a client that reads nothing after the first of its pipelined answers is disconnected, too', async () => {
  const { app, released } = await startBorrowing({ answerTimeoutMs: 200 });
  const socket = open(app);
  const closed = once(socket, 'close');
  socket.pause();
  socket.write(request('GET', '/health') + request('GET', PATH));
  await released;
  socket.on('error', () => {}).resume();
  await closed;
});

describe('of clients that do not read', () => {
  /** The application with answers of their own bytes, or all of the same, and room for two and a half of them. */
  async function startSlow(isShared: boolean): Promise<TestApp> {
    const same = Buffer.alloc(LENGTH, 'a');
    const run: QueryPool['run'] = () =>
      Promise.resolve({ ok: true, body: isShared ? same : Buffer.alloc(LENGTH, 'a') });
    return await startTestApp({ current: liveWith(run), cacheMaxSize: 0, unreadMaxBytes: 2.5 * LENGTH });
  }

  /** Asks for an answer, reads its beginning and no more. */
  async function begin(app: TestApp): Promise<Socket> {
    const socket = open(app);
    socket.write(request('GET', PATH).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    await once(socket, 'readable');
    return socket;
  }

  /** How many bytes of the body arrive if the client reads on. */
  const readOn = async (socket: Socket): Promise<number> => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
    await once(socket, 'close');
    const all = Buffer.concat(chunks);
    return all.length - all.indexOf('\r\n\r\n') - 4;
  };

  test('the one that has waited longest is let go where their answers take too much memory', async () => {
    const app = await startSlow(false);
    const sockets = [await begin(app), await begin(app), await begin(app)];
    const [first, ...others] = await Promise.all(sockets.map(readOn));
    expect(first).toBeLessThan(LENGTH);
    expect(others).toEqual([LENGTH, LENGTH]);
  });

  test('none is let go where their answers are the same bytes', async () => {
    const app = await startSlow(true);
    const sockets = [await begin(app), await begin(app), await begin(app)];
    expect(await Promise.all(sockets.map(readOn))).toEqual([LENGTH, LENGTH, LENGTH]);
  });

  test('an answer counts only until it is read, and one alone may be of any size', async () => {
    const app = await startSlow(false);
    for (let at = 0; at < 4; at++) expect(await readOn(await begin(app))).toBe(LENGTH);
    const tight = await startTestApp({
      current: liveWith(() => Promise.resolve({ ok: true, body: Buffer.alloc(LENGTH, 'a') })),
      cacheMaxSize: 0,
      unreadMaxBytes: 1,
    });
    expect(await readOn(await begin(tight))).toBe(LENGTH);
  });
});
