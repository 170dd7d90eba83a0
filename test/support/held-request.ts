import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { TEST_KEY } from './service-process.js';

/** A request that the service has begun with, and waits for the rest of. */
export interface HeldRequest {
  /** Sends the rest; resolves to the answer, status line first. */
  finish(): Promise<string>;
}

/** Begins a batch whose body is held back until the service asks for it, which shows that it has the request. */
export async function holdRequest(url: string): Promise<HeldRequest> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const body = JSON.stringify({ addresses: ['100 Main St, 55555'] });
  const head = ['POST /v1/batch HTTP/1.1', 'Host: x', `X-API-Key: ${TEST_KEY}`, 'Content-Type: application/json'];
  socket.write(`${[...head, `Content-Length: ${body.length}`, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`);
  const [interim]: Buffer[] = await once(socket, 'data');
  // What comes next waits for who reads it.
  socket.pause();
  if (String(interim) !== 'HTTP/1.1 100 Continue\r\n\r\n') throw new Error(`not asked for the body, but: ${interim}`);
  return {
    finish: () => {
      socket.write(body);
      return text(socket);
    },
  };
}
