import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type AdministeredService, administer } from '../support/administered-service.js';
import { failure, startContract } from '../support/contract.js';
import { WITHIN_MS } from '../support/eventually.js';
import { TEST_KEY } from '../support/service-process.js';

const OTHER_KEY = 'another-key-for-tests';
const contract = startContract({ RATE_LIMIT_MAX: '5', API_KEYS: `${TEST_KEY},${OTHER_KEY}` });
const SUBSCRIPTION = { url: 'https://hooks.example.org/tracts', events: ['data.updated'] };
let admin: AdministeredService['admin'];

beforeAll(async () => {
  ({ admin } = await administer(contract.service));
});

const get = (target: string, key: string) => contract.call(target, { headers: { 'X-API-Key': key } });

describe('a key is allowed what its scopes say, and told which one it lacks', () => {
  test('read alone: data, and no subscriptions', async () => {
    const { key } = await admin.keys.issue.mutate({ name: 'reader', scopes: ['read'] });
    expect((await get('/v1/stats', key)).status).toBe(200);
    expect(await get('/v1/webhooks', key)).toMatchObject(failure(403, 'Key lacks scope webhooks.'));
  });

  test('webhooks alone: subscriptions, and no data', async () => {
    const { key } = await admin.keys.issue.mutate({ name: 'listener', scopes: ['webhooks'] });
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const created = await contract.call('/v1/webhooks', {
      method: 'POST',
      headers,
      body: JSON.stringify(SUBSCRIPTION),
    });
    expect(created.status).toBe(201);
    for (const target of ['/v1/stats', '/v1/nearby?lat=39&lng=-75', '/v1/context?lat=39&lng=-75']) {
      expect(await get(target, key)).toMatchObject(failure(403, 'Key lacks scope read.'));
    }
  });

  test('a lack of scope counts against the limit, and is told with it', async () => {
    const { key } = await admin.keys.issue.mutate({ name: 'listener', scopes: ['webhooks'], rateLimitMax: 2 });
    const { headers } = await get('/v1/stats', key);
    expect(headers.get('x-ratelimit-remaining')).toBe('1');
  });

  test('a lack of scope is told before the limit and before the size of a body', async () => {
    const { key } = await admin.keys.issue.mutate({ name: 'reader', scopes: ['read'], rateLimitMax: 1 });
    expect((await get('/v1/stats', key)).status).toBe(200);
    expect((await get('/v1/stats', key)).status).toBe(429);
    const lacking = failure(403, 'Key lacks scope webhooks.');
    expect(await get('/v1/webhooks', key)).toMatchObject(lacking);
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const body = 'x'.repeat(256 * 1024 + 1);
    expect(await contract.call('/v1/webhooks', { method: 'POST', headers, body })).toMatchObject(lacking);
    expect(await contract.call('/v1/webhooks/1', { method: 'DELETE', headers })).toMatchObject(lacking);
    // What is not there needs no scope.
    const { key: listener } = await admin.keys.issue.mutate({ name: 'listener', scopes: ['webhooks'] });
    const unknown = await contract.service.fetch('/v1/unknown', { headers: { 'X-API-Key': listener } });
    expect(unknown.status).toBe(404);
  });
});

test('429: one key’s limit, told on every answer, and not another key’s', async () => {
  const { service } = contract;
  const ask = (path: string, key = TEST_KEY) => service.fetch(path, { headers: { 'X-API-Key': key } });
  const limitOf = ({ status, headers }: Response) => [
    status,
    ...['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`)),
  ];
  expect(limitOf(await ask('/v1/stats'))).toEqual([200, '5', '4']);
  expect(limitOf(await ask('/v1/context?lat=x'))).toEqual([422, '5', '3']);
  for (const left of ['2', '1', '0']) expect(limitOf(await ask('/v1/unknown'))).toEqual([404, '5', left]);
  const refused = await ask('/v1/stats');
  expect(limitOf(refused)).toEqual([429, '5', '0']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThanOrEqual(1);
  expect(await refused.json()).toEqual(failure(429, 'Rate limit exceeded.').body);
  expect(limitOf(await ask('/v1/stats', OTHER_KEY))).toEqual([200, '5', '4']);
  const options = (headers: Record<string, string>) => service.fetch('/v1/stats', { method: 'OPTIONS', headers });
  expect(limitOf(await options({ 'X-API-Key': OTHER_KEY }))).toEqual([204, '5', '3']);
  expect(limitOf(await options({ 'X-API-Key': TEST_KEY }))).toEqual([429, '5', '0']);
  expect(limitOf(await options({ 'X-API-Key': 'unknown' }))).toEqual([403, null, null]);
  expect(limitOf(await options({ Origin: 'https://example.org' }))).toEqual([204, null, null]);
  expect((await ask('/health')).headers.get('x-ratelimit-limit')).toBeNull();
});

describe('a key’s own limit', () => {
  test('takes the place of the service’s, more or less', async () => {
    const { key: more } = await admin.keys.issue.mutate({ name: 'more', rateLimitMax: 7 });
    for (let left = 6; left >= 0; left--) {
      const { status, headers } = await get('/v1/stats', more);
      expect({ status, left: headers.get('x-ratelimit-remaining') }).toEqual({ status: 200, left: String(left) });
    }
    expect(await get('/v1/stats', more)).toMatchObject(failure(429, 'Rate limit exceeded.'));
    const { key: none } = await admin.keys.issue.mutate({ name: 'without', rateLimitMax: 0 });
    expect((await get('/v1/stats', none)).headers.get('x-ratelimit-limit')).toBeNull();
    const { key: usual } = await admin.keys.issue.mutate({ name: 'usual' });
    expect((await get('/v1/stats', usual)).headers.get('x-ratelimit-limit')).toBe('5');
  });

  test('is one for all texts of a rotated key, and a change holds at once', async () => {
    const { id, key } = await admin.keys.issue.mutate({ name: 'rotated', rateLimitMax: 2 });
    const rotated = await admin.keys.rotate.mutate({ id });
    expect((await get('/v1/stats', key)).status).toBe(200);
    expect((await get('/v1/stats', rotated.key)).status).toBe(200);
    expect((await get('/v1/stats', key)).status).toBe(429);
    await admin.keys.update.mutate({ id, rateLimitMax: 3 });
    expect((await get('/v1/stats', key)).status).toBe(200);
  });
});

describe('a key that opens nothing any more is told like one that never did', () => {
  const invalid = failure(403, 'Invalid API key.');

  test('disabled, revoked, mistyped, made up', async () => {
    const { id, key } = await admin.keys.issue.mutate({ name: 'gone' });
    expect((await get('/v1/stats', key)).status).toBe(200);
    await admin.keys.update.mutate({ id, disabled: true });
    expect(await get('/v1/stats', key)).toMatchObject(invalid);
    await admin.keys.revoke.mutate({ id });
    for (const text of [key, `${key.slice(0, -1)}${key.endsWith('1') ? '2' : '1'}`, 'tc_live_made-up']) {
      expect(await get('/v1/stats', text)).toMatchObject(invalid);
    }
  });

  test('expired, at the moment that was set', async () => {
    const expiresAt = new Date(Date.now() + 1500).toISOString();
    const { key } = await admin.keys.issue.mutate({ name: 'short', expiresAt, rateLimitMax: 0 });
    const { status } = await get('/v1/stats', key);
    // Where the machine took longer than that for both, it has expired.
    if (Date.now() < Date.parse(expiresAt)) expect(status).toBe(200);
    await vi.waitUntil(async () => (await get('/v1/stats', key)).status === 403, { timeout: WITHIN_MS });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    expect(await get('/v1/stats', key)).toMatchObject(invalid);
  });
});
