import type { Request, Response } from 'express';
import { type ByteText, bytesOf, byteTextOf } from '../../core/byte-text.js';
import { limitHeaders } from '../access/rate-limit.js';
import { type Answer, BUSY_ANSWER } from '../answer.js';
import { JSON_TYPE } from '../media-types.js';
import { type AnswerTimes, serverTiming } from '../metrics/stages.js';
import { expectNoMore } from '../pending-answers.js';
import type { RequestState } from '../request-state.js';
import { afterSending } from './after-sending.js';
import { acceptsPlain, chooseEncoding, type Encoding } from './compression.js';
import { createCompressor } from './compressor.js';
import type { Cors } from './cors.js';
import { DATA_HEADERS, pageHeaders } from './security-headers.js';
import { createTurnQueue } from './turn-queue.js';
import { createUnreadAnswers } from './unread-answers.js';
import { answerBeforeBodyEnds, hasUnreadBody } from './unread-body.js';

/** Sends an answer. This is the only place where the application writes headers and bodies. */
export type Send = (request: Request, response: Response, answer: Answer) => void;

/** The outcome of sending an answer. */
export interface Delivery {
  readonly status: number;
  /** Whether the connection ended before the answer was written. */
  readonly aborted: boolean;
  /** Where the time went until now; undefined for requests that were refused before a query began. */
  readonly times: AnswerTimes | undefined;
}

export interface SendDeps {
  readonly cors: Cors;
  /** Whether the server is stopping. */
  readonly draining: () => boolean;
  /** Whether answers carry a `Server-Timing` header. */
  readonly serverTiming: boolean;
  /** Milliseconds, two minutes by default; see {@link ANSWER_TIMEOUT_MS}. */
  readonly answerTimeoutMs?: number | undefined;
  /** 512 MiB by default; see {@link UNREAD_MAX_BYTES}. */
  readonly unreadMaxBytes?: number | undefined;
  /** 64 MiB by default; see {@link COMPRESSING_MAX_BYTES}. */
  readonly compressingMaxBytes?: number | undefined;
  /** Called for every answer, once it is written or its client turns out to be gone. */
  readonly onAnswered: (request: Request, state: RequestState, end: Delivery) => void;
  /** Called if an answer could not be written, which is a bug; the client's connection is closed. */
  readonly onFailed: (state: RequestState, error: unknown) => void;
}

/** Clients revalidate each time, so a new generation shows at once and an unchanged answer is a 304 of a few bytes. */
const CACHE_CONTROL = { private: 'private, no-cache', 'no-store': 'no-store' } as const;

/** Node's fast path ends where head and body reach 16 KiB; it would copy a larger string once more before encoding it. */
const TEXT_MAX = 12 * 1024;
/**
 * Smaller bodies of bytes are made texts: one or two kilobytes take 1.4 µs less then, of the 18 that bare `node:http` takes
 * for an answer, four take the same, and nine 2 µs more.
 */
const COPIED_MAX = 4 * 1024;

/** A client that reads nothing of its answer for this long is disconnected; it could hold its connection forever. */
const ANSWER_TIMEOUT_MS = 120_000;
/** The most bytes of answers that wait for their clients to read. A large map has 20 MB before it is compressed. */
const UNREAD_MAX_BYTES = 512 * 1024 * 1024;
/** The most bytes of answers that wait to be compressed. Beyond that, answers are sent as they are. */
const COMPRESSING_MAX_BYTES = 64 * 1024 * 1024;

/** An answer that is being sent. */
interface Letter {
  readonly request: Request;
  readonly response: Response;
  readonly answer: Answer;
  /** The body in the encoding in which it is sent. */
  readonly body: Buffer | ByteText | undefined;
  readonly encoding?: Encoding;
  /** When the route had produced the answer. */
  readonly readyAtMs: number;
}

export function createSend(deps: SendDeps): Send {
  const { cors, draining, serverTiming: tellsTimes, onAnswered, onFailed } = deps;
  const { answerTimeoutMs = ANSWER_TIMEOUT_MS, unreadMaxBytes = UNREAD_MAX_BYTES } = deps;
  const unread = createUnreadAnswers(unreadMaxBytes);
  const compress = createCompressor(deps.compressingMaxBytes ?? COMPRESSING_MAX_BYTES);
  const vary = cors.variesByOrigin ? 'Accept-Encoding, Origin' : 'Accept-Encoding';
  const writeLater = createTurnQueue(deliver);

  return (request, response, answer) => {
    const { body } = answer;
    const encoding = body && chooseEncoding(request.headers['accept-encoding'], body.length);
    const letter = { request, response, answer, body, readyAtMs: performance.now() };
    if (!body || !encoding) return writeLater(letter);
    const known = answer.compressed?.get(encoding);
    if (known) return writeLater({ ...letter, body: known, encoding });
    const bytes = (): Buffer => (typeof body === 'string' ? bytesOf(body) : body);
    const compressing = compress({ length: body.length, bytes }, encoding, answer.compressed);
    if (!compressing) return writeLater(asItIs(letter));
    compressing.then(
      (compressed) => {
        answer.release?.();
        writeLater({ ...letter, body: compressed, encoding });
      },
      // Compression fails only for lack of memory, and the uncompressed body needs no more memory.
      () => writeLater(letter),
    );
  };

  /** Keeps one answer's failure from affecting those queued behind it. */
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
    // The connection has also ended once the rest of this request turned out to be no HTTP, and was refused.
    let aborted = !request.socket.writable;
    if (answer.release && aborted) answer.release();
    else if (answer.release) afterSending(request, response, answer.release);
    try {
      if (!aborted) write(letter, state);
    } catch (error) {
      aborted = true;
      response.destroy();
      onFailed(state, error);
    }
    const end = { status: answer.status, aborted, times: timesOf(letter, state) };
    const { refusedWith } = state;
    // Its client has got that instead.
    if (refusedWith !== undefined) onAnswered(request, state, { ...end, status: refusedWith, aborted: false });
    else onAnswered(request, state, end);
  }

  function write(letter: Letter, state: RequestState): void {
    const { request, response, answer, body } = letter;
    const headers = headersOf(letter, state);
    const times = tellsTimes ? timesOf(letter, state) : undefined;
    if (times) headers.push('Server-Timing', serverTiming(times));
    response.writeHead(answer.status, headers);
    // For HEAD, Node itself omits the body.
    const sent = body && inFastestForm(body);
    if (hasUnreadBody(request)) answerBeforeBodyEnds(request, response, sent ?? '', draining);
    else if (typeof sent === 'string') response.end(sent, 'latin1');
    else response.end(sent);
    // The system has not accepted everything at once, or the answer is queued behind others to a client that pipelines its
    // requests. Once everything is accepted, Node sets the keep-alive timeout instead.
    const { socket } = request;
    if (response.socket !== null && socket.writableLength === 0) return;
    socket.setTimeout(answerTimeoutMs);
    unread.add(request, response, sent ?? '');
  }

  /** The headers as alternating names and values, the form that Node writes without any lookup. */
  function headersOf({ request, answer, body, encoding }: Letter, state: RequestState): string[] {
    const { status, contentType = JSON_TYPE, contentSecurityPolicy, cacheControl, variesBy } = answer;
    const shared = contentSecurityPolicy ? pageHeaders(contentSecurityPolicy) : DATA_HEADERS;
    const headers = [...shared, 'Vary', variesBy ? `${variesBy}, ${vary}` : vary, 'X-Request-ID', state.requestId];
    headers.push('Cache-Control', CACHE_CONTROL[cacheControl]);
    if (body) headers.push('Content-Type', contentType, 'Content-Length', String(body.length));
    if (encoding) headers.push('Content-Encoding', encoding);
    if (state.entityTag && (status === 200 || status === 304)) headers.push('ETag', state.entityTag);
    if (state.lease) headers.push('X-Dataset-Generation', state.lease.value.dataset.generation);
    if (state.limit) headers.push(...limitHeaders(state.limit));
    for (const name in answer.headers) headers.push(name, answer.headers[name] ?? '');
    if (state.headers.origin !== undefined) headers.push(...cors.headersFor(state.headers));
    // An unread request body would be parsed as the next request; a stopping server accepts no next request.
    if (draining() || hasUnreadBody(request)) {
      headers.push('Connection', 'close');
      expectNoMore(request.socket);
    }
    return headers;
  }
}

/** The answer that cannot be compressed now, or a refusal if its client takes no other. */
function asItIs(letter: Letter): Letter {
  if (acceptsPlain(letter.request.headers['accept-encoding'])) return letter;
  letter.answer.release?.();
  return { ...letter, answer: BUSY_ANSWER, body: BUSY_ANSWER.body };
}

/** A body in the form in which it is written fastest: text goes out with its head in one piece. */
function inFastestForm(body: Buffer | ByteText): Buffer | ByteText {
  if (typeof body === 'string') return body.length < TEXT_MAX ? body : bytesOf(body);
  return body.length < COPIED_MAX ? byteTextOf(body, 0, body.length) : body;
}

/**
 * Where the time went until now. Without a worker thread there is no queueing time. The times of a thread are those of the
 * request that asked it first: one that has joined later, to share the answer, waited only for the rest.
 */
function timesOf({ answer, readyAtMs }: Letter, { beganAtMs }: RequestState): AnswerTimes | undefined {
  if (beganAtMs === undefined) return undefined;
  const answeredMs = readyAtMs - beganAtMs;
  const { queueMs, queryMs } = answer.times ?? { queueMs: 0, queryMs: answeredMs };
  const ownQueryMs = Math.min(queryMs, answeredMs);
  const ownQueueMs = Math.min(queueMs, answeredMs - ownQueryMs);
  return { queueMs: ownQueueMs, queryMs: ownQueryMs, writeMs: performance.now() - readyAtMs };
}
