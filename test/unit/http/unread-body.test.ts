import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { APP_KEY, startTestApp } from '../../support/test-app.js';

test.each([
  ['Content-Length: 100000', '{'],
  ['Transfer-Encoding: chunked', '186a0\r\n{'],
])('a server that is stopping does not wait for the rest of a refused body: %s', async (header, begin) => {
  let isStopping = false;
  const app = await startTestApp({ draining: () => isStopping });
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`POST /v1/batch HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n${begin}`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
  socket.on('error', () => {}).resume();
  let closed = false;
  socket.once('close', () => {
    closed = true;
  });
  /** Sends the body byte by byte, up to so many, until the connection is closed. */
  const drip = async (most: number): Promise<void> => {
    for (let sent = 0; sent < most && !closed; sent++) {
      socket.write(' ');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await drip(20);
  expect(closed).toBe(false);
  isStopping = true;
  await drip(50);
  expect(closed).toBe(true);
});

test('what comes after a body that was refused is not carried out, since the answer has ended the connection', async () => {
  const countUse = vi.fn();
  const app = await startTestApp({ countUse });
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write('POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
  socket.write(`}GET /v1/dictionary HTTP/1.1\r\nHost: x\r\nX-API-Key: ${APP_KEY}\r\n\r\n`);
  expect(await text(socket)).toBe('');
  expect(countUse).not.toHaveBeenCalled();
});
