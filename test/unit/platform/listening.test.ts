import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { blockThread } from '../../../src/platform/block-thread.js';
import { closeGracefully, listenOn, urlOf } from '../../../src/platform/listening.js';
import { selfSignedCertificate } from '../../support/certificates.js';

test('a failure to accept connections is reported once a minute, and the server goes on', async () => {
  const server = createServer((_, response) => response.end('here'));
  onTestFinished(async () => void (await closeGracefully(server, 1_000)));
  const onAcceptError = vi.fn();
  await listenOn(server, { host: '127.0.0.1', port: 0, onAcceptError });
  const errors = ['ENOBUFS', 'ENOMEM', 'ENOBUFS'].map((code) => new Error(`accept ${code}`));
  // As Node tells of them.
  for (const error of errors) server.emit('error', error);
  expect(onAcceptError).toHaveBeenCalledExactlyOnceWith(errors[0]);
  const response = await fetch(urlOf(server, 'http', '127.0.0.1'));
  expect(await response.text()).toBe('here');
});

test('an address in use is refused with the system’s message and the port’s setting', async () => {
  const [one, other] = [createServer(), createServer()];
  onTestFinished(async () => void (await closeGracefully(one, 1_000)));
  const onAcceptError = vi.fn();
  await listenOn(one, { host: '127.0.0.1', port: 0, onAcceptError });
  const port = Number(new URL(urlOf(one, 'http', '127.0.0.1')).port);
  const address = { host: '127.0.0.1', port, onAcceptError };
  await expect(listenOn(other, address)).rejects.toThrow('EADDRINUSE');
  const settings = { host: 'HOST', port: 'PORT' };
  await expect(listenOn(other, { ...address, settings })).rejects.toThrow(`PORT is ${port}: listen EADDRINUSE`);
  expect(onAcceptError).not.toHaveBeenCalled();
});

test.each(['http://u', '192.0.2.1'])(
  'a host that is not of this machine is named with its setting: %s',
  async (host) => {
    const settings = { host: 'HOST (--host)', port: 'PORT' };
    const listening = listenOn(createServer(), { host, port: 0, settings, onAcceptError: vi.fn() });
    await expect(listening).rejects.toThrow(new RegExp(`^HOST \\(--host\\) is "${host}": (getaddrinfo|listen) E`));
  },
);

/** A server with one connection, over which a request has been answered. */
async function serverWithConnection() {
  const server = createServer((_, response) => response.end('here'));
  await listenOn(server, { host: '127.0.0.1', port: 0, onAcceptError: vi.fn() });
  const socket = connect(Number(new URL(urlOf(server, 'http', '127.0.0.1')).port), '127.0.0.1');
  const ask = (): boolean => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  ask();
  await once(socket, 'data');
  return { server, ask, rest: async () => (await socket.setEncoding('utf8').toArray()).join('') };
}

test('connections that wait to be accepted when the server closes are answered', async () => {
  const { server } = await serverWithConnection();
  const port = Number(new URL(urlOf(server, 'http', '127.0.0.1')).port);
  const sockets = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets)
    socket.setEncoding('utf8').write('GET / HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n');
  const answers = Promise.all(sockets.map(async (socket) => (await socket.toArray()).join('').slice(0, 15)));
  // They connect at the end of this turn, and the system needs nobody for that.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const closed = closeGracefully(server, 10_000);
  expect(new Set(await answers)).toEqual(new Set(['HTTP/1.1 200 OK']));
  expect(await closed).toBe(true);
});

test('connections still wait for the other processes that share the socket of a server that closes', async () => {
  const server = createServer();
  await listenOn(server, { host: '127.0.0.1', port: 0, onAcceptError: vi.fn() });
  const port = Number(new URL(urlOf(server, 'http', '127.0.0.1')).port);
  const { _handle: handle } = server as unknown as { readonly _handle: { readonly fd: number } };
  const other = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', handle.fd] });
  onTestFinished(() => void other.kill('SIGKILL'));
  expect(await closeGracefully(server, 10_000)).toBe(true);
  const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of sockets) socket.on('error', () => {}).destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect', { signal: AbortSignal.timeout(900) })));
});

test('a request that arrived while a closing server was busy is answered', async () => {
  const { server, ask, rest } = await serverWithConnection();
  const closed = closeGracefully(server, 10_000);
  ask();
  blockThread(300);
  expect(await rest()).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(await closed).toBe(true);
});

test('a connection stays open for a request that is on its way when the server begins to close', async () => {
  const { server, ask, rest } = await serverWithConnection();
  const closed = closeGracefully(server, 10_000);
  // After the first look for idle connections, and long before any is closed.
  await setTimeout(75);
  ask();
  expect(await rest()).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(await closed).toBe(true);
});

test('a connection on which nothing was ever sent is no request to wait for', async () => {
  const { server, rest } = await serverWithConnection();
  const fresh = connect(Number(new URL(urlOf(server, 'http', '127.0.0.1')).port), '127.0.0.1');
  await once(server, 'connection');
  expect(await closeGracefully(server, 10_000)).toBe(true);
  expect(await fresh.toArray()).toEqual([]);
  await rest();
});

test('a connection that is idle when the time is up has no request that was cut off', async () => {
  const { server, rest } = await serverWithConnection();
  expect(await closeGracefully(server, 20)).toBe(true);
  expect(await rest()).toBe('');
});

test('a connection whose TLS handshake does not go on is closed with the others when the time is up', async () => {
  const server = createSecureServer(selfSignedCertificate());
  await listenOn(server, { host: '127.0.0.1', port: 0, onAcceptError: vi.fn() });
  const socket = connect(Number(new URL(urlOf(server, 'https', '127.0.0.1')).port), '127.0.0.1');
  const accepted = once(server, 'connection');
  // The beginning of a client's first record.
  socket.write(Uint8Array.of(0x16, 0x03, 0x01));
  const [{ bytesRead }] = await accepted;
  expect(bytesRead).toBeLessThan(4);
  await setTimeout(50);
  // Node would wait for it for two minutes.
  await closeGracefully(server, 20);
  socket.destroy();
});
