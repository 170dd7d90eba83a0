import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { answerBeforeBodyEnds } from '../../../src/http/sending/unread-body.js';
import { APP_KEY, startTestApp } from '../../support/test-app.js';

test.each([
  ['Content-Length: 100000', '{'],
  ['Transfer-Encoding: chunked', '186a0\r\n{'],
])('a server that is stopping does not wait for the rest of a refused body: %s', async (header, begin) => {
  let isStopping = false;
  let looked = (): void => {};
  const draining = (): boolean => {
    looked();
    return isStopping;
  };
  const app = await startTestApp({ draining });
  // No time passes: however slow the machine is, silence ends nothing.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`POST /v1/batch HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n${begin}`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
  socket.on('error', () => {}).resume();
  /** Sends one byte of the body. Resolves when the server has read it, and looks whether it has to stop. */
  const drip = (): Promise<void> =>
    new Promise((resolve) => {
      looked = resolve;
      socket.write(' ');
    });
  for (let sent = 0; sent < 20; sent++) await drip();
  expect(socket.closed).toBe(false);
  isStopping = true;
  const closed = once(socket, 'close');
  await drip();
  await closed;
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

describe('the rest of a body is discarded', () => {
  /** A request that is refused in the middle of its body, which a test goes on sending while the clock stands still. */
  function refused(socket = new Socket()) {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const request = new IncomingMessage(socket);
    const response = new ServerResponse(request);
    answerBeforeBodyEnds(request, response, 'refused', () => false);
    const send = async (length: number): Promise<void> => {
      request.push(Buffer.alloc(length));
      await setImmediate();
    };
    return { request, response, send };
  }

  test('until nothing has come for a second', async () => {
    const { response, send } = refused();
    vi.advanceTimersByTime(999);
    await send(1);
    vi.advanceTimersByTime(999);
    expect(response.writableEnded).toBe(false);
    vi.advanceTimersByTime(1);
    expect(response.writableEnded).toBe(true);
  });

  test('for five seconds, however steadily it comes', async () => {
    const { response, send } = refused();
    for (let seconds = 0; seconds < 5; seconds += 0.5) {
      vi.advanceTimersByTime(500);
      await send(1);
      expect(response.writableEnded).toBe(false);
    }
    vi.advanceTimersByTime(1);
    await send(1);
    expect(response.writableEnded).toBe(true);
  });

  test('up to 64 MiB, however fast it comes', async () => {
    const { response, send } = refused();
    await send(64 * 1024 * 1024);
    expect(response.writableEnded).toBe(false);
    await send(1);
    expect(response.writableEnded).toBe(true);
  });

  test('until it ends, after which nothing waits for it', async () => {
    const { request, response } = refused();
    request.push(null);
    await once(request, 'end');
    expect(response.writableEnded).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('not at all if the client has ended its half of the connection in the middle of it', async () => {
    const socket = new Socket({ allowHalfOpen: true });
    socket.resume().push(null);
    await once(socket, 'end');
    expect(refused(socket).response.writableEnded).toBe(true);
  });
});
