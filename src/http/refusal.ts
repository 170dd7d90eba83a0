import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { DATA_HEADERS } from './security-headers.js';

/**
 * What cannot be parsed as HTTP never reaches the application; it is told so in the contract's shape all the same. Gives
 * the status, or nothing where there is nobody to tell.
 */
export function refuse(error: Error & { code?: string }, socket: Duplex): number | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const status = REFUSALS.get(error.code ?? '') ?? 400;
  const body = JSON.stringify({ error: true, status_code: status, detail: STATUS_CODES[status] });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-ID: ${randomUUID()}`,
    ...dataHeaderLines(),
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  return status;
}

/** The headers of all answers, as lines. */
function dataHeaderLines(): string[] {
  return DATA_HEADERS.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${DATA_HEADERS[at + 1]}`] : []));
}

const REFUSALS: ReadonlyMap<string, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);
