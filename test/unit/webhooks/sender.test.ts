import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { blockThread } from '../../../src/platform/block-thread.js';
import { createSender, type SenderOptions } from '../../../src/webhooks/delivery/sender.js';
import { selfSignedCertificate } from '../../support/certificates.js';
import { eventually } from '../../support/eventually.js';
import { startFakeServer } from '../../support/fake-server.js';
import { startSecureReceiver } from '../../support/secure-receiver.js';

const HEADERS = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1' };
const BODY = '{"event":"ping"}';

/** For receivers that never answer. */
const SHORT = { timeoutMs: 300 };

function sender(options: Partial<SenderOptions> = {}) {
  const policy = { httpsOnly: false, allowedHosts: new Set(['127.0.0.1']) };
  const made = createSender({ policy, userAgent: 'tract-context/test', timeoutMs: 20_000, ...options });
  onTestFinished(made.close);
  return made;
}

const send = (url: string, options: Partial<SenderOptions> = {}) => sender(options).send(new URL(url), HEADERS, BODY);
const answering = (status: number, more?: (response: ServerResponse) => void) =>
  startFakeServer((response) => {
    response.writeHead(status);
    if (more) more(response);
    else response.end();
  });

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';

/** A receiver that answers each request with these bytes, piece by piece. */
async function answeringRaw(pieces: readonly string[]) {
  const accepted: Socket[] = [];
  const server = createServer((socket) => {
    accepted.push(socket.on('error', () => {}));
    // A small request arrives as a whole.
    socket.on('data', async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await delay(20);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}`, connections: () => accepted.length };
}

describe('an attempt', () => {
  test('is a POST of JSON with the headers given', async () => {
    const receiver = await answering(200);
    expect(await send(`${receiver.url}/hook?of=mine`)).toMatchObject({ status: 200, failure: null });
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hook?of=mine', body: BODY });
    expect(request?.headers).toMatchObject({
      ...HEADERS,
      'content-type': 'application/json',
      'user-agent': 'tract-context/test',
    });
  });

  test.each([200, 201, 202, 204, 299])('has arrived with a %d', async (status) => {
    expect(await send((await answering(status)).url)).toMatchObject({ status, failure: null });
  });

  test.each([300, 304, 400, 404, 410, 429, 500, 503])('has failed with a %d', async (status) => {
    expect(await send((await answering(status)).url)).toMatchObject({ status, failure: 'status' });
  });

  test.each([301, 302, 307, 308])('goes nowhere else with a %d', async (status) => {
    const elsewhere = await answering(200);
    const receiver = await startFakeServer(
      (response) => void response.writeHead(status, { location: elsewhere.url }).end(),
    );
    expect(await send(receiver.url)).toMatchObject({ status, failure: 'status' });
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('times out where no answer comes', async () => {
    const receiver = await startFakeServer(() => {});
    const { durationMs, ...outcome } = await send(receiver.url, SHORT);
    expect(outcome).toEqual({ status: null, failure: 'timeout' });
    expect(durationMs).toBeGreaterThanOrEqual(299);
  });

  test('times out where the connection says nothing at all', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect(await send(`http://127.0.0.1:${port}/`, SHORT)).toMatchObject({ status: null, failure: 'timeout' });
  });

  test('says whether the connection was dropped, refused, without TLS, or spoke something else', async () => {
    const dropping = await startFakeServer((response) => void response.destroy());
    expect(await send(dropping.url)).toMatchObject({ status: null, failure: 'reset' });
    expect(await send(dropping.url.replace('http', 'https'))).toMatchObject({ status: null, failure: 'tls' });
    const garbling = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n').resume());
    await new Promise<void>((resolve) => garbling.listen(0, '127.0.0.1', resolve));
    const address = garbling.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, failure: 'network' });
    await new Promise((resolve) => garbling.close(resolve));
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, failure: 'port-closed' });
  });

  test.each([
    ['ENOTFOUND', 'dns'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ENETUNREACH', 'unreachable'],
    ['EMFILE', 'network'],
  ])('fails where no connection can be made: %s', async (code, failure) => {
    const error = Object.assign(new Error('no connection'), { code });
    const resolve: SenderOptions['resolve'] = (_name, _options, callback) => callback(error, []);
    expect(await send('http://nowhere.example/', { resolve })).toMatchObject({ status: null, failure });
  });

  test('asks for the host by its name, whatever address that leads to, and trusts no certificate of unknown origin', async () => {
    const receiver = await startSecureReceiver(selfSignedCertificate({ names: ['hooks.example'] }));
    const resolve: SenderOptions['resolve'] = (_name, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const policy = { httpsOnly: true, allowedHosts: new Set(['hooks.example']) };
    const outcome = await send(`https://hooks.example:${receiver.port}/`, { resolve, policy });
    expect(outcome).toMatchObject({ status: null, failure: 'certificate' });
    expect(receiver).toMatchObject({ serverNames: ['hooks.example'], hosts: [] });
  });

  test('is refused where the name leads inside, and where only https is allowed', async () => {
    const resolve: SenderOptions['resolve'] = (_name, _options, callback) =>
      callback(null, [{ address: '169.254.169.254', family: 4 }]);
    expect(await send('http://rebound.example/', { resolve })).toMatchObject({ status: null, failure: 'refused' });
    const receiver = await answering(200);
    const policy = { httpsOnly: true, allowedHosts: new Set(['127.0.0.1']) };
    expect(await send(receiver.url, { policy })).toMatchObject({ status: null, failure: 'refused' });
    expect(receiver.requests).toHaveLength(0);
  });

  test('reads no more than a beginning of the answer, and its status counts', async () => {
    let pieces = 0;
    let closed: Promise<void> | undefined;
    const receiver = await answering(200, (response) => {
      const writing = setInterval(() => {
        pieces++;
        response.write('x'.repeat(600));
      }, 5);
      closed = new Promise((resolve) => response.on('close', resolve));
      response.on('close', () => clearInterval(writing));
    });
    expect(await send(receiver.url)).toMatchObject({ status: 200, failure: null });
    await closed;
    // The second piece exceeds 1,024 bytes. Some more may be written before the receiver notices that nobody reads them.
    expect(pieces).toBeGreaterThanOrEqual(2);
    expect(pieces).toBeLessThan(10);
  });

  test('takes a few informational responses, and gives up a receiver that sends nothing else', async () => {
    const hinting = (hints: number) =>
      startFakeServer((response) => {
        for (let sent = 0; sent < hints; sent++) response.writeEarlyHints({ link: '</a>; rel=preload' });
        if (hints < 10) response.end();
      });
    expect(await send((await hinting(3)).url)).toMatchObject({ status: 200, failure: null });
    expect(await send((await hinting(100)).url)).toMatchObject({ status: null, failure: 'network' });
  });

  test.each([
    ['by itself', [CONTINUE, NO_CONTENT]],
    ['together with the answer', [CONTINUE + NO_CONTENT]],
    ['in pieces', ['HTTP/1.1 1', '00 Continue\r\n', '\r\n', NO_CONTENT]],
    ['with header fields', [CONTINUE.replace('\r\n', '\r\nServer: old\r\n'), NO_CONTENT]],
    ['without a reason', ['HTTP/1.1 100\r\n\r\n', NO_CONTENT]],
    ['twice, and an early hint', [CONTINUE + CONTINUE, `HTTP/1.1 103 Early Hints\r\n\r\n${NO_CONTENT}`]],
  ])('has arrived where a 100 comes %s before the answer', async (_how, pieces) => {
    const receiver = await answeringRaw(pieces);
    const { send: sendOne } = sender({ maxConnectionsPerHost: 1 });
    for (let sent = 0; sent < 2; sent++) {
      expect(await sendOne(new URL(receiver.url), HEADERS, BODY)).toMatchObject({ status: 204, failure: null });
    }
    expect(receiver.connections()).toBe(1);
  });

  test('gives up a receiver that sends nothing but 100s', async () => {
    const receiver = await answeringRaw([CONTINUE.repeat(100)]);
    expect(await send(receiver.url, { timeoutMs: 60_000 })).toMatchObject({ status: null, failure: 'reset' });
  });

  test.each([
    ['a status line', 'HTTP/1.1 200 '],
    ['a header field', 'HTTP/1.1 200 OK\r\nX: '],
  ])('gives up a receiver that sends %s without an end, before the time is up', async (_, beginning) => {
    const piece = 'x'.repeat(10_000);
    const receiver = await answeringRaw([beginning, ...Array<string>(200).fill(piece)]);
    const { durationMs, ...outcome } = await send(receiver.url, { timeoutMs: 60_000 });
    expect(outcome).toEqual({ status: null, failure: 'network' });
    // All the pieces take 4 s.
    expect(durationMs).toBeLessThan(3000);
  });

  test('arrives where the answer’s body is one long line, whatever pieces it comes in', async () => {
    const body = 'x'.repeat(40_000);
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`;
    for (const pieces of [[head + body], [head, body], [head, body.slice(0, 1000), body.slice(1000)]]) {
      const receiver = await answeringRaw(pieces);
      expect(await send(receiver.url)).toMatchObject({ status: 200, failure: null });
    }
  });

  test('counts by its status soon, though the rest of the answer never comes', async () => {
    let closed: Promise<void> | undefined;
    const receiver = await answering(202, (response) => {
      closed = new Promise((resolve) => response.on('close', resolve));
      response.write('half');
    });
    const { durationMs, ...outcome } = await send(receiver.url);
    expect(outcome).toEqual({ status: 202, failure: null });
    expect(durationMs).toBeLessThan(5000);
    // Nor does it keep its connection for ever.
    await closed;
  });
});

test('connections are used again', async () => {
  const ports = new Set<number | undefined>();
  const receiver = await startFakeServer((response) => {
    ports.add(response.socket?.remotePort);
    response.writeHead(200).end('ok');
  });
  const one = sender();
  for (let count = 0; count < 20; count++) await one.send(new URL(receiver.url), HEADERS, BODY);
  expect(ports.size).toBeLessThanOrEqual(2);
});

test('of an attempt that is over nothing stays: no timer, and nothing that would have to be cut', async () => {
  const receiver = await answering(200);
  const made: Set<unknown>[] = [];
  class Noted<T> extends Set<T> {
    constructor(values?: Iterable<T>) {
      super(values);
      made.push(this);
    }
  }
  vi.stubGlobal('Set', Noted);
  onTestFinished(() => void vi.unstubAllGlobals());
  const one = sender();
  vi.unstubAllGlobals();
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const attempts = 20;
  const timersBefore = timers();
  for (let count = 0; count < attempts; count++) await one.send(new URL(receiver.url), HEADERS, BODY);
  expect(timers() - timersBefore).toBeLessThan(attempts);
  expect(made).not.toEqual([]);
  for (const { size } of made) expect(size).toBeLessThan(attempts);
});

test('an event whose attempt timed out while it waited for a connection is not sent afterwards', async () => {
  const receiver = await startFakeServer((response, { body }) => {
    if (body === '3') response.end();
  });
  const one = sender({ timeoutMs: 1500, maxConnectionsPerHost: 1 });
  const attempt = (body: string) => one.send(new URL(receiver.url), HEADERS, body);
  const timedOut = { status: null, failure: 'timeout' };
  const both = Promise.all([attempt('1'), attempt('2')]);
  await receiver.received(1);
  // Both times are up by then, so that neither attempt gets a moment that the other leaves it.
  blockThread(1600);
  expect(await both).toMatchObject([timedOut, timedOut]);
  // It waits behind the second for the same connection.
  expect(await attempt('3')).toMatchObject({ status: 200, failure: null });
  expect(receiver.requests.map(({ body }) => body)).toEqual(['1', '3']);
});

test('closing gives up what is under way', async () => {
  const receiver = await startFakeServer(() => {});
  const one = sender({ timeoutMs: 60_000 });
  const attempt = one.send(new URL(receiver.url), HEADERS, BODY);
  await receiver.received(1);
  one.close();
  expect(await attempt).toMatchObject({ status: null, failure: 'network' });
});

test('closing gives up also a connection that is being made while another one to the same host failed', async () => {
  const accepted: Socket[] = [];
  const server = createServer((socket) => {
    accepted.push(socket.on('error', () => {}));
    // The first one waits for its TLS handshake for ever.
    if (accepted.length === 2) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  const address = server.address();
  const url = new URL(`https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
  const one = sender({ timeoutMs: 60_000 });
  const attempt = one.send(url, HEADERS, BODY);
  await eventually(() => expect(accepted).toHaveLength(1));
  expect(await one.send(url, HEADERS, BODY)).toMatchObject({ failure: 'reset' });
  one.close();
  expect(await attempt).toMatchObject({ status: null, failure: 'network' });
});

test('an answer whose rest never comes soon leaves its connection to others', async () => {
  const dripping = await answering(200, (response) => response.write('half'));
  const one = sender({ timeoutMs: 60_000, maxConnectionsPerHost: 1 });
  const sends = Array.from({ length: 3 }, () => one.send(new URL(dripping.url), HEADERS, BODY));
  for (const { status, failure, durationMs } of await Promise.all(sends)) {
    expect([status, failure]).toEqual([200, null]);
    expect(durationMs).toBeLessThan(5000);
  }
});
