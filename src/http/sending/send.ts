import type { Request, Response } from 'express';
import { type ByteText, bytesOf } from '../../core/byte-text.js';
import type { Answer } from '../answer.js';
import { type AnswerTimes, serverTiming } from '../metrics/stages.js';
import type { RequestState } from '../request-state.js';
import { afterSending } from './after-sending.js';
import { chooseEncoding, compressShared, type Encoding } from './compression.js';
import type { Cors } from './cors.js';
import { DATA_HEADERS, pageHeaders } from './security-headers.js';
import { createTurnQueue } from './turn-queue.js';

/** Sends an answer: the one place where headers and bodies of the service are written. */
export type Send = (request: Request, response: Response, answer: Answer) => void;

/** What became of an answer. */
export interface Delivery {
  readonly status: number;
  /** The client went before. */
  readonly aborted: boolean;
  /** Until now; undefined for what was refused before a query began. */
  readonly times: AnswerTimes | undefined;
}

export interface SendDeps {
  readonly cors: Cors;
  /** Whether the server is stopping. */
  readonly draining: () => boolean;
  /** Whether clients are told where the time went. */
  readonly tellsTimes: boolean;
  /** Milliseconds; see {@link ANSWER_TIMEOUT_MS}. */
  readonly answerTimeoutMs?: number | undefined;
  /** Told of every answer, when it is written. */
  readonly onAnswered: (request: Request, state: RequestState, end: Delivery) => void;
  /** Told of an answer that could not be written, which is a bug; its client's connection is closed. */
  readonly onFailed: (state: RequestState, error: unknown) => void;
}

const JSON_TYPE = 'application/json; charset=utf-8';
/** Clients ask each time: a new generation shows at once, and an unchanged answer is a 304 of a few bytes. */
const CACHE_CONTROL = { private: 'private, no-cache', 'no-store': 'no-store' } as const;

/** Of larger answers Node would make bytes itself, after another copy: its fast way ends where head and body are 16 KiB. */
const TEXT_MAX = 12 * 1024;

/** A client that takes nothing of its answer for so long is let go: it would hold its connection for good. */
const ANSWER_TIMEOUT_MS = 120_000;

/** An answer on its way. */
interface Letter {
  readonly request: Request;
  readonly response: Response;
  readonly answer: Answer;
  /** As it is sent. */
  readonly body: Uint8Array | ByteText | undefined;
  readonly encoding?: Encoding;
  /** When the answer was there. */
  readonly readyAtMs: number;
}

export function createSend(deps: SendDeps): Send {
  const { cors, draining, tellsTimes, answerTimeoutMs = ANSWER_TIMEOUT_MS, onAnswered, onFailed } = deps;
  const vary = cors.variesByOrigin ? 'Accept-Encoding, Origin' : 'Accept-Encoding';
  const writeLater = createTurnQueue(deliver);

  return (request, response, answer) => {
    const { body } = answer;
    const encoding = body && chooseEncoding(request.headers['accept-encoding'], body.length);
    const letter = { request, response, answer, body, readyAtMs: performance.now() };
    if (!body || !encoding) return writeLater(letter);
    const known = answer.compressed?.get(encoding);
    if (known) return writeLater({ ...letter, body: known, encoding });
    const bytes = (): Uint8Array => (typeof body === 'string' ? bytesOf(body) : body);
    compressShared(bytes, encoding, answer.compressed).then(
      (compressed) => {
        answer.release?.();
        writeLater({ ...letter, body: compressed, encoding });
      },
      // Only a lack of memory fails here: the body as it is needs no more of it.
      () => writeLater(letter),
    );
  };

  /** Whatever goes wrong with one answer, those behind it are sent. */
  function deliver(letter: Letter): void {
    try {
      deliverOne(letter);
    } catch (error) {
      onFailed(letter.response.locals.request, error);
    }
  }

  function deliverOne(letter: Letter): void {
    const { request, response, answer } = letter;
    const state = response.locals.request;
    let aborted = request.socket.destroyed;
    if (answer.release && aborted) answer.release();
    else if (answer.release) afterSending(request, response, answer.release);
    try {
      if (!aborted) write(letter, state);
    } catch (error) {
      aborted = true;
      response.destroy();
      onFailed(state, error);
    }
    onAnswered(request, state, { status: answer.status, aborted, times: timesOf(letter, state) });
  }

  function write(letter: Letter, state: RequestState): void {
    const { request, response, answer, body } = letter;
    const headers = headersOf(letter, state);
    const times = tellsTimes ? timesOf(letter, state) : undefined;
    if (times) headers.push('Server-Timing', serverTiming(times));
    response.writeHead(answer.status, headers);
    // Node leaves the body out of the answer to a HEAD.
    if (typeof body === 'string' && body.length < TEXT_MAX) response.end(body, 'latin1');
    else response.end(typeof body === 'string' ? bytesOf(body) : body);
    // What the system did not take at once, or what waits behind other answers of a client that sent several requests
    // together. When the system has all of it, Node sets the time for the next request.
    const { socket } = request;
    if (response.socket === null || socket.writableLength > 0) socket.setTimeout(answerTimeoutMs);
  }

  /** Names and values in turn, as Node writes them without looking anything up. */
  function headersOf({ request, answer, body, encoding }: Letter, state: RequestState): string[] {
    const { status, contentType = JSON_TYPE, contentSecurityPolicy, cacheControl } = answer;
    const shared = contentSecurityPolicy ? pageHeaders(contentSecurityPolicy) : DATA_HEADERS;
    const headers = [...shared, 'Vary', vary, 'X-Request-ID', state.requestId];
    headers.push('Cache-Control', CACHE_CONTROL[cacheControl]);
    if (body) headers.push('Content-Type', contentType, 'Content-Length', String(body.length));
    if (encoding) headers.push('Content-Encoding', encoding);
    if (state.entityTag && (status === 200 || status === 304)) headers.push('ETag', state.entityTag);
    if (state.lease) headers.push('X-Dataset-Generation', state.lease.value.dataset.generation);
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

/** Where the time went until now. What needed no worker thread waited for none. */
function timesOf({ answer, readyAtMs }: Letter, { beganAtMs }: RequestState): AnswerTimes | undefined {
  if (beganAtMs === undefined) return undefined;
  const { queueMs, queryMs } = answer.times ?? { queueMs: 0, queryMs: readyAtMs - beganAtMs };
  return { queueMs, queryMs, writeMs: performance.now() - readyAtMs };
}
