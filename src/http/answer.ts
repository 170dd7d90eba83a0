import { type ByteText, toByteText } from '../core/byte-text.js';
import type { StageTimes } from '../pool/request.js';
import { type ApiError, BUSY, errorBody } from './errors.js';
import type { CompressedBodies } from './sending/compression.js';

/** A finished answer. */
export interface Answer {
  readonly status: number;
  /** UTF-8; undefined for an answer without a body. */
  readonly body?: Buffer | ByteText | undefined;
  /** JSON by default. Every body of this service is text, and is compressed where that pays off. */
  readonly contentType?: string | undefined;
  /** `private`: only the client itself may cache the answer, and must revalidate it each time by its `ETag`. */
  readonly cacheControl: 'private' | 'no-store';
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The request headers that the answer depends on, besides those that every answer does. */
  readonly variesBy?: string | undefined;
  /** What an HTML page may load; nothing by default. */
  readonly contentSecurityPolicy?: string | undefined;
  /** Caches the body's compressed forms. */
  readonly compressed?: CompressedBodies | undefined;
  /** How long a worker thread's answer waited and ran; undefined if the main thread produced the answer itself. */
  readonly times?: StageTimes | undefined;
  /**
   * Set if the body lies in borrowed memory: must be called once nothing reads the body any more, so that the memory can be
   * reused. Idempotent.
   */
  readonly release?: (() => void) | undefined;
}

/** A 200 with a finished body, JSON by default. Cacheable by the caller at most, since access to it requires a key. */
export function data(
  body: Buffer | ByteText,
  {
    contentType,
    cacheControl = 'private',
    times,
    release,
  }: Partial<Pick<Answer, 'contentType' | 'cacheControl' | 'times' | 'release'>> = {},
): Answer {
  return { status: 200, body, contentType, cacheControl, times, release };
}

/**
 * A copy of an answer whose body is in memory of its own, so that it can be cached and sent to several clients. It has every
 * other field but `release`, since nothing is borrowed any more. They are copied by name: V8 would give each copy made with
 * `...` a hidden class of its own, as large as the rest of a cached answer.
 */
export function lastingAnswer(
  answer: Answer,
  body: Buffer,
  { compressed, times }: Pick<Answer, 'compressed' | 'times'>,
): Answer {
  const { status, contentType, cacheControl, headers, variesBy, contentSecurityPolicy } = answer;
  return { status, body, contentType, cacheControl, headers, variesBy, contentSecurityPolicy, compressed, times };
}

/** A 200 whose body is serialized as JSON. */
export function dataOf(body: object): Answer {
  return data(toByteText(JSON.stringify(body)));
}

/** JSON that reflects only the current moment and must not be cached. */
export function momentary(status: number, body: unknown): Answer {
  return { status, body: toByteText(JSON.stringify(body)), cacheControl: 'no-store' };
}

/** An error in the contract's shape. */
export function errorAnswer(error: ApiError): Answer {
  return { ...momentary(error.status, errorBody(error)), headers: error.headers };
}

/** Sent under overload. Built once, since there is no time then to build an answer for each request. */
export const BUSY_ANSWER: Answer = errorAnswer(BUSY);
