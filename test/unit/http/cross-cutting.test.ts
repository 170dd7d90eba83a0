import { connect } from 'node:net';
import querystring from 'node:querystring';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import type { QueryPool } from '../../../src/pool/pool.js';
import { APP_KEY, liveWith, startTestApp, type TestApp } from '../../support/test-app.js';
import { TINY_TRACTS, tinyRecord } from '../../support/tiny-dataset.js';

const [FIRST] = TINY_TRACTS;
const TRACT = `/v1/tracts/${FIRST?.geoid}`;
const NEARBY = '/v1/nearby?lat=45&lng=-95';
const KEY = { 'X-API-Key': APP_KEY };

/** An answer long enough to be compressed. */
const LONG = JSON.stringify({ tracts: Array(200).fill('a tract') });
const answering = (body: string): QueryPool['run'] =>
  vi.fn<QueryPool['run']>(() => Promise.resolve({ ok: true, body: Buffer.from(body) }));

/** A request as it is, without what `fetch` adds and opens. */
async function raw(app: TestApp, path: string, headers: Record<string, string>, method = 'GET') {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  const lines = Object.entries({ Host: 'x', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  socket.setEncoding('latin1');
  const answer = await text(socket);
  const [head = '', body = ''] = [
    answer.slice(0, answer.indexOf('\r\n\r\n')),
    answer.slice(answer.indexOf('\r\n\r\n') + 4),
  ];
  return { status: Number(head.slice(9, 12)), head, body: Buffer.from(body, 'latin1') };
}

describe('the rate limit', () => {
  const limitOf = ({ headers }: Response) =>
    ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'].map((name) => headers.get(name));

  test('is shown on every answer to a known key, errors included, and ends in 429', async () => {
    const { get } = await startTestApp({ current: liveWith(answering('{}')), rateLimitMax: 8 });
    const requests: [string, RequestInit, number][] = [
      [TRACT, {}, 200],
      [TRACT, { method: 'HEAD', headers: KEY }, 200],
      ['/v1/unknown', {}, 404],
      ['/v1/tracts/99999999999', {}, 404],
      [NEARBY, { method: 'DELETE', headers: KEY }, 405],
      [NEARBY, { method: 'POST', headers: KEY, body: 'x'.repeat(256 * 1024 + 1) }, 413],
      ['/v1/tracts/x', {}, 422],
      ['/v1/tracts/%ff', {}, 400],
    ];
    for (const [at, [path, init, status]] of requests.entries()) {
      const response = await get(path, init);
      expect(response.status).toBe(status);
      expect(limitOf(response)).toEqual(['8', String(7 - at), '60', null]);
    }
    for (const path of [TRACT, '/v1/unknown', '/v1/tracts/%ff', '/v1/nearby?lat=x']) {
      const refused = await get(path);
      expect(refused.status).toBe(429);
      expect(limitOf(refused)).toEqual(['8', '0', '60', '60']);
      expect(await refused.json()).toEqual({ error: true, status_code: 429, detail: 'Rate limit exceeded.' });
    }
  });

  test('is told on a 304, too', async () => {
    const { get } = await startTestApp({ current: liveWith(answering('{}')), rateLimitMax: 8 });
    const tag = (await get(TRACT)).headers.get('etag') ?? '';
    const response = await get(TRACT, { headers: { ...KEY, 'If-None-Match': tag } });
    expect([response.status, ...limitOf(response)]).toEqual([304, '8', '6', '60', null]);
  });

  test('is told where the rest of a request turns out to be no HTTP, too', async () => {
    const { url } = await startTestApp({ current: liveWith(answering('{}')), rateLimitMax: 8 });
    for (const [at, begin] of [`GET ${NEARBY}`, 'POST /v1/batch'].entries()) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const head = [`${begin} HTTP/1.1`, 'Host: x', `X-API-Key: ${APP_KEY}`, 'Transfer-Encoding: chunked'];
      socket.write(`${head.join('\r\n')}\r\n\r\nNONSENSE\r\n`);
      const told = ['X-RateLimit-Limit: 8', `X-RateLimit-Remaining: ${7 - at}`, 'X-RateLimit-Reset: 60'];
      expect((await text(socket)).split('\r\n')).toEqual(expect.arrayContaining(['HTTP/1.1 400 Bad Request', ...told]));
    }
  });

  test('asks nothing of OPTIONS, of system endpoints and of requests without a valid key', async () => {
    const { get } = await startTestApp({ rateLimitMax: 1 });
    for (const [path, init] of [
      [TRACT, { method: 'OPTIONS', headers: {} }],
      ['/health', {}],
      [TRACT, { headers: {} }],
      [TRACT, { headers: { 'X-API-Key': 'another' } }],
      ['/v1/tracts/%ff', { headers: {} }],
    ] as const) {
      expect(limitOf(await get(path, init))).toEqual([null, null, null, null]);
    }
    expect(await (await get('/health')).json()).toMatchObject({ rate_limiter: { active_keys: 0 } });
    expect((await get('/v1/unknown')).status).toBe(404);
    expect(await (await get('/health')).json()).toMatchObject({ rate_limiter: { active_keys: 1 } });
  });

  test('comes after the key: without one, even malformed URLs below /v1 are 401, and each is counted', async () => {
    const { get } = await startTestApp();
    const paths = ['/v1/tracts/%ff', '/v1/unknown', NEARBY];
    for (const path of paths) expect((await get(path, { headers: {} })).status).toBe(401);
    expect(await (await get('/metrics')).json()).toMatchObject({ auth_failures: paths.length });
    // What exists is told before a key is shown, but not what does not.
    const options = async (path: string) => (await get(path, { method: 'OPTIONS', headers: {} })).status;
    expect([await options(NEARBY), await options('/v1/unknown')]).toEqual([204, 401]);
  });

  test('of 0 leaves its headers out', async () => {
    const { get } = await startTestApp({ current: liveWith(answering('{}')) });
    expect(limitOf(await get(TRACT))).toEqual([null, null, null, null]);
  });
});

describe('entity tags', () => {
  test('an answer that the client has is a 304 without body, to GET and HEAD', async () => {
    const app = await startTestApp({ current: liveWith(answering('{}')) });
    const first = await app.get(TRACT);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[0-9a-f]{32}"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    for (const method of ['GET', 'HEAD']) {
      for (const header of [tag, tag.slice(2), `"x", ${tag}`, '*']) {
        const { status, head, body } = await raw(app, TRACT, { ...KEY, 'If-None-Match': header }, method);
        expect([status, body.byteLength]).toEqual([304, 0]);
        expect(head).toContain(`\r\nETag: ${tag}`);
        expect(head).not.toMatch(/\r\ncontent-(type|length)/i);
      }
    }
    expect((await app.get(TRACT, { headers: { ...KEY, 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  test('the tag depends on the parsed parameters, not on how they are written', async () => {
    const { get } = await startTestApp({ current: liveWith(answering('{}')) });
    const tagOf = async (path: string) => (await get(path)).headers.get('etag');
    expect(await tagOf('/v1/nearby?lat=45.0&lng=-9.5e1&x=1')).toBe(await tagOf(NEARBY));
    expect(await tagOf('/v1/nearby?lat=45&lng=-95&limit=2')).not.toBe(await tagOf(NEARBY));
    expect(await tagOf(TRACT)).not.toBe(await tagOf(NEARBY));
  });

  test('errors and answers of the moment have none, and `*` does not hide an error', async () => {
    // Every search is refused, as where too much waits.
    const { get } = await startTestApp({ current: liveWith(() => undefined) });
    for (const path of ['/v1/tracts/99999999999', '/v1/tracts/x', NEARBY, '/health', '/metrics']) {
      const response = await get(path, { headers: { ...KEY, 'If-None-Match': '*' } });
      expect(response.status).not.toBe(304);
      expect(response.headers.get('etag')).toBeNull();
    }
  });
});

describe('the cache', () => {
  test('answers the same question once, and shows in /metrics and /health', async () => {
    const run = answering('{}');
    const { get } = await startTestApp({ current: liveWith(run) });
    for (let time = 0; time < 4; time++) expect(await (await get(NEARBY)).text()).toBe('{}');
    expect(run).toHaveBeenCalledOnce();
    expect(await (await get('/metrics')).json()).toMatchObject({ cache: { hits: 3, misses: 1, size: 1 } });
    expect(await (await get('/health')).json()).toMatchObject({ cache: { size: 1, max_size: 7, hit_rate: 0.75 } });
  });

  test('is of no use to who has no key', async () => {
    const { get } = await startTestApp({ current: liveWith(answering('{}')) });
    const tag = (await get(NEARBY)).headers.get('etag') ?? '';
    expect((await get(NEARBY, { headers: { 'If-None-Match': tag } })).status).toBe(401);
  });

  test('never holds an answer about an address', async () => {
    const geocode = vi.fn(() => Promise.resolve({ lat: FIRST?.lat ?? 0, lng: FIRST?.lng ?? 0, matchedAddress: 'X' }));
    const { get } = await startTestApp({ current: liveWith(answering('{}')), geocoder: { geocode } });
    for (let time = 0; time < 2; time++) expect((await get('/v1/context?address=x')).status).toBe(200);
    expect(geocode).toHaveBeenCalledTimes(2);
    expect(await (await get('/health')).json()).toMatchObject({ cache: { size: 0 } });
  });
});

describe('compression', () => {
  test('a long answer is sent as the client likes it, the same to HEAD without body, from the cache or not', async () => {
    const app = await startTestApp({ current: liveWith(answering(LONG)) });
    for (let time = 0; time < 2; time++) {
      const { head, body } = await raw(app, NEARBY, { ...KEY, 'Accept-Encoding': 'br' });
      expect(head).toMatch(/\r\nContent-Encoding: br(\r\n|$)/);
      expect(head).toContain('\r\nVary: Accept-Encoding\r\n');
      expect(head).toContain(`\r\nContent-Length: ${body.byteLength}\r\n`);
      expect(brotliDecompressSync(body).toString()).toBe(LONG);
      const toHead = await raw(app, NEARBY, { ...KEY, 'Accept-Encoding': 'br' }, 'HEAD');
      expect(toHead.body.byteLength).toBe(0);
      expect(toHead.head).toContain(`\r\nContent-Length: ${body.byteLength}\r\n`);
      expect(toHead.head).toContain('\r\nContent-Encoding: br');
    }
  });

  test.each(['gzip', 'br'])('an answer in which a name is not ASCII has the same bytes in %s', async (coding) => {
    const app = await startTestApp({ current: liveWith(answering('{}')) });
    const path = `/v1/tracts/${TINY_TRACTS.find(({ geoid }) => geoid.startsWith('27003'))?.geoid}`;
    const coded = await app.get(path, { headers: { ...KEY, 'Accept-Encoding': `${coding}, identity;q=0` } });
    expect(coded.headers.get('content-encoding')).toBe(coding);
    const plain = await app.get(path, { headers: { ...KEY, 'Accept-Encoding': 'identity' } });
    const answer = await coded.text();
    expect(answer).toContain('Doña Quadra');
    expect(answer).toBe(await plain.text());
  });

  test('a short answer, or one to a client that accepts no compression, is sent uncompressed, with Vary', async () => {
    const app = await startTestApp({ current: liveWith(answering(LONG)) });
    for (const [path, headers] of [
      [NEARBY, KEY],
      ['/health', { 'Accept-Encoding': 'br' }],
    ] as const) {
      const { head } = await raw(app, path, headers);
      expect(head).not.toContain('Content-Encoding');
      expect(head).toContain('\r\nVary: Accept-Encoding\r\n');
    }
  });
});

describe('pages of other origins', () => {
  const ORIGIN = 'https://map.example';
  const preflight = {
    Origin: ORIGIN,
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'x-api-key',
  };

  test('may not ask unless a setting says so', async () => {
    const { get } = await startTestApp();
    for (const init of [{ headers: { ...KEY, Origin: ORIGIN } }, { method: 'OPTIONS', headers: preflight }]) {
      const { headers } = await get(NEARBY, init);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers.get('vary')).toBe('Accept-Encoding');
    }
  });

  test('are allowed if they are listed, others are not, and Vary tells caches so', async () => {
    const { get } = await startTestApp({ corsOrigins: [ORIGIN] });
    const granted = await get('/v1/unknown', { headers: { ...KEY, Origin: ORIGIN } });
    expect(granted.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(granted.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining');
    expect(granted.headers.get('access-control-allow-credentials')).toBeNull();
    for (const origin of ['https://other.example', 'null', `${ORIGIN}.evil.example`, ORIGIN.toUpperCase()]) {
      const { headers } = await get('/v1/unknown', { headers: { ...KEY, Origin: origin } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('vary')).toBe('Accept-Encoding, Origin');
    }
  });

  test('learn before a request, without a key, what they may send', async () => {
    const { get } = await startTestApp({ corsOrigins: [ORIGIN] });
    const { status, headers } = await get('/v1/webhooks', { method: 'OPTIONS', headers: preflight });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-allow-headers')).toBe('X-API-Key, Content-Type, X-Request-ID, If-None-Match');
    expect(headers.get('access-control-allow-methods')).toBe(headers.get('allow'));
    expect(headers.get('access-control-max-age')).toBe('7200');
    expect(headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST']);
  });

  test('learn nothing more from OPTIONS that precedes no other request', async () => {
    const { get } = await startTestApp({ corsOrigins: [ORIGIN] });
    const { headers } = await get('/v1/webhooks', { method: 'OPTIONS', headers: { Origin: ORIGIN } });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([
      'access-control-allow-origin',
      'access-control-expose-headers',
    ]);
  });

  test('may all ask where the setting is *', async () => {
    const { get } = await startTestApp({ corsOrigins: ['*'] });
    const { headers } = await get('/health', { headers: { Origin: ORIGIN } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('vary')).toBe('Accept-Encoding');
  });
});

test('answers cannot be sniffed, load nothing and stand in no frame', async () => {
  const { get } = await startTestApp();
  for (const path of ['/health', '/v1/unknown', '/unknown']) {
    const { headers } = await get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  }
});

test('whoever has no key cannot have parameters parsed', async () => {
  const { get } = await startTestApp();
  const decode = vi.spyOn(querystring, 'unescape');
  expect((await get('/metrics?a=%41', { headers: {} })).status).toBe(200);
  expect((await get('/v1/stats?a=%41', { headers: {} })).status).toBe(401);
  expect(decode).not.toHaveBeenCalled();
  await get('/v1/stats?a=%41');
  expect(decode).toHaveBeenCalled();
});

test('a tract’s record comes as it lies in the file', async () => {
  const { get } = await startTestApp({ current: liveWith(answering('{}')) });
  expect(await (await get(TRACT)).json()).toEqual(FIRST && tinyRecord(FIRST));
});
