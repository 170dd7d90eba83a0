import { describe, expect, test } from 'vitest';
import { exampleRequest } from '../../src/http/openapi/example-request.js';
import { type WalkedOperation, walkOperations } from '../../src/http/openapi/walk.js';
import { failure, invalid, shareContract } from '../support/contract.js';
import { AT_POINT, POINT } from '../support/contract-values.js';
import { TEST_KEY } from '../support/service-process.js';

const contract = shareContract();

const versioned = (): WalkedOperation[] =>
  walkOperations(contract.document).filter(({ path }) => path.startsWith('/v1'));

/** The endpoint's example, with these headers. */
function send(walked: WalkedOperation, headers: Record<string, string>, more = '') {
  const { method, target, body } = exampleRequest(walked.path, walked.method, walked.operation);
  const query = more && `${target.includes('?') ? '&' : '?'}${more}`;
  return contract.call(`${target}${query}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

describe('every endpoint below /v1', () => {
  test('401: without a key', async () => {
    for (const walked of versioned()) {
      const answer = await send(walked, {});
      expect(answer).toMatchObject(failure(401, 'Missing API key. Send it in the X-API-Key header.'));
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey');
    }
  });

  test('403: with a wrong key, before parameters are looked at', async () => {
    for (const walked of versioned()) {
      const wrong = failure(403, 'Invalid API key.');
      expect(await send(walked, { 'X-API-Key': `${TEST_KEY}x` }, 'lat=x&geoid=x&lat=y')).toMatchObject(wrong);
    }
  });

  test('echoes a request ID, and gives one where there was none', async () => {
    for (const walked of versioned().filter(({ method }) => method === 'get')) {
      const key = { 'X-API-Key': TEST_KEY };
      expect((await send(walked, { ...key, 'X-Request-ID': 'trace-1' })).headers.get('x-request-id')).toBe('trace-1');
      expect((await send(walked, key)).headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
    }
  });

  test('304: where the client has the answer, if the document says that there is a tag', async () => {
    const tagged = versioned().filter(({ operation }) => operation.responses['304']);
    expect(tagged.map(({ operation }) => operation.operationId).sort()).toEqual(
      [
        'getContext',
        'listNearbyTracts',
        'getTract',
        'compareTracts',
        'getTrends',
        'rankTract',
        'listProviders',
        'mapProviders',
        'mapTracts',
        'getDictionary',
        'getCoverage',
      ].sort(),
    );
    for (const walked of tagged) {
      const key = { 'X-API-Key': TEST_KEY };
      const narrated = walked.operation.operationId === 'getContext';
      const tag = (await send(walked, key)).headers.get('etag');
      expect(tag === null).toBe(narrated);
      if (tag === null) continue;
      const again = await send(walked, { ...key, 'If-None-Match': tag });
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', tag]);
    }
  });

  test('ignores parameters that it does not know', async () => {
    for (const walked of versioned().filter(({ path }) => !path.includes('webhooks'))) {
      expect((await send(walked, { 'X-API-Key': TEST_KEY }, 'unknown=1&unknown=2&__proto__=x')).status).toBe(200);
    }
  });

  test('405: names the methods that there are', async () => {
    for (const path of Object.keys(contract.document.paths)) {
      const response = await contract.service.fetch(path.replace(/\{\w+\}/, '1'), {
        method: 'PUT',
        headers: { 'X-API-Key': TEST_KEY },
      });
      expect([path, response.status]).toEqual([path, 405]);
      const methods = Object.keys(contract.document.paths[path] ?? {}).map((method) => method.toUpperCase());
      const allowed = (response.headers.get('allow') ?? '').split(', ');
      expect(allowed.filter((method) => method !== 'HEAD' && method !== 'OPTIONS').sort()).toEqual(methods.sort());
    }
  });
});

test('404: a path that does not exist, in the contract’s shape', async () => {
  for (const path of ['/v1/unknown', '/v2/context', '/', '/v1/tracts']) {
    const response = await contract.service.fetch(path);
    expect({ status: response.status, body: await response.json() }).toEqual(failure(404, 'Not Found'));
  }
});

test('413: a body that is too large, also where none is expected, as the document says', async () => {
  const answer = await contract.service.exchange(
    `GET /v1/stats HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\nContent-Length: 262145\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*"detail":"The request body exceeds 262144 bytes\."/);
  expect(contract.document.info.description).toContain('more than 256 KiB gets 413');
});

describe('400: malformed percent-encoding in a path', () => {
  test.each(['/v1/tracts/%ff', '/v1/webhooks/%'])('%s', async (target) => {
    const answer = await contract.service.exchange(
      `GET ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*"detail":"The URL holds malformed percent-encoding\."/);
  });
});

test('malformed percent-encoding in a query is a value like any other, and ignored where nobody reads it', async () => {
  const target = (query: string) => `/v1/context?${query}`;
  const at = async (query: string) => {
    const answer = await contract.service.exchange(
      `GET ${target(query)} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\nConnection: close\r\n\r\n`,
    );
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return { status: Number(head.slice(9, 12)), body: JSON.parse(body) };
  };
  const plain = await at(AT_POINT);
  expect(plain.status).toBe(200);
  expect(await at(`${AT_POINT}&note=50%&%zz=1`)).toEqual(plain);
  const wrong = await at(`lat=%ff&lng=${POINT.lng}`);
  expect(wrong.status).toBe(422);
  expect(wrong.body.detail).toEqual([expect.objectContaining({ loc: ['query', 'lat'], type: 'float_parsing' })]);
  expect((await at('address=%')).status).toBe(404);
});

test('422: a parameter given twice, whatever it says', async () => {
  for (const [path, name] of [
    ['/v1/trends', 'geoid'],
    ['/v1/nearby?lat=1', 'lng'],
  ] as const) {
    const separator = path.includes('?') ? '&' : '?';
    const answered = await contract.call(`${path}${separator}${name}=1&${name}=1`);
    expect(answered).toMatchObject(invalid(['query', name], 'value_error'));
  }
});
