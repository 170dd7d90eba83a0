import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { healthSchema } from '../../src/http/schemas/system.js';
import { failure, shareContract } from '../support/contract.js';
import { demoDataset } from '../support/demo-dataset.js';
import { createDocumentValidator } from '../support/document-validator.js';
import { type ServiceCalls, startService } from '../support/service-process.js';

const contract = shareContract();
const open = (path: string, headers: Record<string, string> = {}) => contract.call(path, { headers });

describe('GET /health', () => {
  test('200: says that a dataset is mapped, without a key', async () => {
    expect((await open('/health')).body).toMatchObject({
      status: 'ok',
      database: 'connected',
      detail: 'synthetic demo data: no value was measured',
    });
  });

  test('503: says that there is none, as do data endpoints; subscriptions need none, as the document has it', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'tract-context-'));
    const service = await startService(empty);
    try {
      const response = await fetch(`${service.url}/health`);
      const body = healthSchema.parse(await response.json());
      expect([response.status, body.status, body.database]).toEqual([503, 'degraded', 'unavailable']);
      const { headers } = response;
      const answer = { method: 'GET', path: '/health', status: 503, headers, body };
      expect(createDocumentValidator(contract.document).findings(answer)).toEqual([]);
      for (const path of ['/v1/stats', '/v1/context?lat=45&lng=-75', '/v1/context?address=1%20Main%20St']) {
        const refused = await service.fetch(path);
        const answered = { status: refused.status, body: await refused.json() };
        expect(answered).toEqual(failure(503, 'No dataset is loaded yet.'));
        expect(refused.headers.get('retry-after')).toBe('1');
      }
      expect((await service.fetch('/v1/webhooks')).status).toBe(200);
      expect(contract.document.paths['/v1/webhooks']?.get?.responses).not.toHaveProperty('503');
    } finally {
      service.signal('SIGTERM');
      await service.exited;
      rmSync(empty, { recursive: true });
    }
  });
});

describe('GET /metrics', () => {
  test.each(['application/json', 'text/plain'])(
    'tells caches with Vary that its format depends on Accept: %s',
    async (accept) => {
      const { headers } = await open('/metrics', { Accept: accept });
      expect(headers.get('vary')).toBe('Accept, Accept-Encoding');
    },
  );

  test('200: is JSON unless text is liked better', async () => {
    const inJson = [
      '*/*',
      'application/json',
      'text/plain;q=0.5, application/json',
      'application/json, text/plain, */*',
    ];
    for (const accept of [undefined, ...inJson, 'text/plain;q=0, */*;q=0']) {
      const { headers } = await open('/metrics', accept === undefined ? {} : { Accept: accept });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
    // The last names text alone, and anything else by a wildcard.
    for (const accept of ['text/plain', 'text/*', 'text/plain, */*;q=0.5', 'text/plain, */*']) {
      const { headers, body } = await open('/metrics', { Accept: accept });
      expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
      expect(body).toMatch(/^# HELP /m);
    }
  });
});

describe('the texts', () => {
  test.each([
    ['/llms.txt', 'text/plain; charset=utf-8'],
    ['/llms-full.txt', 'text/plain; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/openapi.json', 'application/json; charset=utf-8'],
  ])('%s needs no key and says what it is', async (path, type) => {
    const { status, headers } = await open(path);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
  });

  test.each(['/llms.txt', '/llms-full.txt', '/docs', '/openapi.json'])(
    '%s is a 304 where the client has it, with the headers that its cache takes over',
    async (path) => {
      const first = await open(path);
      const tag = first.headers.get('etag') ?? '';
      expect(tag).toMatch(/^W\/"[0-9a-f]{32}"$/);
      for (const method of ['GET', 'HEAD']) {
        for (const header of [tag, tag.slice(2), `"x", ${tag}`, '*']) {
          const again = await contract.service.fetch(path, { method, headers: { 'If-None-Match': header } });
          expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
          for (const name of ['cache-control', 'content-security-policy', 'vary', 'x-frame-options']) {
            expect(again.headers.get(name)).toBe(first.headers.get(name));
          }
        }
      }
      expect((await open(path, { 'If-None-Match': tag })).status).toBe(304);
      expect((await open(path, { 'If-None-Match': '"other"' })).body).toEqual(first.body);
      expect((await open(path, { 'Accept-Encoding': 'identity' })).headers.get('etag')).toBe(tag);
    },
  );

  test('say where clients reach the service, where that is configured, with the same tags in another process and other ones elsewhere', async () => {
    const directory = await demoDataset();
    const tagsOf = (service: ServiceCalls) => {
      const tags = ['/llms.txt', '/llms-full.txt', '/docs', '/openapi.json'].map(
        async (path) => (await service.fetch(path)).headers.get('etag') ?? '',
      );
      return Promise.all(tags);
    };
    const tagsOfAnother = async (url: string) => {
      const service = await startService(directory, { PUBLIC_BASE_URL: url });
      try {
        const page = await (await service.fetch('/docs')).text();
        expect(page).toContain('href="https://api.example.org/tracts/openapi.json"');
        const document = await (await service.fetch('/openapi.json')).json();
        expect(document).toMatchObject({ servers: [{ url: 'https://api.example.org/tracts' }] });
        return await tagsOf(service);
      } finally {
        service.signal('SIGTERM');
        await service.exited;
      }
    };
    const tags = await tagsOfAnother('https://api.example.org/tracts');
    expect(await tagsOfAnother('https://api.example.org/tracts/')).toEqual(tags);
    const elsewhere = await tagsOf(contract.service);
    expect(elsewhere.filter((tag) => tags.includes(tag))).toEqual([]);
  });

  test('show the address that the service listens on, whatever a client calls it', async () => {
    const answer = await contract.service.exchange(
      'GET /llms.txt HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toContain(contract.service.url);
    expect(answer).not.toContain('evil.example');
  });
});
