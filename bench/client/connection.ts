import { connect, type Socket } from 'node:net';
import type { Job } from './job.js';
import { digitsInLap } from './laps.js';
import { createResponseReader } from './response-reader.js';

/** One connection to the server, with at most one request in flight. */
export interface Connection {
  send(request: Buffer): void;
  close(): void;
}

export interface ConnectionEvents {
  answered(status: number, bytes: number): void;
  /** The connection ended before the answer was complete. */
  failed(): void;
}

/**
 * The one receive buffer of all connections, so that Node allocates none per read. Sharing is safe because each chunk is
 * processed before the next one is read.
 */
const received = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Creates a connection that opens with its first request, and reopens with a later one if the server has closed it in the
 * meantime. Without `keepAlive` it reopens for every request.
 */
export function createConnection(url: URL, keepAlive: boolean, events: ConnectionEvents): Connection {
  let socket: Socket | undefined;
  let waiting = false;

  const open = (): Socket => {
    // A URL puts an IPv6 address in brackets; `connect` takes it without.
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
    // An error needs no handling here: 'close' always follows it.
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
 * Returns a function that gives the bytes of the request at a position, counted over all laps. Each request's buffer is
 * reused: it is valid until the same request is asked for in another lap.
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
