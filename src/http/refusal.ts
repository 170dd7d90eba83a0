import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, ERROR_STATUS } from './errors.js';
import { endBody } from './input/open-bodies.js';
import { DATA_HEADERS } from './sending/security-headers.js';

/**
 * Refuses what cannot be parsed as HTTP, with an error in the contract's shape. If the application is waiting for the rest
 * of a body, it sends the error itself; otherwise this function does. Returns the status, or undefined if the application
 * answers or the client is gone.
 */
export function refuse(error: Error & { code?: string }, socket: Duplex): number | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const code = REFUSALS.get(error.code ?? '') ?? 'bad_request';
  const refusal = new ApiError(code, STATUS_CODES[ERROR_STATUS[code]] ?? '');
  return endBody(socket, refusal) ? undefined : write(socket, refusal);
}

/** How long a client has to read the refusal of its tunnel. */
const TUNNEL_LINGER_MS = 500;

/** Refuses CONNECT, which Node passes to no request handler and whose target need not be a path. Returns the status. */
export function refuseTunnel(socket: Duplex): number {
  const refusal = new ApiError('method_not_allowed', 'Method Not Allowed', { Allow: 'GET, HEAD, POST, OPTIONS' });
  const status = write(socket, refusal);
  // Node no longer manages the connection: if the client does not close its half, nothing else would.
  setTimeout(() => socket.destroy(), TUNNEL_LINGER_MS).unref();
  return status;
}

/** Writes an answer without the application, and ends the connection. */
function write(socket: Duplex, { status, detail, headers }: ApiError): number {
  const body = JSON.stringify({ error: true, status_code: status, detail });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-ID: ${randomUUID()}`,
    ...dataHeaderLines(),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  return status;
}

/** {@link DATA_HEADERS} as header lines. */
function dataHeaderLines(): string[] {
  return DATA_HEADERS.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${DATA_HEADERS[at + 1]}`] : []));
}

const REFUSALS: ReadonlyMap<string, 'headers_too_large' | 'body_too_large' | 'request_timeout'> = new Map([
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'body_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
] as const);
