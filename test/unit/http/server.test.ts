import { once } from 'node:events';
import { Agent, get, STATUS_CODES } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import express, { type Express, type Response } from 'express';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deferred } from '../../../src/core/deferred.js';
import { ApiError } from '../../../src/http/errors.js';
import { readJsonBody } from '../../../src/http/input/body.js';
import { askForBody } from '../../../src/http/input/held-back-bodies.js';
import type { OnRefused } from '../../../src/http/refusal.js';
import { type HttpServer, listen } from '../../../src/http/server.js';
import { eventually } from '../../support/eventually.js';

async function serve(app: Express, onRefused: OnRefused = () => {}, timeouts = {}): Promise<HttpServer> {
  const server = await listen(app, { host: '127.0.0.1', port: 0, onRefused, onAcceptError: () => {}, ...timeouts });
  onTestFinished(async () => {
    await server.drain(0);
  });
  return server;
}

/** Sends bytes and gives all that comes back until the server closes. */
function exchange(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

/** Makes a connection and closes it; tells the error's code, if there is one. */
async function connecting(url: string): Promise<unknown> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    socket.destroy();
  }
}

/** An application whose first request waits until it is told to answer. */
function waitingApp() {
  const app = express();
  const { promise: arrived, resolve } = deferred<Response>();
  app.get('/', (_request, response) => resolve(response));
  return { app, arrived };
}

test('requests and responses are born with Express’s prototypes', async () => {
  const app = express();
  app.get('/', (request, response) => {
    response.json([Object.getPrototypeOf(request) === app.request, Object.getPrototypeOf(response) === app.response]);
  });
  const { url } = await serve(app);
  expect(await (await fetch(url)).json()).toEqual([true, true]);
});

test('an answer’s head and text go to the system in one piece', async () => {
  const app = express();
  const pieces: unknown[] = [];
  app.get('/', ({ socket }, response) => {
    const write = socket._write.bind(socket);
    socket._write = (chunk, encoding, done) => {
      pieces.push(chunk);
      write(chunk, encoding, done);
    };
    response.writeHead(200, ['Content-Length', '9']).end('an answer', 'latin1');
  });
  const { url } = await serve(app);
  expect(await (await fetch(url)).text()).toBe('an answer');
  expect(pieces).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)+\r\nan answer$/)]);
});

test('requests that are sent without waiting for answers are answered in their order, up to 256 at once', async () => {
  const app = express();
  let count = 0;
  app.get('/', (_request, response) => void response.send(`<${++count}>`));
  const { url } = await serve(app);
  const answers = await exchange(
    url,
    `${'GET / HTTP/1.1\r\n\r\n'.repeat(255)}GET / HTTP/1.1\r\nConnection: close\r\n\r\n`,
  );
  expect(answers.match(/<\d+>/g)).toEqual(Array.from({ length: 256 }, (_, at) => `<${at + 1}>`));
});

test('one after the other, a connection may carry any number of them', async () => {
  const app = express();
  app.get('/', ({ socket }, response) => void response.send(String(socket.remotePort)));
  const { url } = await serve(app);
  const ports = new Set<string>();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  for (let sent = 0; sent < 20; sent++) {
    const [response] = await once(get(url, { agent }), 'response');
    ports.add(await text(response));
  }
  expect(ports.size).toBe(1);
});

test('a connection with more requests than that is closed, and the rest of them is not begun', async () => {
  const app = express();
  let count = 0;
  app.get('/', () => void count++);
  const { url } = await serve(app);
  const lost = exchange(url, 'GET / HTTP/1.1\r\n\r\n'.repeat(2000));
  // What has arrived and was not read makes the end of the connection a reset.
  expect(await lost.catch(() => '')).toBe('');
  expect(count).toBe(256);
});

test('draining refuses new connections, waits for the request in flight, and tells that all was finished', async () => {
  const { app, arrived } = waitingApp();
  const server = await serve(app);
  const answer = fetch(server.url);
  const response = await arrived;
  const drained = server.drain(60_000);
  // Those that came just before are still accepted.
  await eventually(async () => expect(await connecting(server.url)).toBe('ECONNREFUSED'));
  response.send('finished');
  expect(await (await answer).text()).toBe('finished');
  expect(await drained).toBe(true);
});

test('draining ends what takes longer than its time, and tells so', async () => {
  const { app, arrived } = waitingApp();
  const server = await serve(app);
  const answer = fetch(server.url).catch((error: unknown) => error);
  await arrived;
  expect(await server.drain(20)).toBe(false);
  expect(await answer).toBeInstanceOf(TypeError);
});

test('draining closes connections that are kept alive without a request', async () => {
  const app = express();
  app.get('/', (_request, response) => {
    response.send('ok');
  });
  const server = await serve(app);
  expect(await (await fetch(server.url)).text()).toBe('ok');
  expect(await server.drain(60_000)).toBe(true);
});

test('draining lets an answer arrive whole that its client has not read yet', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  // More than the system buffers between two of its sockets, so that the rest waits in the server.
  const length = 32 * 1024 * 1024;
  const app = express();
  app.get('/', (_request, response) => {
    response.send(Buffer.alloc(length, 'x'));
  });
  const server = await serve(app);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await once(socket, 'readable');
  const drained = server.drain(60_000);
  vi.advanceTimersByTime(1_000);
  const answer = await text(socket);
  expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toHaveLength(length);
  expect(await drained).toBe(true);
});

const notHttp = (reason: string): string => `The request is not valid HTTP: ${reason}.`;
const NO_PATH = 'The URL is neither a path nor an http or https URL.';
const TOO_LONG = 'The URL and the headers are too long.';

test.each([
  ['what is no HTTP', 'NONSENSE\r\n\r\n', 400, notHttp('Invalid method encountered')],
  ['a control character in a header', 'GET / HTTP/1.1\r\nX: \u0000\r\n\r\n', 400, notHttp('Invalid header value char')],
  [
    'a header that ends as on Windows',
    'GET / HTTP/1.1\r\nX: a\r\r\n\r\n',
    400,
    notHttp('Missing expected LF after header value'),
  ],
  ['headers beyond 16 KiB', `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431, TOO_LONG],
  ['an unknown method', 'FOO /v1/stats HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'Method Not Allowed'],
  ['a method in small letters', 'get /v1/stats HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'Method Not Allowed'],
  ['a method that begins like one that there is', 'GETS / HTTP/1.0\r\n\r\n', 405, 'Method Not Allowed'],
  ['another protocol', '\u0016\u0003\u0001\u0002 / HTTP/1.1\r\n\r\n', 400, notHttp('Invalid method encountered')],
  ['a target that is no URL', 'GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n', 400, NO_PATH],
  ['a target with a port that is none', 'GET http://a:b:c/ HTTP/1.1\r\nHost: x\r\n\r\n', 400, NO_PATH],
  ['a target of another scheme', 'GET foo://bar HTTP/1.1\r\nHost: x\r\n\r\n', 400, NO_PATH],
  ['a target that Express finds no path in', 'GET //a@b# HTTP/1.1\r\nHost: x\r\n\r\n', 400, NO_PATH],
  ['a target that Express cannot parse', 'GET /\\a@[# HTTP/1.1\r\nHost: x\r\n\r\n', 400, NO_PATH],
  ['a user that is malformed', 'GET http://%zz@h/ HTTP/1.1\r\nHost: x\r\n\r\n', 400, NO_PATH],
  [
    'a target without slashes behind its scheme',
    'GET http:bar HTTP/1.1\r\nHost: x\r\n\r\n',
    400,
    notHttp('Unexpected char in url schema'),
  ],
  ['a target beyond 16 KiB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n\r\n`, 431, TOO_LONG],
])('%s is refused in the shape of all errors', async (_, bytes, status, detail) => {
  const onRefused = vi.fn();
  const { url } = await serve(express(), onRefused);
  const [head = '', body = ''] = (await exchange(url, bytes)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`));
  expect(JSON.parse(body)).toEqual({ error: true, status_code: status, detail });
  const [requestId] = /(?<=\r\nX-Request-ID: )[0-9a-f-]{36}(?=\r\n)/.exec(head) ?? [];
  expect(onRefused).toHaveBeenCalledExactlyOnceWith({ status, requestId });
});

test.each([
  ['a space', 'GET /v1/context?address=150 Main St, Sampleton HTTP/1.1'],
  ['another script', 'GET /v1/context?address=Caf\u00e9 HTTP/1.1'],
  ['a control character', 'GET /v1/context?address=\u0001 HTTP/1.1'],
])('of a URL with %s the refusal says that it must be encoded', async (_, line) => {
  const { url } = await serve(express());
  const answer = await exchange(url, `GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n${line}\r\nHost: x\r\n\r\n`);
  const detail = 'The URL holds a space or another character that must be percent-encoded.';
  expect(answer).toMatch(/^HTTP\/1\.1 404 .*HTTP\/1\.1 400 Bad Request\r\n/s);
  expect(answer.split('\r\n\r\n').at(-1)).toBe(JSON.stringify({ error: true, status_code: 400, detail }));
});

test.each([
  ['a tunnel', 'CONNECT x:1'],
  ['an unknown method', 'FOO /v1/stats'],
])('the refusal of %s lists every method', async (_, asked) => {
  const { url } = await serve(express());
  const answer = await exchange(url, `${asked} HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1.1 405 .*\r\nAllow: GET, HEAD, POST, DELETE, OPTIONS\r\n/s);
});

test.each([
  ['what is no HTTP', 'NONSENSE\r\n\r\n', 400],
  ['a target that is no URL', 'GET foo://bar HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 405],
])('%s is refused after the answer to the request before it', async (_, bytes, status) => {
  const { app, arrived } = waitingApp();
  const onRefused = vi.fn();
  const { url } = await serve(app, onRefused);
  const answers = exchange(url, `GET / HTTP/1.1\r\n\r\n${bytes}`);
  const response = await arrived;
  // By then the server has read the rest of the chunk, too.
  await setImmediate();
  response.send('the first');
  expect(await answers).toMatch(new RegExp(`^HTTP/1.1 200 .*the firstHTTP/1.1 ${status} `, 's'));
  expect(onRefused).toHaveBeenCalledExactlyOnceWith({ status, requestId: expect.any(String) });
});

test('what else comes behind a refusal that waits for an answer adds nothing to what waits', async () => {
  const { app, arrived } = waitingApp();
  const { url } = await serve(app);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const begin = 'GET / HTTP/1.1\r\n\r\nNONSENSE\r\n\r\n';
  socket.write(begin);
  const response = await arrived;
  await eventually(() => expect(response.listenerCount('close')).toBeGreaterThan(0));
  const waiting = response.listenerCount('close');
  socket.write('NONSENSE\r\n\r\n');
  await eventually(() => expect(response.socket?.bytesRead).toBeGreaterThan(begin.length));
  expect(response.listenerCount('close')).toBe(waiting);
});

test('a body that is no HTTP ends the connection after the answer that its request has got already', async () => {
  const { app, arrived } = waitingApp();
  const onRefused = vi.fn();
  const { url } = await serve(app, onRefused);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answers = text(socket);
  socket.write('GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n');
  const response = await arrived;
  response.send('the only one');
  await once(response, 'finish');
  socket.write('NONSENSE\r\n');
  expect(await answers).toMatch(/^HTTP\/1.1 200 .*the only one$/s);
  expect(onRefused).not.toHaveBeenCalled();
});

test('what is no HTTP is refused behind the answer to a request whose body came whole in the same packet', async () => {
  const app = express();
  app.post('/', async (request, response) => {
    const body = await readJsonBody(request).catch((reason: unknown) => reason);
    response.json(body);
  });
  const onRefused = vi.fn();
  const { url } = await serve(app, onRefused);
  const answers = await exchange(url, 'POST / HTTP/1.1\r\nContent-Length: 7\r\n\r\n{"a":1}NONSENSE\r\n\r\n');
  expect(answers).toMatch(/^HTTP\/1.1 200 .*{"a":1}HTTP\/1.1 400 .*\r\nConnection: close\r\n/s);
  expect(onRefused).toHaveBeenCalledExactlyOnceWith({ status: 400, requestId: expect.any(String) });
});

test('a body that begins in the packet in which another ends is told when it turns out to be no HTTP', async () => {
  const app = express();
  const [first, second] = [deferred<Response>(), deferred<unknown>()];
  app.post('/first', async (request, response) => {
    await readJsonBody(request);
    first.resolve(response);
  });
  app.post('/second', async (request, response) => {
    second.resolve(await readJsonBody(request).catch((reason: unknown) => reason));
    response.status(400).set('Connection', 'close').send('the second');
  });
  const { url } = await serve(app);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answers = text(socket);
  const begin = 'POST /second HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n';
  socket.write(`POST /first HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}${begin}`);
  const response = await first.promise;
  socket.write('NONSENSE\r\n');
  expect(await second.promise).toMatchObject({ code: 'bad_request' });
  response.send('the first');
  expect(await answers).toMatch(/^HTTP\/1.1 200 .*the firstHTTP\/1.1 400 .*the second$/s);
});

test('that a body nobody reads is no HTTP is not told to the request before it in the same packet', async () => {
  const app = express();
  app.post('/', async (request, response) => {
    response.json(await readJsonBody(request).catch((reason: unknown) => reason));
  });
  app.get('/', (_request, response) => {
    response.set('Connection', 'close').send('the second');
  });
  const { url } = await serve(app);
  const second = 'GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nNONSENSE\r\n';
  const answers = await exchange(url, `POST / HTTP/1.1\r\nContent-Length: 7\r\n\r\n{"a":1}${second}`);
  expect(answers).toMatch(/^HTTP\/1.1 200 .*{"a":1}HTTP\/1.1 200 .*the second$/s);
});

test('a client that goes on sending when it has been refused is not reset, which would lose it the refusal', async () => {
  const { url } = await serve(express());
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const send = promisify<string, void>(socket.write.bind(socket));
  const piece = 'x'.repeat(17_000);
  await send(`GET / HTTP/1.1\r\nX: ${piece}`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 431 /);
  for (let sent = 0; sent < 20; sent++) {
    await send(piece);
    await setImmediate();
  }
});

test.each([
  ['has sent nothing', '', 408],
  ['takes too long for its headers', 'GET / HTTP/1.1\r\nX: ', 408],
  ['has sent what is no HTTP', 'NONSENSE\r\n\r\n', 400],
  ['wants a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
])('the connection of a client that %s is closed even if the client does not close it', async (_, bytes, status) => {
  const refused = deferred<{ readonly status: number }>();
  const server = await serve(express(), refused.resolve, { headersTimeoutMs: 50, requestTimeoutMs: 50 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  socket.resume();
  expect(await refused.promise).toMatchObject({ status });
  await once(socket, 'end');
  vi.advanceTimersByTime(1_000);
  expect(await server.drain(60_000)).toBe(true);
});

test.each([
  ['a tunnel', 'CONNECT x:1'],
  ['a target that is no URL', 'GET foo://bar'],
])('the refusal of %s has the ID of its request', async (_, asked) => {
  const onRefused = vi.fn();
  const { url } = await serve(express(), onRefused);
  const answer = await exchange(url, `${asked} HTTP/1.1\r\nHost: x\r\nX-Request-ID: trace-7\r\n\r\n`);
  expect(answer).toMatch(/\r\nX-Request-ID: trace-7\r\n/);
  expect(onRefused).toHaveBeenCalledExactlyOnceWith({ status: expect.any(Number), requestId: 'trace-7' });
});

test.each([
  ['with a whole URL for its target', 'GET http://x/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['with a fragment', 'GET /#x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['without a host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['with an expectation that nobody knows', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: y\r\nConnection: close\r\n\r\n'],
])('a request %s reaches the application, which answers in its own shape', async (_, bytes) => {
  const app = express();
  app.get('/', (_request, response) => {
    response.send('reached');
  });
  const { url } = await serve(app);
  expect(await exchange(url, bytes)).toMatch(/^HTTP\/1.1 200 .*reached$/s);
});

const HELD_BACK =
  'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n';

test('a body that the client holds back is asked for when it is read', async () => {
  const app = express();
  app.post('/', async (request, response) => {
    askForBody(request, response);
    response.send(`read ${await text(request)}`);
  });
  const { url } = await serve(app);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(HELD_BACK);
  const [asked] = await once(socket, 'data');
  expect(String(asked)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('hello');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 200 .*read hello$/s);
});

test('a body that the client holds back is not asked for when the request is refused', async () => {
  const app = express();
  app.post('/', (_request, response) => void response.status(403).send('refused'));
  const { url } = await serve(app);
  expect(await exchange(url, HELD_BACK)).toMatch(/^HTTP\/1.1 403 .*refused$/s);
});

test.each([
  ['without a body that expects to be asked for it', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n'],
  ['whose body came unasked', `${HELD_BACK.replace('Connection: close\r\n', '')}hello`],
])('a request %s leaves the connection to the next one', async (_, bytes) => {
  const app = express();
  app.all('/', async (request, response) => {
    await text(request);
    response.send('read');
  });
  const { url } = await serve(app);
  const answers = await exchange(url, `${bytes}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(answers).toMatch(/^HTTP\/1.1 200 .*\r\n\r\nreadHTTP\/1.1 200 .*\r\n\r\nread$/s);
});

describe('behind a request whose answer takes longer', () => {
  /** Sends the first request, and behind it one whose client holds its body back, and waits until that one is read. */
  async function sendBehind(bytes: string) {
    const { app, arrived } = waitingApp();
    const { promise: begun, resolve: begin } = deferred<void>();
    app.post('/', async (request, response) => {
      askForBody(request, response);
      begin();
      response.end(Buffer.from(`read ${await text(request)}`));
    });
    const { url } = await serve(app);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const answers = text(socket);
    socket.write(`GET / HTTP/1.1\r\n\r\n${bytes}`);
    await begun;
    await setImmediate();
    return { socket, answers, first: await arrived };
  }

  test('a body is asked for when the answer has been sent', async () => {
    const { socket, answers, first } = await sendBehind(HELD_BACK);
    first.send('the first');
    await once(first, 'close');
    socket.write('hello');
    expect(await answers).toMatch(/the firstHTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 .*\r\n\r\nread hello$/s);
  });

  test('a body that came unasked is not asked for in the middle of its own answer', async () => {
    const { answers, first } = await sendBehind(`${HELD_BACK}hello`);
    first.send('the first');
    expect(await answers).toMatch(/the firstHTTP\/1.1 200 .*\r\n\r\nread hello$/s);
    expect(await answers).not.toContain('100 Continue');
  });

  test('nothing comes between head and body of the answer to a request that has no body to be asked for', async () => {
    const { app, arrived } = waitingApp();
    const body = Buffer.from('the second');
    app.get('/second', (_request, response) => void response.end(body));
    const { url } = await serve(app);
    const second = 'GET /second HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
    const answers = exchange(url, `GET / HTTP/1.1\r\n\r\n${second}`);
    (await arrived).send('the first');
    expect(await answers).toMatch(/the firstHTTP\/1.1 200 .*\r\n\r\nthe second$/s);
    expect(await answers).not.toContain('100 Continue');
  });
});

test('a header counts however many are before it', async () => {
  const app = express();
  app.get('/', (request, response) => {
    response.send(request.headers.last);
  });
  const { url } = await serve(app);
  const many = Array.from({ length: 2500 }, (_, at) => `a${at % 10}:\r\n`).join('');
  expect(await exchange(url, `GET / HTTP/1.1\r\n${many}Last: seen\r\nConnection: close\r\n\r\n`)).toMatch(/seen$/);
});

test('a client that resets its connection in the middle of its headers does not count as refused', async () => {
  const onRefused = vi.fn();
  const { url } = await serve(express(), onRefused);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nX: ');
  await once(socket, 'data');
  socket.resetAndDestroy();
  // By the time that another client has its answer, the server knows that this one is gone.
  await fetch(url);
  expect(onRefused).not.toHaveBeenCalled();
});

test('an address that is taken is refused with the system’s word', async () => {
  const { url } = await serve(express());
  await expect(
    listen(express(), {
      host: '127.0.0.1',
      port: Number(new URL(url).port),
      onRefused: () => {},
      onAcceptError: () => {},
    }),
  ).rejects.toThrow('EADDRINUSE');
});

test.each([
  ['headers', 'GET / HTTP/1.1\r\nX: '],
  ['body', 'POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\n12'],
])('a client that takes too long for its %s is told so and let go', async (_, bytes) => {
  const onRefused = vi.fn();
  const app = express();
  // Waits for the body, as every reader of bodies does.
  app.post('/', (request) => {
    request.on('error', () => {}).resume();
  });
  const { url } = await serve(app, onRefused, { headersTimeoutMs: 50, requestTimeoutMs: 50 });
  expect(await exchange(url, bytes)).toMatch(/^HTTP\/1.1 408 .*"status_code":408/s);
  expect(onRefused).toHaveBeenCalledExactlyOnceWith({ status: 408, requestId: expect.any(String) });
});

test('a body that takes too long is answered once, by the code that reads it', async () => {
  const onRefused = vi.fn();
  const app = express();
  app.post('/', async (request, response) => {
    const error: unknown = await readJsonBody(request).catch((reason: unknown) => reason);
    const { status, code } = error instanceof ApiError ? error : expect.fail();
    response.status(status).set('Connection', 'close').send(code);
  });
  // Long enough for the code to begin with reading.
  const { url } = await serve(app, onRefused, { requestTimeoutMs: 500, headersTimeoutMs: 500 });
  const answer = await exchange(url, 'POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\n12');
  expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*request_timeout$/);
  expect(onRefused).not.toHaveBeenCalled();
});
