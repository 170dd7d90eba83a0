import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ServiceProcess, startService, TEST_KEY } from '../support/service-process.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

let datasetsDir: string;
let service: ServiceProcess;

beforeAll(async () => {
  datasetsDir = mkdtempSync(join(tmpdir(), 'tract-context-'));
  publishTinyDataset(datasetsDir);
  service = await startService(datasetsDir, { RATE_LIMIT_MAX: '100000' });
});

afterAll(async () => {
  service.signal('SIGTERM');
  await service.exited;
  rmSync(datasetsDir, { recursive: true, force: true });
});

const lines = (...parts: string[]): string => `${parts.join('\r\n')}\r\n\r\n`;
const HEADERS = ['Host: x', `X-API-Key: ${TEST_KEY}`] as const;
const POST = ['POST /v1/batch HTTP/1.1', ...HEADERS, 'Content-Type: application/json'] as const;
const LAST = lines('GET /health HTTP/1.1', 'Host: x', 'Connection: close');

const statusesOf = (answers: string): string[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status = '']) => status);
const firstBodyOf = (answers: string): unknown =>
  JSON.parse(answers.slice(answers.indexOf('\r\n\r\n') + 4).split('HTTP/1.1')[0] ?? '');

/** Requests that were answered 400 so far. */
async function badRequests(): Promise<number> {
  const metrics = z.object({ status_codes: z.record(z.string(), z.number()) });
  return metrics.parse(await (await service.fetch('/metrics')).json()).status_codes['400'] ?? 0;
}

describe('a body', () => {
  test('that is over 256 KiB in chunks is a 413 before the rest of it is sent', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes;
    });
    socket.write(lines(...POST, 'Transfer-Encoding: chunked'));
    // The end of the body is never sent: only an answer that does not wait for it ends this.
    for (let sent = 0; sent < 5; sent++) socket.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(received).toMatch(/^HTTP\/1.1 413 /);
    expect(received).toMatch(/\r\nConnection: close\r\n/);
  });

  test.each([
    ['a body over 256 KiB', POST, 413],
    ['a request that is not authenticated', ['POST /v1/batch HTTP/1.1', 'Host: x', 'X-API-Key: unknown'], 403],
  ])('reaches its end before the connection does, or the answer could be lost: %s', async (_, head, status) => {
    const body = Buffer.alloc(8 * 1024 * 1024, 'x');
    for (let round = 0; round < 5; round++) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.write(lines(...head, `Content-Length: ${body.length}`));
      socket.write(body);
      // Rejects if the connection is reset.
      expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*"status_code":${status},`));
      socket.destroy();
    }
  });

  test('that is far over the limit is not read to its end', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {}).resume();
    socket.write(lines(...POST, `Content-Length: ${2 ** 40}`));
    const piece = Buffer.alloc(1024 * 1024, 'x');
    let accepted = 0;
    const send = (): void => {
      if (!socket.writable) return;
      accepted += piece.length;
      socket.write(piece, send);
    };
    send();
    await closed;
    expect(accepted).toBeLessThan(128 * 1024 * 1024);
  });

  test.each([
    ['deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['deep without an end', '{"a":'.repeat(40_000)],
    ['of many values', `{"addresses":[${'0,'.repeat(100_000)}0]}`],
    ['of many keys', `{${Array.from({ length: 15_000 }, (_, key) => `"k${key}":0`).join()},"addresses":7}`],
    ['of a huge number', '{"addresses":1e999999}'],
    ['that names a prototype', '{"__proto__":{"addresses":["x"]},"constructor":1}'],
    ['that is no UTF-8', '{"addresses":["\\ud800"],"x":7'],
    ['that is empty', ''],
  ])('of JSON %s is a 422 at once, and the service goes on', async (_, body) => {
    const startedAtMs = performance.now();
    const init = { method: 'POST', headers: { 'X-API-Key': TEST_KEY, 'Content-Type': 'application/json' }, body };
    const response = await service.fetch('/v1/batch', init);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: true, status_code: 422 });
    // What took the square of its length would take far longer.
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
    expect((await service.fetch('/health')).status).toBe(200);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'of another type is a 422: %s',
    async (type) => {
      const headers = { 'X-API-Key': TEST_KEY, 'Content-Type': type };
      const response = await service.fetch('/v1/batch', { method: 'POST', headers, body: '{"addresses":["x"]}' });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ detail: [{ loc: ['body'], type: 'json_invalid' }] });
    },
  );

  test('that has fully arrived leaves the connection open, read or not; one still arriving closes it', async () => {
    const body = '{"addresses":["x"]}';
    const post = `${lines(...POST, `Content-Length: ${body.length}`)}${body}`;
    expect(statusesOf(await service.exchange(`${post}${post}${LAST}`))).toEqual(['200', '200', '200']);
    const unread = (bytes: number) => lines('POST /v1/nearby HTTP/1.1', ...HEADERS, `Content-Length: ${bytes}`);
    expect(statusesOf(await service.exchange(`${unread(body.length)}${body}${LAST}`))).toEqual(['405', '200']);
    // What follows is the rest of the body, and never a request.
    expect(statusesOf(await service.exchange(`${unread(100_000)}${body}${LAST}`))).toEqual(['405']);
  });

  test('is read as JSON if its client sends no content type, as older clients do not', async () => {
    const body = '{"addresses":["x"]}';
    const bare = ['POST /v1/batch HTTP/1.1', ...HEADERS, `Content-Length: ${body.length}`] as const;
    expect(statusesOf(await service.exchange(`${lines(...bare)}${body}${LAST}`))).toEqual(['200', '200']);
  });

  test.each([
    ['ends in the middle', ['Content-Length: 10'], '12', 'Invalid EOF state'],
    ['is cut into pieces that are none', ['Transfer-Encoding: chunked'], 'zz\r\n', 'Invalid character in chunk size'],
  ])(
    'that %s is answered as its request, with its name and the key’s limit, and counted once',
    async (_, framing, body, reason) => {
      const before = await badRequests();
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.end(`${lines(...POST, 'X-Request-ID: mine', ...framing)}${body}`);
      const answer = await text(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(answer).toMatch(/\r\nX-Request-ID: mine\r\n/);
      expect(answer).toMatch(/\r\nX-RateLimit-Remaining: \d+\r\n/);
      expect(answer).toMatch(/\r\nConnection: close\r\n/);
      const detail = `The request is not valid HTTP: ${reason}.`;
      expect(firstBodyOf(answer)).toEqual({ error: true, status_code: 400, detail });
      expect(await badRequests()).toBe(before + 1);
    },
  );

  test('gets 100-continue only once', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(lines(...POST, 'Expect: 100-continue', 'Content-Length: 19', 'Connection: close'));
    const [interim]: Buffer[] = await once(socket, 'data');
    expect(String(interim)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{"addresses":["x"]}');
    expect(statusesOf(await text(socket))).toEqual(['200']);
  });

  test('whose length is given twice, or in two ways, is refused', async () => {
    for (const framing of [
      ['Content-Length: 5', 'Content-Length: 6'],
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: chunked, identity'],
      ['Content-Length: -1'],
    ]) {
      expect(statusesOf(await service.exchange(`${lines(...POST, ...framing)}hello`))).toEqual(['400']);
    }
  });
});

describe('a request', () => {
  test('that comes with others in one packet is answered in its turn', async () => {
    const get = (path: string) => lines(`GET ${path} HTTP/1.1`, ...HEADERS);
    const paths = ['/v1/nearby?lat=45&lng=-95', '/v1/unknown', '/v1/tracts/27001000100', '/v1/nearby?lat=x&lng=0'];
    expect(statusesOf(await service.exchange(paths.map(get).join('') + LAST))).toEqual([
      '200',
      '404',
      '200',
      '422',
      '200',
    ]);
  });

  test('in absolute form is answered as in origin form', async () => {
    const target = 'http://elsewhere.example/v1/tracts/27001000100';
    expect(
      statusesOf(await service.exchange(lines(`GET ${target} HTTP/1.1`, ...HEADERS, 'Connection: close'))),
    ).toEqual(['200']);
  });

  test.each([
    ['/v1/tracts/27001000100%00', 422],
    ['/v1/context?address=%00', 404],
    ['/v1/tracts/%2e%2e', 422],
    ['/v1/../../etc/passwd', 404],
    ['/v1/tracts/27001000100/', 200],
    [`/v1/context?address=${'%20'.repeat(501)}`, 422],
    [`/v1/unknown/${'x'.repeat(15_000)}`, 404],
    [`/v1/stats?${'&a=1'.repeat(3500)}`, 200],
  ])('with an odd target is answered cleanly: %s', async (target, status) => {
    const answer = await service.exchange(lines(`GET ${target} HTTP/1.1`, ...HEADERS, 'Connection: close'));
    expect(statusesOf(answer)).toEqual([String(status)]);
    expect(() => firstBodyOf(answer)).not.toThrow();
  });

  test.each([
    ['a null byte in its target', 'GET /v1/\u0000 HTTP/1.1\r\n\r\n', '400'],
    ['a null byte in a header', 'GET / HTTP/1.1\r\nX: \u0000\r\n\r\n', '400'],
    ['a target beyond 16 KiB', lines(`GET /${'x'.repeat(17_000)} HTTP/1.1`, ...HEADERS), '431'],
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n', '400'],
  ])('with %s is refused in the shape of all errors', async (_, bytes, status) => {
    const answer = await service.exchange(bytes);
    expect(statusesOf(answer)).toEqual([status]);
    expect(firstBodyOf(answer)).toMatchObject({ error: true, status_code: Number(status) });
  });
});

test('a tunnel is a 405', async () => {
  const answer = await service.exchange(lines('CONNECT /v1/stats HTTP/1.1', ...HEADERS));
  expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n[\s\S]*\r\nAllow: GET, /);
  expect(firstBodyOf(answer)).toEqual({ error: true, status_code: 405, detail: 'Method Not Allowed' });
});

test('the connection of a refused tunnel is closed even if the client does not close it', async () => {
  const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true });
  const ended = once(socket, 'end');
  socket.on('error', () => {});
  socket.resume();
  socket.write(lines('CONNECT /v1/stats HTTP/1.1', ...HEADERS));
  await ended;
  // The other half is still open here: nothing but a reset tells that the service has closed all of it.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const writing = setInterval(() => socket.write('x'), 100);
  await closed;
  clearInterval(writing);
});
