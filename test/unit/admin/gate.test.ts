import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ADMIN_TOKEN, ask, BEARER, startTestPlane } from '../../support/admin-plane.js';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('without the token', () => {
  test.each([
    ['no header', {}],
    ['another token', { authorization: 'Bearer another-token' }],
    ['a part of it', { authorization: `Bearer ${ADMIN_TOKEN.slice(0, -1)}` }],
    ['more than it', { authorization: `Bearer ${ADMIN_TOKEN}x` }],
    ['words after it', { authorization: `Bearer ${ADMIN_TOKEN} x` }],
    ['the token alone', { authorization: ADMIN_TOKEN }],
    ['no token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${Buffer.from(`admin:${ADMIN_TOKEN}`).toString('base64')}` }],
    ['another header', { 'x-api-key': ADMIN_TOKEN, cookie: `token=${ADMIN_TOKEN}` }],
  ])('every path is 401: %s', async (_, headers) => {
    const plane = await startTestPlane();
    for (const path of ['/', '/keys.list', '/system.status?batch=1', '/nothing', '/%ff', '//', '/__proto__']) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
        const { status, headers: answered } = await ask(plane.url + path, { method, headers });
        expect({ path, method, status }).toEqual({ path, method, status: 401 });
        expect(answered['www-authenticate']).toBe('Bearer');
      }
    }
    expect(plane.refused).toHaveBeenCalledWith(401, '127.0.0.1');
  });

  test.each([
    ['is told that one is needed where there was none', {}, 'Missing token. Send it as Authorization: Bearer <token>.'],
    ['likewise in another scheme', { authorization: 'Basic YTpi' }, 'Missing token.'],
    ['is told that it is wrong where there was one', { authorization: 'Bearer another-token' }, 'Wrong token'],
  ])('who asks %s', async (_, headers, message) => {
    const { url } = await startTestPlane();
    const { status, body } = await ask(`${url}/keys.list`, { headers });
    expect([status, JSON.parse(body).error.message]).toEqual([401, expect.stringContaining(message)]);
  });

  test('a token in the query string is none', async () => {
    const { url } = await startTestPlane();
    const query = `token=${ADMIN_TOKEN}&access_token=${ADMIN_TOKEN}&authorization=Bearer%20${ADMIN_TOKEN}`;
    expect((await ask(`${url}/keys.list?${query}`)).status).toBe(401);
  });

  test('whatever is asked, nothing else is told', async () => {
    const plane = await startTestPlane();
    const paths = fc.string({
      unit: fc.constantFrom('/', '.', 'keys', 'list', '?', '%00', 'input=', ',', 'é'),
      maxLength: 9,
    });
    await fc.assert(
      fc.asyncProperty(paths, fc.constantFrom('GET', 'POST', 'PUT'), async (path, method) => {
        const { status, body } = await ask(`${plane.url}/${encodeURI(path)}`, {
          method,
          headers: JSON_TYPE,
          body: '{}',
        });
        expect(status).toBe(401);
        expect(JSON.parse(body)).toMatchObject({ error: { data: { code: 'UNAUTHORIZED', httpStatus: 401 } } });
      }),
      { numRuns: 40 },
    );
  });
});

test.each([
  ['the scheme in lower case', { authorization: `bearer ${ADMIN_TOKEN}` }],
  ['several spaces', { authorization: `Bearer   ${ADMIN_TOKEN}` }],
  ['an address that was typed, of which a browser says so', { ...BEARER, 'sec-fetch-site': 'none' }],
])('with the token, procedures are reached: %s', async (_, headers) => {
  const { url } = await startTestPlane();
  expect((await ask(`${url}/system.status`, { headers })).status).toBe(200);
});

describe('a page in a browser on the same machine', () => {
  test.each([
    ['that has its name resolve to this machine', { host: 'evil.example:8001' }],
    ['on another port of this machine', { origin: 'http://127.0.0.1:3000' }],
    ['that has no origin', { origin: 'null' }],
    ['of another site, in an image', { 'sec-fetch-site': 'cross-site' }],
    ['of the same name', { 'sec-fetch-site': 'same-origin' }],
  ])('is refused even with the token: %s', async (_, headers) => {
    const { url, refused } = await startTestPlane();
    expect((await ask(`${url}/system.status`, { headers: { ...BEARER, ...headers } })).status).toBe(403);
    expect(refused).toHaveBeenCalledWith(403, '127.0.0.1');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'text/plain; application/json',
    '',
  ])('cannot send a form: %j', async (type) => {
    const { url, world, refused } = await startTestPlane();
    const headers = { ...BEARER, ...(type && { 'content-type': type }) };
    const sent = { method: 'POST', headers, body: '{"name":"x"}' };
    expect((await ask(`${url}/keys.issue`, sent)).status).toBe(415);
    expect(refused).toHaveBeenCalledExactlyOnceWith(415, '127.0.0.1');
    expect(await world.registry.list({ limit: 1 })).toEqual([]);
  });

  test('is told of no rights by CORS headers', async () => {
    const { url } = await startTestPlane();
    const { headers } = await ask(`${url}/system.status`, { headers: BEARER });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });
});

test.each([
  'localhost:1',
  'LOCALHOST',
  'admin.localhost',
  '127.0.0.1:8001',
  '[::1]:8001',
  '10.1.2.3',
  'admin.example:9',
  'ADMIN.example:9',
  'tract_context:8001',
])('a Host that nobody else can have, or that is allowed, is served: %s', async (host) => {
  const { url } = await startTestPlane({ hostNames: ['Admin.example', 'tract_context'] });
  expect((await ask(`${url}/system.status`, { headers: { ...BEARER, host } })).status).toBe(200);
});

test.each([
  '',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'a@127.0.0.1',
  '[::1',
  '[abc]:8001',
  '127.0.0.1:x',
  'localhost:1/',
])('any other Host is not: %j', async (host) => {
  const { url } = await startTestPlane();
  expect((await ask(`${url}/system.status`, { headers: { ...BEARER, host } })).status).toBe(403);
});

test('changes are made by POST alone, and other methods are not known', async () => {
  const { url, world } = await startTestPlane();
  const input = encodeURIComponent(JSON.stringify({ name: 'x' }));
  expect((await ask(`${url}/keys.issue?input=${input}`, { headers: BEARER })).status).toBe(405);
  for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD', 'TRACE']) {
    expect((await ask(`${url}/keys.list`, { method, headers: BEARER })).status).toBe(405);
  }
  expect(await world.registry.list({ limit: 1 })).toEqual([]);
});

test.each(['application/json; charset=utf-8', 'Application/JSON'])('a change may be sent as %s', async (type) => {
  const { url, world } = await startTestPlane();
  const headers = { ...BEARER, 'content-type': type };
  expect((await ask(`${url}/keys.issue`, { method: 'POST', headers, body: '{"name":"x"}' })).status).toBe(200);
  expect(await world.registry.list({ limit: 2 })).toHaveLength(1);
});

test('a body that is too large is refused, whether or not it says so before', async () => {
  const { url } = await startTestPlane();
  const body = JSON.stringify({ name: 'x'.repeat(70_000) });
  const headers = { ...BEARER, ...JSON_TYPE };
  expect((await ask(`${url}/keys.issue`, { method: 'POST', headers, body })).status).toBe(413);
  const chunked = { ...headers, 'transfer-encoding': 'chunked' };
  expect((await ask(`${url}/keys.issue`, { method: 'POST', headers: chunked, body })).status).toBe(413);
});

test('a batch that is too large is refused before any of it is done', async () => {
  const { url, world } = await startTestPlane();
  const batch = (calls: number) => ({
    path: `${url}/${Array(calls).fill('keys.issue').join(',')}?batch=1`,
    body: JSON.stringify(Object.fromEntries(Array.from({ length: calls }, (_, at) => [at, { name: `key ${at}` }]))),
  });
  const send = ({ path, body }: ReturnType<typeof batch>) =>
    ask(path, { method: 'POST', headers: { ...BEARER, ...JSON_TYPE }, body });
  expect((await send(batch(21))).status).toBe(400);
  expect(await world.registry.list({ limit: 1 })).toEqual([]);
  expect((await send(batch(20))).status).toBe(200);
  expect(await world.registry.list({ limit: 100 })).toHaveLength(20);
});
