import type { Request, Response } from 'express';
import type { Answer } from './answer.js';
import { chooseEncoding, compress, type Encoding } from './compression.js';
import type { Cors } from './cors.js';
import type { RequestState } from './request-state.js';
import { DATA_HEADERS, pageHeaders } from './security-headers.js';

/** Sends an answer: the one place where headers and bodies of the service are written. */
export type Send = (request: Request, response: Response, answer: Answer) => void;

export interface SendDeps {
  readonly cors: Cors;
  /** Whether the server is stopping. */
  readonly draining: () => boolean;
  /** Told of every answer, when it is written; `aborted` where the client went before. */
  readonly onAnswered: (request: Request, state: RequestState, status: number, aborted: boolean) => void;
}

const JSON_TYPE = 'application/json; charset=utf-8';
/** Clients ask each time: a new generation shows at once, and an unchanged answer is a 304 of a few bytes. */
const CACHE_CONTROL = { private: 'private, no-cache', 'no-store': 'no-store' } as const;

export function createSend({ cors, draining, onAnswered }: SendDeps): Send {
  const vary = cors.variesByOrigin ? 'Accept-Encoding, Origin' : 'Accept-Encoding';

  return (request, response, answer) => {
    const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
    const encoding = body && chooseEncoding(request.headers['accept-encoding'], body.byteLength);
    if (!body || !encoding) return write(request, response, answer, body);
    const known = answer.compressed?.get(encoding);
    if (known) return write(request, response, answer, known, encoding);
    compress(body, encoding).then(
      (compressed) => {
        answer.compressed?.set(encoding, compressed);
        write(request, response, answer, compressed, encoding);
      },
      // Only a lack of memory fails here: the body as it is needs no more of it.
      () => write(request, response, answer, body),
    );
  };

  function write(request: Request, response: Response, answer: Answer, body?: Uint8Array, encoding?: Encoding): void {
    const state = response.locals.request;
    const aborted = request.socket.destroyed;
    if (!aborted) {
      response.writeHead(answer.status, headersOf(request, state, answer, body, encoding));
      // Node leaves the body out of the answer to a HEAD.
      response.end(body);
    }
    onAnswered(request, state, answer.status, aborted);
  }

  /** Names and values in turn, as Node writes them without looking anything up. */
  function headersOf(
    request: Request,
    state: RequestState,
    answer: Answer,
    body: Uint8Array | undefined,
    encoding: Encoding | undefined,
  ): string[] {
    const { status, contentType = JSON_TYPE, contentSecurityPolicy, cacheControl } = answer;
    const headers = [...(contentSecurityPolicy ? pageHeaders(contentSecurityPolicy) : DATA_HEADERS)];
    headers.push('Vary', vary, 'X-Request-ID', state.requestId, 'Cache-Control', CACHE_CONTROL[cacheControl]);
    if (body) headers.push('Content-Type', contentType, 'Content-Length', String(body.byteLength));
    if (encoding) headers.push('Content-Encoding', encoding);
    if (state.entityTag && (status === 200 || status === 304)) headers.push('ETag', state.entityTag);
    if (state.limit) {
      const { limit, remaining, resetSeconds } = state.limit;
      headers.push('X-RateLimit-Limit', String(limit), 'X-RateLimit-Remaining', String(remaining));
      headers.push('X-RateLimit-Reset', String(resetSeconds));
    }
    for (const name in answer.headers) headers.push(name, answer.headers[name] ?? '');
    if (state.headers.origin !== undefined) headers.push(...cors.headersFor(state.headers));
    // An unread request body would be taken for the next request; a stopping server takes no next one.
    if (draining() || hasUnreadBody(request)) headers.push('Connection', 'close');
    return headers;
  }
}

function hasUnreadBody(request: Request): boolean {
  if (request.complete) return false;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}
