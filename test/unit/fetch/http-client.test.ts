import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpClient, type ProxySettings } from '../../../src/load/fetch/http-client.js';
import { NO_PROXY_SETTINGS } from '../../support/fetching.js';
import { startProxy } from '../../support/forward-proxy.js';
import { listenLocally } from '../../support/listen-locally.js';
import { startOfficialServer } from '../../support/official-server.js';

const signal = new AbortController().signal;

async function get(url: string, proxy: ProxySettings, allowedHosts: string[] = []): Promise<string> {
  const client = createHttpClient(proxy, 'test');
  onTestFinished(() => client.close());
  const answer = await client.get({ url, headers: {}, allowedHosts: new Set(allowedHosts), signal });
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('requests go through the proxy, but to hosts that need none', async () => {
  const server = await startOfficialServer({ 'a.txt': 'content' });
  const proxy = await startProxy();
  const settings = { ...NO_PROXY_SETTINGS, httpProxy: proxy.url };
  expect(await get(`${server.url}/a.txt`, settings)).toBe('content');
  expect(proxy.asked).toEqual([new URL(server.url).host]);
  expect(await get(`${server.url}/a.txt`, { ...settings, noProxy: 'example.org,127.0.0.1' })).toBe('content');
  expect(proxy.asked.length).toBe(1);
});

test('the user name and password in an address are sent to its server, and to no other that it redirects to', async () => {
  const told: (string | undefined)[] = [];
  const serve = async (answer: (path: string, response: ServerResponse) => void): Promise<string> => {
    const server = createHttpServer((request, response) => {
      told.push(request.headers.authorization);
      answer(request.url ?? '', response);
    });
    return `127.0.0.1:${await listenLocally(server)}`;
  };
  const other = await serve((_path, response) => response.end('content'));
  const next = new Map([
    ['/a', '/b'],
    ['/b', `http://${other}/c`],
  ]);
  const own = await serve((path, response) => response.writeHead(302, { location: next.get(path) }).end());
  expect(await get(`http://me:p%40ss%@${own}/a`, NO_PROXY_SETTINGS, [own, other])).toBe('content');
  const basic = `Basic ${Buffer.from('me:p@ss%').toString('base64')}`;
  expect(told).toEqual([basic, basic, undefined]);
});

test('an https address is asked for through a tunnel of its own proxy', async () => {
  const [plain, secure] = [await startProxy(), await startProxy()];
  const settings = { ...NO_PROXY_SETTINGS, httpProxy: plain.url, httpsProxy: secure.url };
  // The name leads nowhere: it is the proxy's to find that out.
  await expect(get('https://agency.invalid/a.txt', settings)).rejects.toMatchObject({ failure: 'transient' });
  expect(secure.asked).toEqual(['agency.invalid:443']);
  expect(plain.asked).toEqual([]);
});

test.each([
  ['600', { failure: 'transient', message: 'the server answered 429', restMs: 600_000 }],
  ['601', { failure: 'resting', message: 'the server answered 429 and asks not to be contacted for 11 minutes' }],
  ['86400', { failure: 'resting', message: 'the server answered 429 and asks not to be contacted for 1440 minutes' }],
  ['99999999999999999999', { failure: 'resting', message: expect.stringContaining('contacted for more than a day') }],
  ['soon', { failure: 'transient', restMs: undefined }],
])('a server that asks for a longer rest than anyone waits is not asked again: %s s', async (retryAfter, failure) => {
  const settings = await startSocketProxy(
    (socket) => void socket.end(`HTTP/1.1 429 Busy\r\nContent-Length: 0\r\nRetry-After: ${retryAfter}\r\n\r\n`),
  );
  // A proxy in name only: it is asked directly.
  await expect(get(settings.httpsProxy, NO_PROXY_SETTINGS)).rejects.toMatchObject(failure);
});

test('an answer that is no HTTP is told without a code that it does not have', async () => {
  const { httpsProxy: url } = await startSocketProxy((socket) => void socket.end('HTTP/1.1 nonsense\r\n\r\n'));
  const asked = get(url, NO_PROXY_SETTINGS);
  await expect(asked).rejects.toMatchObject({
    failure: 'transient',
    message: expect.not.stringContaining('undefined'),
  });
});

/** A proxy that does this with every connection, and nothing else. */
async function startSocketProxy(use: (socket: Socket) => void): Promise<ProxySettings> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    use(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy listens on a port');
  return { ...NO_PROXY_SETTINGS, httpsProxy: `http://127.0.0.1:${address.port}` };
}

test('a proxy that drops every connection, or says nothing, is given up', async () => {
  for (const use of [(socket: Socket) => void socket.destroy(), () => {}]) {
    const client = createHttpClient(await startSocketProxy(use), 'test', 200);
    onTestFinished(() => client.close());
    const asked = client.get({ url: 'https://agency.invalid/a.txt', headers: {}, allowedHosts: new Set(), signal });
    await expect(asked).rejects.toMatchObject({ failure: 'transient' });
  }
});

test('a request is stopped while its connection is still to come', async () => {
  const stopping = new AbortController();
  const client = createHttpClient(await startSocketProxy(() => stopping.abort()), 'test');
  onTestFinished(() => client.close());
  const url = 'https://agency.invalid/a.txt';
  const asked = client.get({ url, headers: {}, allowedHosts: new Set(), signal: stopping.signal });
  await expect(asked).rejects.toMatchObject({ failure: 'stopped' });
});

test('a proxy whose address is none is refused without showing it', () => {
  const [http, https] = [{ httpProxy: 'foo' }, { httpsProxy: 'proxy:secret@host' }];
  const check = (bad: object) => () => createHttpClient({ ...NO_PROXY_SETTINGS, ...bad }, 'test');
  expect(check(http)).toThrow(/^HTTP_PROXY must be an http or https URL$/);
  expect(check(https)).toThrow(/^HTTPS_PROXY must be an http or https URL$/);
  expect(check({ ...http, ...https })).toThrow(/^HTTP_PROXY and HTTPS_PROXY must be an http or https URL$/);
});

test('a redirect is not followed to a host that is not known, without https, or to nowhere', async () => {
  const to = async (moveTo: string) => {
    const server = await startOfficialServer({}, { fault: () => ({ moveTo }) });
    return get(`${server.url}/a.txt`, NO_PROXY_SETTINGS, ['known.test']);
  };
  await expect(to('https://other.test/b?signature=x')).rejects.toThrow(
    'it moved to https://other.test/b, but the redirect is not followed: datasets/sources.json does not name that host',
  );
  await expect(to('ftp://known.test/b')).rejects.toThrow('but the redirect is not followed: that is not https');
  await expect(to('http://')).rejects.toThrow('the server redirected without a valid address');
});

test('a connection that drops gives what came before it', async () => {
  const server = await startOfficialServer({ 'a.txt': 'content' }, { fault: () => ({ dropAfterBytes: 3 }) });
  const client = createHttpClient(NO_PROXY_SETTINGS, 'test');
  onTestFinished(() => client.close());
  const { body } = await client.get({ url: `${server.url}/a.txt`, headers: {}, allowedHosts: new Set(), signal });
  const chunks: Buffer[] = [];
  const reading = (async () => {
    for await (const chunk of body) chunks.push(chunk);
  })();
  await expect(reading).rejects.toThrow();
  expect(Buffer.concat(chunks).toString()).toBe('con');
});
