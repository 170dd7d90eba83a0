import { once } from 'node:events';
import { request as requestPlain } from 'node:http';
import { Agent, request as requestSecure } from 'node:https';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { BEARER, startTestPlane } from '../../support/admin-plane.js';
import { selfSignedCertificate } from '../../support/certificates.js';
import { eventually } from '../../support/eventually.js';

/** Connections that send nothing. */
async function openSilent(url: string, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) socket.on('error', () => {}).resume();
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

test.each([
  ['http', undefined],
  ['https', selfSignedCertificate()],
])('clients without the token cannot keep its operator out, however many connections they hold: %s', async (_, tls) => {
  const { url } = await startTestPlane(tls && { tls });
  const agent = new Agent({ rejectUnauthorized: false });
  onTestFinished(() => agent.destroy());
  const ask = async (): Promise<number | undefined> => {
    const options = { headers: BEARER };
    const sent = tls
      ? requestSecure(`${url}/keys.list`, { ...options, agent })
      : requestPlain(`${url}/keys.list`, { ...options, agent: false });
    sent.end();
    const [response] = await once(sent, 'response');
    await text(response);
    return response.statusCode;
  };
  const silent = await openSilent(url, 150);
  expect(await ask()).toBe(200);
  expect(await ask()).toBe(200);
  // Those that had waited longest made room.
  await eventually(() => expect(silent.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(50));
  expect(silent.slice(-90).some(({ destroyed }) => destroyed)).toBe(false);
});

test('a connection over which the token has come makes room for no stranger', async () => {
  const { url } = await startTestPlane();
  const [operator] = await openSilent(url, 1);
  if (!operator) throw new Error('one was opened');
  operator.write(`GET /keys.list HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${BEARER.authorization}\r\n\r\n`);
  await once(operator, 'data');
  const silent = await openSilent(url, 110);
  await eventually(() => expect(silent.filter(({ destroyed }) => destroyed).length).toBe(10));
  expect(operator.destroyed).toBe(false);
});

test('connections that have ended count for nothing, however many there were', async () => {
  const { url } = await startTestPlane();
  const [waiting] = await openSilent(url, 1);
  if (!waiting) throw new Error('one was opened');
  for (let round = 0; round < 3; round++) {
    const ended = await openSilent(url, 60);
    for (const socket of ended) socket.end();
    await Promise.all(ended.map((socket) => once(socket, 'close')));
  }
  const silent = await openSilent(url, 90);
  // The plane has seen all of them once it answers.
  const sent = requestPlain(`${url}/keys.list`, { headers: BEARER, agent: false });
  sent.end();
  await once(sent, 'response');
  expect([waiting, ...silent].filter(({ destroyed }) => destroyed)).toEqual([]);
});
