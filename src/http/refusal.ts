import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Response } from 'express';
import { type LimitStatus, limitHeaders } from './access/rate-limit.js';
import { DETAILS, isNotHttp } from './error-details.js';
import { ApiError, type ErrorCode, errorBody } from './errors.js';
import { endBody } from './input/open-bodies.js';
import { JSON_TYPE } from './media-types.js';
import { answersOn, endAfterAnswers, expectRefused } from './pending-answers.js';
import { type RequestState, requestIdOf } from './request-state.js';
import type { Method } from './route.js';
import { DATA_HEADERS } from './sending/security-headers.js';

/** An answer that was sent without the application. */
export interface Refusal {
  readonly status: number;
  /** The answer's `X-Request-ID`. */
  readonly requestId: string;
}

/** Called for each refusal when it is sent; not if the application counts it or the client is gone. */
export type OnRefused = (refusal: Refusal) => void;

/**
 * Refuses what cannot be parsed as HTTP, with an error in the contract's shape. If the application is waiting for the rest
 * of a body, it sends the error itself; otherwise this function does, after the answers to the requests before.
 */
export function refuse(error: ParserError, socket: Duplex, onRefused: OnRefused): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { newest, isRefused } = answersOn(socket);
  // Node reports whatever else comes on the connection as an error, too. It is discarded until the connection is closed: if
  // that was done while data arrives, the connection would be reset, and the client would lose the refusal.
  if (isRefused) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = refusalOf(error);
  // Of a request that has arrived whole, what comes behind it is refused, though its body may still be about to be read.
  const isUnfinished = newest && !newest.req.complete;
  if (isUnfinished && endBody(newest.req, refusal)) return;
  // The request that is refused has reached the application, which has not begun to answer it: this is its answer.
  const isOwn = isUnfinished && newest.socket && !newest.headersSent;
  // All responses of the server are Express's.
  if (isOwn) refuseInPlace(newest as Response, socket, refusal, onRefused);
  else if (isUnfinished) endAfterAnswers(socket, () => endAndClose(socket));
  else endAfterAnswers(socket, () => write(socket, refusal, onRefused));
}

/** Refuses a request that the application is answering, which counts and logs it under this status when it has the answer. */
function refuseInPlace({ locals }: Response, socket: Duplex, refusal: ApiError, onRefused: OnRefused): void {
  const state: RequestState | undefined = locals.request;
  if (state) state.refusedWith = refusal.status;
  expectRefused(socket);
  write(socket, refusal, state ? () => {} : onRefused, state);
}

/** The errors of Node that are answered otherwise than by `bad_request`. */
const REFUSALS: ReadonlyMap<string, readonly [code: ErrorCode, detail: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', ['headers_too_large', DETAILS.headersTooLarge]],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', ['body_too_large', DETAILS.payloadTooLarge]],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['request_timeout', DETAILS.requestTimeout]],
]);

/** What Node reports of a request that it cannot read. */
type ParserError = Error & {
  readonly code?: string;
  readonly reason?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

function refusalOf(error: ParserError): ApiError {
  if (error.code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(lineOf(error))) return methodNotAllowed();
  if (URL_ERRORS.has(error.code ?? '') && UNENCODED.test(lineOf(error))) {
    return new ApiError('bad_request', DETAILS.unencodedUrl);
  }
  const [code, detail] = REFUSALS.get(error.code ?? '') ?? ['bad_request', isNotHttp(error.reason)];
  return new ApiError(code, detail);
}

/** The first line of a request, with any method: Node knows no `get` in small letters (RFC 9112, 3). */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]$/;
/** With a space in the target, Node takes what follows for the protocol. */
const URL_ERRORS = new Set(['HPE_INVALID_URL', 'HPE_INVALID_CONSTANT']);
/** A request line with something other than printable ASCII in its path or query: `GET /?address=150 Main St HTTP/1.1`. */
const UNENCODED = /^[A-Z]+ \/[!-~]*[^!-~].*HTTP\/1\.[01]$/;

/** The first line of the request that cannot be read. */
function lineOf({ rawPacket, bytesParsed = 0 }: ParserError): string {
  if (!rawPacket) return '';
  const begin = rawPacket.lastIndexOf('\n', bytesParsed) + 1;
  const [line = ''] = rawPacket.toString('latin1', begin).split(/\r?\n/, 1);
  return line;
}

/** Refuses a request whose target the application would not answer in the contract's shape. */
export function refuseTarget(response: ServerResponse, onRefused: OnRefused): void {
  const known = { requestId: requestIdOf(response.req.headers) };
  const { head, body, ...refusal } = compose(new ApiError('bad_request', DETAILS.invalidTarget), known);
  response.writeHead(refusal.status, head).end(body);
  onRefused(refusal);
}

const METHODS: readonly (Method | 'HEAD' | 'OPTIONS')[] = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];

function methodNotAllowed(): ApiError {
  return new ApiError('method_not_allowed', DETAILS.methodNotAllowed, { Allow: METHODS.join(', ') });
}

/** Refuses CONNECT, which Node passes to no request handler and whose target need not be a path. */
export function refuseTunnel({ headers }: IncomingMessage, socket: Duplex, onRefused: OnRefused): void {
  const known = { requestId: requestIdOf(headers) };
  endAfterAnswers(socket, () => write(socket, methodNotAllowed(), onRefused, known));
}

/** What is known of a request whose headers could be read. */
interface Known {
  readonly requestId: string;
  readonly limit?: LimitStatus | undefined;
}

/** Writes an answer without the application, and ends the connection. */
function write(socket: Duplex, error: ApiError, onRefused: OnRefused, known?: Known): void {
  const { head, body, ...refusal } = compose(error, known);
  const lines = [`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`];
  for (let at = 0; at < head.length; at += 2) lines.push(`${head[at]}: ${head[at + 1]}`);
  endAndClose(socket, `${lines.join('\r\n')}\r\n\r\n${body}`);
  onRefused(refusal);
}

/** How long a client has to close its half of a connection that the service has ended. */
const LINGER_MS = 1_000;

/**
 * Ends a connection, and closes it if its client does not: nothing else would. Node no longer manages that of a tunnel, nor
 * does it look any more after one whose client took too long, and whoever makes many of them would take all descriptors.
 */
function endAndClose(socket: Duplex, last = ''): void {
  socket.end(last);
  const closing = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(closing));
}

/** An error's answer, with its headers as alternating names and values. */
function compose(
  error: ApiError,
  { requestId, limit }: Known = { requestId: randomUUID() },
): Refusal & { readonly head: string[]; readonly body: string } {
  const body = JSON.stringify(errorBody(error));
  const head = [
    ...['X-Request-ID', requestId],
    ...DATA_HEADERS,
    ...(limit ? limitHeaders(limit) : []),
    ...Object.entries(error.headers).flat(),
    ...['Cache-Control', 'no-store'],
    ...['Content-Type', JSON_TYPE],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['Connection', 'close'],
  ];
  return { status: error.status, requestId, head, body };
}
