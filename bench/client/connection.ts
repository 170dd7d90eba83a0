import { connect, type Socket } from 'node:net';
import type { Job } from './job.js';
import { digitsInLap } from './laps.js';
import { createResponseReader } from './response-reader.js';

/** One connection, with at most one request on its way. */
export interface Connection {
  send(request: Buffer): void;
  close(): void;
}

export interface ConnectionEvents {
  answered(status: number, bytes: number): void;
  /** The connection ended before the answer was there. */
  failed(): void;
}

/**
 * What comes is looked at at once, so that all connections can be read into the same memory: Node takes new one
 * otherwise.
 */
const received = Buffer.allocUnsafeSlow(64 * 1024);

/** Connects with the first request, and again where the server has closed meanwhile, or always without `keepAlive`. */
export function createConnection(url: URL, keepAlive: boolean, events: ConnectionEvents): Connection {
  let socket: Socket | undefined;
  let waiting = false;

  const open = (): Socket => {
    // A URL has an IPv6 address in brackets.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const read = createResponseReader((status, bytes) => {
      waiting = false;
      if (!keepAlive) drop(opened);
      events.answered(status, bytes);
    });
    const callback = (size: number): boolean => {
      read(received.subarray(0, size));
      return true;
    };
    const opened = connect({
      host,
      port: Number(url.port || 80),
      noDelay: true,
      onread: { buffer: received, callback },
    });
    // 'close' follows.
    opened.on('error', () => {});
    opened.on('close', () => {
      if (socket !== opened) return;
      socket = undefined;
      if (!waiting) return;
      waiting = false;
      events.failed();
    });
    return opened;
  };
  const drop = (old: Socket | undefined): void => {
    socket = undefined;
    old?.destroy();
  };
  return {
    send: (request) => {
      waiting = true;
      socket ??= open();
      socket.write(request);
    },
    close: () => drop(socket),
  };
}

/**
 * Gives the bytes of a job's request by its position, counted over all laps; they are good until the same of another
 * lap.
 */
export function encodeAsks(
  url: URL,
  { headers, asks, keepAlive }: Pick<Job, 'headers' | 'asks' | 'keepAlive'>,
): (position: number) => Buffer {
  const shared = Object.entries({ host: url.host, ...headers, ...(keepAlive ? {} : { connection: 'close' }) });
  const prefix = url.pathname.replace(/\/+$/, '');
  const lines = shared.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const requests = asks.map((ask) => {
    const { method, path, body, lapDigitsAt } = ask;
    const content =
      body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    const bytes = Buffer.from(`${method} ${prefix}${path} HTTP/1.1\r\n${lines}${content}\r\n${body ?? ''}`);
    return { ask, bytes, digitsAt: lapDigitsAt && method.length + 1 + prefix.length + lapDigitsAt };
  });
  return (position) => {
    const request = requests[position % requests.length];
    if (!request) throw new RangeError('there is nothing to ask');
    const { ask, bytes, digitsAt } = request;
    if (digitsAt) bytes.write(digitsInLap(ask, Math.floor(position / requests.length)), digitsAt, 'latin1');
    return bytes;
  };
}
