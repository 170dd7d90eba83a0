import { type ByteText, toByteText } from '../core/byte-text.js';
import type { StageTimes } from '../pool/request.js';
import { type ApiError, BUSY } from './errors.js';
import type { CompressedBodies } from './sending/compression.js';

/** A finished answer. */
export interface Answer {
  readonly status: number;
  /** UTF-8; undefined for an answer without content. */
  readonly body?: Uint8Array | ByteText | undefined;
  /** JSON unless told. Every body of this service is text, and compressed where that pays. */
  readonly contentType?: string | undefined;
  /** Who may keep it. `private`: the client alone, and it asks again each time, with the answer's `ETag`. */
  readonly cacheControl: 'private' | 'no-store';
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What a page may load; nothing unless told. */
  readonly contentSecurityPolicy?: string | undefined;
  /** Where compressed forms of the body are kept. */
  readonly compressed?: CompressedBodies | undefined;
  /** Where a worker thread's time went. What is answered without one waits for none. */
  readonly times?: StageTimes | undefined;
  /**
   * Where the body is on loan: to be called when nothing reads it any more, since then its memory is used again.
   * Calling it twice does no harm.
   */
  readonly release?: (() => void) | undefined;
}

/** A 200 with a finished body, JSON unless told, for the caller's own cache only: it was paid for with a key. */
export function data(
  body: Uint8Array | ByteText,
  { contentType, times, release }: Pick<Answer, 'contentType' | 'times' | 'release'> = {},
): Answer {
  return { status: 200, body, contentType, cacheControl: 'private', times, release };
}

/**
 * An answer with a body of its own, which can be sent to many. Every field is named: of copies that are made by `...`, V8
 * gives each a hidden class of its own, as large as all else of an answer that is held.
 */
export function lastingAnswer(
  answer: Answer,
  body: Uint8Array,
  { compressed, times }: Pick<Answer, 'compressed' | 'times'>,
): Answer {
  const { status, contentType, cacheControl, headers, contentSecurityPolicy } = answer;
  return { status, body, contentType, cacheControl, headers, contentSecurityPolicy, compressed, times };
}

/** A 200 with what is not JSON yet. */
export function dataOf(body: object): Answer {
  return data(toByteText(JSON.stringify(body)));
}

/** JSON that is true only now. */
export function momentary(status: number, body: unknown): Answer {
  return { status, body: toByteText(JSON.stringify(body)), cacheControl: 'no-store' };
}

/** An error in the contract's shape (SPEC 7). */
export function errorAnswer(error: ApiError): Answer {
  const { status, detail, headers } = error;
  return { ...momentary(status, { error: true, status_code: status, detail }), headers };
}

/** To all who come while there is no time for more. */
export const BUSY_ANSWER: Answer = errorAnswer(BUSY);
