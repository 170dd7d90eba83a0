import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceProcess, startService, TEST_KEY } from '../support/service-process.js';
import { publishTinyDataset, TINY_TRACTS, type TinyTract, tinyRecord } from '../support/tiny-dataset.js';

let datasetsDir: string;
let service: ServiceProcess;

beforeAll(async () => {
  datasetsDir = mkdtempSync(join(tmpdir(), 'tract-context-'));
  publishTinyDataset(datasetsDir);
  service = await startService(datasetsDir, { CACHE_MAX_SIZE: '123' });
});

afterAll(async () => {
  service.signal('SIGTERM');
  await service.exited;
  rmSync(datasetsDir, { recursive: true, force: true });
});

const tractAt = (row: number): TinyTract => {
  const tract = TINY_TRACTS[row];
  if (!tract) throw new RangeError(`no tract ${row}`);
  return tract;
};

/** Status and body of a GET with the test's key. */
async function get(path: string): Promise<{ status: number; body: unknown }> {
  const response = await service.fetch(path);
  return { status: response.status, body: await response.json() };
}

const failure = (status: number, detail: unknown) => ({ status, body: { error: true, status_code: status, detail } });

describe('GET /health', () => {
  test('says without a key that a dataset is mapped and that its values are synthetic', async () => {
    const response = await fetch(`${service.url}/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: 'ok',
      database: 'connected',
      detail: 'synthetic demo data: no value was measured',
      cache: { size: 0, max_size: 123, hit_rate: 0 },
      rate_limiter: { active_keys: 0 },
      uptime_seconds: expect.any(Number),
    });
  });
});

describe('keys', () => {
  const without = failure(401, 'Missing API key. Send it in the X-API-Key header.');
  const wrong = failure(403, 'Invalid API key.');
  test.each([
    ['no key', {}, without],
    ['an empty key', { 'X-API-Key': '' }, without],
    ['a wrong key', { 'X-API-Key': `${TEST_KEY}x` }, wrong],
    ['a key that is too long', { 'X-API-Key': 'k'.repeat(257) }, wrong],
  ])('%s gives access to nothing below /v1, known or unknown, whatever else is wrong', async (_, headers, expected) => {
    for (const path of ['/v1/context?lat=x', '/v1/nearby', `/v1/tracts/${tractAt(0).geoid}`, '/v1/unknown', '/v1']) {
      const response = await service.fetch(path, { headers });
      expect({ status: response.status, body: await response.json() }).toEqual(expected);
    }
  });

  test.each([
    'http://x/v1/context?lat=45.05&lng=-94.95',
    '//v1/context',
    '/V1/context',
    '/v1%2fcontext',
    '/./v1/context',
  ])('no spelling of a path gets around the key: %s', async (target) => {
    const answer = await service.exchange(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 (401|404) /);
  });
});

describe('GET /v1/context', () => {
  test.each(TINY_TRACTS.map((tract, row) => [tract.name, row] as const))(
    'gives the tract around a point: %s',
    async (_, row) => {
      const tract = tractAt(row);
      expect(await get(`/v1/context?lat=${tract.lat}&lng=${tract.lng}`)).toEqual({
        status: 200,
        body: {
          location: { lat: tract.lat, lng: tract.lng, matched_address: `${tract.lat},${tract.lng}` },
          tract: tinyRecord(tract),
          narrative: null,
        },
      });
    },
  );

  test('the matched address of a point is its normalized coordinates', async () => {
    const { body } = await get('/v1/context?lat=45.0500&lng=-9.495e1');
    expect(body).toMatchObject({ location: { matched_address: '45.05,-94.95' } });
  });

  test.each(['', '?lat=45', '?lng=-95', '?narrative=true'])('without a whole location is a 400: %j', async (query) => {
    expect(await get(`/v1/context${query}`)).toEqual(failure(400, "Provide either 'address' or both 'lat' and 'lng'."));
  });

  test('a point outside all tracts is a 404', async () => {
    expect(await get('/v1/context?lat=30&lng=-40')).toEqual(failure(404, 'No census tract found for this location'));
  });

  test('an address that nothing matches is a 404', async () => {
    const expected = failure(404, 'No census tract found for this location');
    expect(await get('/v1/context?address=1+Nowhere+St')).toEqual(expected);
  });

  test.each([
    ['lat=91&lng=0', ['query', 'lat'], 'less_than_equal'],
    ['lat=-91&lng=0', ['query', 'lat'], 'greater_than_equal'],
    ['lat=0&lng=180.1', ['query', 'lng'], 'less_than_equal'],
    ['lat=0&lng=-181', ['query', 'lng'], 'greater_than_equal'],
    ['lat=NaN&lng=0', ['query', 'lat'], 'float_parsing'],
    ['lat=&lng=0', ['query', 'lat'], 'float_parsing'],
    ['lat=1&lat=1&lng=0', ['query', 'lat'], 'value_error'],
    ['address=', ['query', 'address'], 'string_too_short'],
    [`address=${'x'.repeat(501)}`, ['query', 'address'], 'string_too_long'],
    ['address=x&address=y', ['query', 'address'], 'value_error'],
    ['lat=0&lng=0&narrative=perhaps', ['query', 'narrative'], 'bool_parsing'],
  ])('%s is a 422', async (query, loc, type) => {
    expect(await get(`/v1/context?${query}`)).toEqual(failure(422, [{ loc, msg: expect.any(String), type }]));
  });

  test('unknown parameters are ignored, even if given twice', async () => {
    expect((await get('/v1/context?lat=45.05&lng=-94.95&x=1&x=2&__proto__=1')).status).toBe(200);
  });
});

describe('GET /v1/nearby', () => {
  test('gives the tracts within the radius, nearest first, with all of their fields', async () => {
    const center = tractAt(0);
    const { status, body } = await get(`/v1/nearby?lat=${center.lat}&lng=${center.lng}&radius=7&limit=2`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      center: { lat: center.lat, lng: center.lng },
      radius_miles: 7,
      count: 2,
      total: 3,
      offset: 0,
      limit: 2,
    });
    expect(body).toHaveProperty('tracts', [summary(0, 0), summary(1, 4.88)]);
  });

  test('its defaults are 5 miles, 25 tracts, from the first', async () => {
    const center = tractAt(0);
    const { body } = await get(`/v1/nearby?lat=${center.lat}&lng=${center.lng}`);
    expect(body).toMatchObject({ radius_miles: 5, limit: 25, offset: 0, count: 2, total: 2 });
  });

  test('a page after the last is empty and keeps the total', async () => {
    const center = tractAt(0);
    const { body } = await get(`/v1/nearby?lat=${center.lat}&lng=${center.lng}&offset=1000000`);
    expect(body).toMatchObject({ count: 0, total: 2, tracts: [] });
  });

  test.each([
    ['lng=0', ['query', 'lat'], 'missing'],
    ['lat=0', ['query', 'lng'], 'missing'],
    ['lat=0x1&lng=0', ['query', 'lat'], 'float_parsing'],
    ['lat=0&lng=0&radius=0', ['query', 'radius'], 'greater_than'],
    ['lat=0&lng=0&radius=50.1', ['query', 'radius'], 'less_than_equal'],
    ['lat=0&lng=0&radius=Infinity', ['query', 'radius'], 'float_parsing'],
    ['lat=0&lng=0&limit=0', ['query', 'limit'], 'greater_than_equal'],
    ['lat=0&lng=0&limit=101', ['query', 'limit'], 'less_than_equal'],
    ['lat=0&lng=0&limit=1.5', ['query', 'limit'], 'int_parsing'],
    ['lat=0&lng=0&offset=-1', ['query', 'offset'], 'greater_than_equal'],
    ['lat=0&lng=0&offset=1000001', ['query', 'offset'], 'less_than_equal'],
  ])('%s is a 422', async (query, loc, type) => {
    expect(await get(`/v1/nearby?${query}`)).toEqual(failure(422, [{ loc, msg: expect.any(String), type }]));
  });

  function summary(row: number, distanceMiles: number): Record<string, unknown> {
    const { svi_themes, places_measures, epa_data, state_fips, county_fips, tract_code, ...rest } = tinyRecord(
      tractAt(row),
    );
    return { ...rest, distance_miles: distanceMiles };
  }
});

describe('GET /v1/tracts/{geoid}', () => {
  test.each([0, 10, 29])('gives the whole record: row %i', async (row) => {
    expect(await get(`/v1/tracts/${tractAt(row).geoid}`)).toEqual({ status: 200, body: tinyRecord(tractAt(row)) });
  });

  test.each(['00000000000', '27001000150', '99999999999'])('%s, which is not loaded, is a 404', async (geoid) => {
    expect(await get(`/v1/tracts/${geoid}`)).toEqual(failure(404, `Tract ${geoid} not found.`));
  });

  test.each(['2700100010', '270010001000', '2700100010x', '%20'])('%s, which is no GEOID, is a 422', async (geoid) => {
    const issue = {
      loc: ['path', 'geoid'],
      msg: "String should match pattern '^\\d{11}$'",
      type: 'string_pattern_mismatch',
    };
    expect(await get(`/v1/tracts/${geoid}`)).toEqual(failure(422, [issue]));
  });
});

describe('every answer', () => {
  const paths = [
    '/health',
    '/v1/context?lat=45.05&lng=-94.95',
    '/v1/nearby?lat=45.05&lng=-94.95',
    '/v1/unknown',
    '/unknown',
  ];

  test.each(paths)('echoes a usable X-Request-ID and makes one in place of another: %s', async (path) => {
    const idFor = async (sent: string): Promise<string | null> => {
      const response = await service.fetch(path, { headers: { 'X-API-Key': TEST_KEY, 'X-Request-ID': sent } });
      return response.headers.get('x-request-id');
    };
    expect(await idFor('Trace_1.a-b')).toBe('Trace_1.a-b');
    expect(await idFor('a'.repeat(128))).toBe('a'.repeat(128));
    for (const unusable of ['', 'a b', 'a'.repeat(129), 'a/b'])
      expect(await idFor(unusable)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(paths)(
    'is JSON that is not to be sniffed, nor kept by others, and does not name its framework: %s',
    async (path) => {
      const { headers } = await service.fetch(path);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toMatch(/^(private, no-cache|no-store)$/);
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );

  test.each(paths)('to HEAD is the same without its body: %s', async (path) => {
    const [whole, head] = await Promise.all([
      service.fetch(path),
      service.fetch(path, { method: 'HEAD', headers: { 'X-API-Key': TEST_KEY } }),
    ]);
    expect(head.status).toBe(whole.status);
    expect(await head.text()).toBe('');
    const length = Number(head.headers.get('content-length'));
    const difference = Math.abs((await whole.text()).length - length);
    // Only the uptime in /health differs, from `9` to `10.234` seconds at most.
    expect(difference).toBeLessThanOrEqual(path === '/health' ? '10.234'.length - '9'.length : 0);
  });
});

describe('requests that match no route', () => {
  test.each(['/', '/unknown', '/v1/unknown', '/v1', '/v1/tracts', '/healthy'])('%s is a 404', async (path) => {
    expect(await get(path)).toEqual(failure(404, 'Not Found'));
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])(
    '%s is a 405 that names what is allowed',
    async (method) => {
      for (const path of ['/health', '/v1/context', '/v1/nearby', '/v1/tracts/27001000100']) {
        const response = await service.fetch(path, { method, headers: { 'X-API-Key': TEST_KEY } });
        expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
        expect({ status: response.status, body: await response.json() }).toEqual(failure(405, 'Method Not Allowed'));
      }
    },
  );

  test('OPTIONS tells what is allowed, without a key', async () => {
    const response = await service.fetch('/v1/context', { method: 'OPTIONS', headers: {} });
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
      '',
    ]);
  });

  test('a body over 256 KiB is a 413, one of 256 KiB is not', async () => {
    const post = (bytes: number) =>
      service.fetch('/v1/context', { method: 'POST', headers: { 'X-API-Key': TEST_KEY }, body: 'x'.repeat(bytes) });
    const response = await post(256 * 1024 + 1);
    expect({ status: response.status, body: await response.json() }).toEqual(
      failure(413, 'The request body exceeds 262144 bytes.'),
    );
    expect((await post(256 * 1024)).status).toBe(405);
  });

  test.each(['/v1/tracts/%', '/v1/tracts/%ff', '/v1/tracts/%zz'])(
    'malformed percent-encoding in a path is a 400: %s',
    async (target) => {
      const answer = await service.exchange(
        `GET ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\nConnection: close\r\n\r\n`,
      );
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1.1 400 /);
      expect(JSON.parse(body)).toEqual(failure(400, 'The URL holds malformed percent-encoding.').body);
    },
  );

  test('headers beyond 16 KiB are a 431', async () => {
    const answer = await service.exchange(`GET /health HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 431 .*"status_code":431/s);
  });
});

test('the output contains nothing from requests: no key, coordinate, query or path', async () => {
  await service.fetch('/v1/context?lat=45.05&lng=-94.95&address=7+Marked+Street');
  await service.fetch('/v1/nearby?lat=12.3456&lng=-65.4321', {
    headers: { 'X-API-Key': TEST_KEY, 'X-Request-ID': 'the-last-one' },
  });
  await service.logLine({ request_id: 'the-last-one' });
  expect(service.output()).not.toMatch(new RegExp(`Marked|12\\.3456|65\\.4321|\\?|${TEST_KEY}`));
});
