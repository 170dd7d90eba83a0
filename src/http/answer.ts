import type { Response } from 'express';
import type { ApiError } from './errors.js';

/** A finished answer. */
export interface Answer {
  readonly status: number;
  /** UTF-8; undefined for an answer without content. */
  readonly body?: Uint8Array | string;
  readonly contentType?: string;
  /** Who may keep it. */
  readonly cacheControl: 'private' | 'no-store';
  readonly headers?: Readonly<Record<string, string>>;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** A 200 with finished JSON, for the caller's own cache only: it was paid for with a key. */
export function data(body: Uint8Array | string): Answer {
  return { status: 200, body, cacheControl: 'private' };
}

/** JSON that is true only now. */
export function momentary(status: number, body: unknown): Answer {
  return { status, body: JSON.stringify(body), cacheControl: 'no-store' };
}

/** An error in the contract's shape (SPEC 7). */
export function errorAnswer(error: ApiError): Answer {
  const { status, detail, headers } = error;
  return { ...momentary(status, { error: true, status_code: status, detail }), headers };
}

/** Sends an answer: the one place where headers and bodies of the service are written. */
export function send(response: Response, answer: Answer): void {
  const { request, draining } = response.locals;
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  const headers = [
    'X-Request-ID',
    request.id,
    'X-Content-Type-Options',
    'nosniff',
    'Cache-Control',
    answer.cacheControl,
  ];
  if (body) headers.push('Content-Type', answer.contentType ?? JSON_TYPE, 'Content-Length', String(body.byteLength));
  for (const name in answer.headers) headers.push(name, answer.headers[name] ?? '');
  // An unread request body would be taken for the next request; a stopping server takes no next one.
  if (request.hasBody || draining()) headers.push('Connection', 'close');
  response.writeHead(answer.status, headers);
  // Node leaves the body out of the answer to a HEAD.
  response.end(body);
}
