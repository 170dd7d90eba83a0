import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deferred } from '../../../src/core/deferred.js';
import type { Geocoder } from '../../../src/geocode/geocoder.js';
import type { QueryPool } from '../../../src/pool/pool.js';
import { PoolError, type Reply } from '../../../src/pool/request.js';
import { eventually } from '../../support/eventually.js';
import { APP_KEY, liveWith, startTestApp as start } from '../../support/test-app.js';
import { TINY_TRACTS, tinyRecord } from '../../support/tiny-dataset.js';

/** Stands for a patient's address: it must not appear in any line of the log. */
const MARKED = 'Marked-Street';

const geocoderGiving = (geocode: Geocoder['geocode']): Geocoder => ({ geocode });

test('a 500 tells the client nothing, and the log its request id, class and places but no message', async () => {
  const broken = vi.fn(() => Promise.reject(new RangeError(`cannot parse ${MARKED}`)));
  const { get, logLines } = await start({ current: liveWith(vi.fn()), geocoder: geocoderGiving(broken) });
  const response = await get(`/v1/context?address=${MARKED}`);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ error: true, status_code: 500, detail: 'Internal server error.' });
  expect(broken).toHaveBeenCalledExactlyOnceWith(MARKED);
  const line = logLines.map((entry) => JSON.parse(entry)).find((entry) => entry.level === 'error');
  expect(line).toMatchObject({
    request_id: response.headers.get('x-request-id'),
    route: '/v1/context',
    error: 'RangeError',
    frames: expect.arrayContaining([expect.stringContaining('app.test.ts')]),
  });
  expect(logLines.join('')).not.toContain(MARKED);
});

test('a search that breaks is a 500, and what it says of the request is nowhere', async () => {
  const { get, logLines } = await start({ current: liveWith(() => Promise.reject(new Error(`${MARKED} at 45.1234`))) });
  const response = await get('/v1/nearby?lat=45.1234&lng=-95');
  expect(await response.json()).toEqual({ error: true, status_code: 500, detail: 'Internal server error.' });
  expect(logLines.join('')).toContain('unexpected error');
  expect(logLines.join('')).not.toMatch(/Marked|45\.1234/);
});

test('every request is one line with route pattern, status and key id, without query, coordinates or key', async () => {
  const { get, logLines } = await start();
  const paths = [
    `/v1/context?address=${MARKED}`,
    '/v1/nearby?lat=12.3456&lng=65.4321',
    `/v1/tracts/${MARKED}`,
    `/${MARKED}`,
    `/v1/tracts/%ff${MARKED}`,
  ];
  for (const path of paths) await (await get(path)).text();
  await eventually(() => expect(logLines).toHaveLength(paths.length));
  expect(logLines.map((line) => JSON.parse(line))).toMatchObject([
    { route: '/v1/context', method: 'GET', status: 503, key_id: expect.stringMatching(/^[0-9a-f]{16}$/) },
    { route: '/v1/nearby', status: 503, duration_ms: expect.any(Number) },
    { route: '/v1/tracts/:geoid', status: 422 },
    { route: 'none', status: 404 },
    { route: 'none', status: 400 },
  ]);
  expect(logLines.join('')).not.toMatch(new RegExp(`${MARKED}|12\\.3456|65\\.4321|${APP_KEY}`));
});

test('a refused key is named in the log by its id if it was issued, and the answer is the same for one that was not', async () => {
  const id = '0123456789abcdef';
  const keyring = {
    size: 1,
    identify: () => undefined,
    findRefused: (text: string) => (text === APP_KEY ? id : undefined),
  };
  const { get, logLines } = await start({ keyring });
  const answers = [];
  for (const key of [APP_KEY, 'another-key']) {
    const response = await get('/v1/stats', { headers: { 'X-API-Key': key } });
    answers.push([response.status, await response.text()]);
  }
  expect(answers[0]?.[0]).toBe(403);
  expect(answers[1]).toEqual(answers[0]);
  await eventually(() => expect(logLines).toHaveLength(2));
  const [expired, unknown] = logLines.map((line) => JSON.parse(line));
  expect(expired).toMatchObject({ status: 403, key_id: null, refused_key_id: id });
  expect(unknown).toMatchObject({ status: 403, key_id: null });
  expect(unknown).not.toHaveProperty('refused_key_id');
  expect(logLines.join('')).not.toMatch(new RegExp(`another-key|${APP_KEY}`));
});

test('an address wins over coordinates, and its answer carries the matched address', async () => {
  const [tract] = TINY_TRACTS;
  const match = { lat: tract?.lat ?? 0, lng: tract?.lng ?? 0, matchedAddress: '1 "MAIN" ST, PEÑA' };
  const { get } = await start({ current: liveWith(vi.fn()), geocoder: geocoderGiving(() => Promise.resolve(match)) });
  const response = await get('/v1/context?address=x&lat=0&lng=0');
  expect(await response.json()).toEqual({
    location: { lat: match.lat, lng: match.lng, matched_address: match.matchedAddress },
    tract: tract && tinyRecord(tract),
    narrative: null,
  });
});

test('an address that no geocoder can be asked about is a 502, not a place that does not exist', async () => {
  const { get } = await start({ current: liveWith(vi.fn()) });
  const response = await get('/v1/context?address=x');
  expect(await response.json()).toEqual({ error: true, status_code: 502, detail: 'Geocoder unavailable.' });
});

test('no address is sent to a geocoder if no dataset is loaded', async () => {
  const geocode = vi.fn();
  const { get } = await start({ geocoder: geocoderGiving(geocode) });
  const response = await get('/v1/context?address=x');
  expect([response.status, geocode.mock.calls]).toEqual([503, []]);
});

test('an address that nothing matches is a 404', async () => {
  const { get } = await start({
    current: liveWith(vi.fn()),
    geocoder: geocoderGiving(() => Promise.resolve({ noMatch: 'no match' })),
  });
  const response = await get('/v1/context?address=x');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ detail: 'No census tract found for this location' });
});

test.each<[string, QueryPool['offer']]>([
  ['a full queue', () => undefined],
  ['a search that takes too long', () => Promise.reject(new PoolError('deadline'))],
])('%s is a 503 with Retry-After', async (_, offer) => {
  const { get } = await start({ current: liveWith(offer) });
  for (const path of ['nearby?lat=45&lng=-95', 'providers/geojson?bbox=-96,44,-94,46']) {
    const response = await get(`/v1/${path}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const detail = 'The service is busy. Try again shortly.';
    expect(await response.json()).toEqual({ error: true, status_code: 503, detail });
  }
});

test('a worker that cannot read the dataset is a 503, without the reason', async () => {
  const reply = { ok: false, code: 'dataset-unreadable', detail: 'secret' } as const;
  const { get } = await start({ current: liveWith(() => Promise.resolve(reply)) });
  const response = await get('/v1/nearby?lat=45&lng=-95');
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ detail: 'The dataset cannot be read just now.' });
});

test('nearby asks the pool with the contract’s defaults', async () => {
  const run = vi.fn<QueryPool['run']>(() => Promise.resolve({ ok: true, body: Buffer.from('{}') }));
  const { get } = await start({ current: liveWith(run) });
  expect((await get('/v1/nearby?lat=45&lng=-95')).status).toBe(200);
  const query = { center: { lat: 45, lng: -95 }, radiusMiles: 5, limit: 25, offset: 0 };
  expect(run).toHaveBeenCalledExactlyOnceWith({ kind: 'nearby', query }, { gone: expect.any(Function) });
});

test('an answer is the same whether it is sent from the cache or not, a large one too', async () => {
  const [held, fresh] = await Promise.all(
    [10, 0].map((cacheMaxSize) => start({ current: liveWith(vi.fn()), cacheMaxSize })),
  );
  const headers = { 'X-API-Key': APP_KEY, 'Accept-Encoding': 'identity' };
  const [first, second] = await Promise.all([held, fresh].map((app) => app?.get('/v1/dictionary', { headers })));
  const body = (await second?.text()) ?? '';
  expect(Buffer.byteLength(body)).toBeGreaterThan(16 * 1024);
  expect(second?.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
  expect(await first?.text()).toBe(body);
  expect(second?.status).toBe(200);
});

test('while the server stops, answers close their connections', async () => {
  const { get } = await start({ draining: () => true });
  expect((await get('/health')).headers.get('connection')).toBe('close');
});

test('a client that goes away in the middle is logged as aborted and breaks nothing', async () => {
  const connected = deferred<Socket>();
  const tell = (message: unknown): void => connected.resolve((message as { socket: Socket }).socket);
  subscribe('net.server.socket', tell);
  onTestFinished(() => {
    unsubscribe('net.server.socket', tell);
  });
  const asked = deferred<void>();
  const reply = deferred<Reply>();
  const run: QueryPool['run'] = () => {
    asked.resolve();
    return reply.promise;
  };
  const { get, logLines } = await start({ current: liveWith(run) });
  const gone = new AbortController();
  const request = get('/v1/nearby?lat=45&lng=-95', { headers: { 'X-API-Key': APP_KEY }, signal: gone.signal }).catch(
    () => 'gone',
  );
  await asked.promise;
  const closed = once(await connected.promise, 'close');
  gone.abort();
  expect(await request).toBe('gone');
  await closed;
  reply.resolve({ ok: true, body: Buffer.from('{}') });
  await eventually(() => expect(logLines.join('')).toContain('"aborted":true'));
  expect((await get('/health')).status).toBe(200);
});

test('a request that is refused while it is being answered is logged and counted once, as refused', async () => {
  const { url, get, logLines } = await start();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const head = ['GET /health HTTP/1.1', 'Host: x', 'X-Request-ID: mine', 'Transfer-Encoding: chunked'];
  socket.write(`${head.join('\r\n')}\r\n\r\nNONSENSE\r\n`);
  expect(await text(socket)).toMatch(
    /^HTTP\/1\.1 400 .*\r\nX-Request-ID: mine\r\n.*"The request is not valid HTTP: Invalid character in chunk size."}$/s,
  );
  await eventually(() => expect(logLines).toHaveLength(1));
  const line = JSON.parse(logLines.join(''));
  expect(line).toMatchObject({ route: '/health', method: 'GET', status: 400, request_id: 'mine' });
  expect(line).not.toHaveProperty('aborted');
  expect(await (await get('/metrics')).json()).toMatchObject({ total_requests: 1, status_codes: { 400: 1 } });
});

test.each(['Content-Type: text/plain', 'Content-Encoding: gzip'])(
  'a client that waits to be asked for its body is not asked for one with %s',
  async (header) => {
    const { url } = await start();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const head = ['POST /v1/batch HTTP/1.1', 'Host: x', `X-API-Key: ${APP_KEY}`, header, 'Content-Length: 9'];
    socket.write(`${[...head, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 422 .*\r\nConnection: close\r\n.*"json_invalid"}]}$/s);
  },
);

test('a failure after an answer is written is logged, and does not delay the answers after it', async () => {
  let counted = 0;
  const countUse = (): void => {
    if (++counted === 1) throw new RangeError('a counter is broken');
  };
  const { url, logLines } = await start({ countUse });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(`GET /v1/nowhere HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${APP_KEY}\r\n\r\n`.repeat(3));
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await eventually(() => expect(text.match(/HTTP\/1\.1 404/g)).toHaveLength(3));
  expect(counted).toBe(3);
  expect(logLines.join('')).toContain('RangeError');
});

test('an answer that cannot be written ends its connection, and is logged as an error and as aborted', async () => {
  const draining = vi
    .fn(() => false)
    .mockImplementationOnce(() => {
      throw new RangeError('a header is broken');
    });
  const { get, logLines } = await start({ draining });
  await expect(get('/v1/nowhere')).rejects.toThrow('fetch failed');
  await eventually(() => expect(logLines).toHaveLength(2));
  expect(logLines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', error: 'RangeError' },
    { level: 'info', status: 404, aborted: true },
  ]);
  expect((await get('/v1/nowhere')).status).toBe(404);
});

test('another build of the program names its answers otherwise', async () => {
  const tagOf = async (edition: string): Promise<string | null> => {
    const run: QueryPool['run'] = () => Promise.resolve({ ok: true, body: Buffer.from('{}'), release: () => {} });
    const { get } = await start({ edition, current: liveWith(run) });
    const answer = await get('/v1/nearby?lat=39&lng=-75', { headers: { 'X-API-Key': APP_KEY } });
    expect(answer.status).toBe(200);
    return answer.headers.get('etag');
  };
  const [one, same, other] = [await tagOf('build-1'), await tagOf('build-1'), await tagOf('build-2')];
  expect(one).toMatch(/^W\/"[0-9a-f]{32}"$/);
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

test('metrics that one client asks for many times at once are written once', async () => {
  const deliveries = vi.fn(() => Promise.resolve([]));
  const { url } = await start({ deliveries });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: text/plain\r\n\r\n'.repeat(100));
  await eventually(() => expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(100));
  // One write may be read in a few pieces.
  expect(deliveries.mock.calls.length).toBeLessThan(10);
  const { length } = deliveries.mock.calls;
  socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: text/plain\r\n\r\n');
  await eventually(() => expect(deliveries).toHaveBeenCalledTimes(length + 1));
});
