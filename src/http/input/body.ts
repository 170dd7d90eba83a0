import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { exceedsBytes } from '../error-details.js';
import { ApiError, clientGone } from '../errors.js';
import { closeBody, countBytes, openBody } from './open-bodies.js';
import type { IssueType } from './validation-issue.js';

/** The largest request body that is accepted. */
export const BODY_MAX_BYTES = 256 * 1024;

/**
 * The most pieces in which a body is kept before they are joined. An object for each piece takes some 200 bytes: sent in
 * chunks of one byte, a body of the most bytes would need 50 MB.
 */
const PIECES_MAX = 1024;

/**
 * The most levels of objects and lists, the outermost being the first. The contract's bodies nest no deeper than filters →
 * thresholds → metric; the rest leaves room for ignored fields.
 */
const LEVELS_MAX = 32;

/** `application/json` and `+json` types. JSON has no media type parameters (RFC 8259), so a `charset` is ignored. */
const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json\s*(?:;|$)/i;
/** The content encodings of a body that is not compressed. Some clients send the header without a value. */
const PLAIN_ENCODINGS = ['', 'identity'];

/**
 * Reads and parses a request's JSON body; undefined if there is none. Of duplicate keys the last one wins. `__proto__` is a
 * key like any other, which must not be set on another object: the schemas pass on only the keys they name. Rejects with
 * `body_too_large` as soon as the limit is exceeded, with `client_gone` if the client disconnects, with `overloaded` if the
 * bodies of all requests take too much memory and this one began first, and with `validation` if the body is not JSON in
 * UTF-8.
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readAll(request);
  if (bytes.byteLength === 0) return undefined;
  requireJson(request);
  const value = parse(bytes);
  refuseDepth(value);
  return value;
}

/** Throws `validation` if the headers of a request say that its body is not JSON, or that it is compressed. */
export function requireJson({ headers }: IncomingMessage): void {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  // A missing type is accepted, because many clients that build JSON by hand do not set it.
  const saysOther = type.trim() !== '' && !JSON_TYPE.test(type);
  if (saysOther) throw notJson('Body should be sent as application/json');
  if (!PLAIN_ENCODINGS.includes(encoding.toLowerCase())) throw notJson('Body should not be compressed');
}

/** Also for a caller that knows the body's length before it is read. */
export function bodyTooLarge(): ApiError {
  return new ApiError('body_too_large', exceedsBytes(BODY_MAX_BYTES));
}

function readAll(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let pieces: Buffer[] = [];
    let size = 0;
    const fail = (error: ApiError): void => {
      closeBody(request);
      // The answer closes the connection, and discards the rest of the body before that.
      request.removeAllListeners('data');
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > BODY_MAX_BYTES) return fail(bodyTooLarge());
      pieces.push(chunk);
      if (pieces.length >= PIECES_MAX) pieces = [Buffer.concat(pieces, size)];
      countBytes(request, chunk.byteLength);
    });
    request.once('end', () => {
      closeBody(request);
      resolve(Buffer.concat(pieces, size));
    });
    request.once('error', () => fail(clientGone()));
    // Called if the client sends invalid HTTP, exceeds the server's request timeout, or is too slow for others to wait.
    openBody(request, fail);
  });
}

function parse(bytes: Uint8Array): unknown {
  // Told apart, because in another encoding the JSON itself looks right to who sent it.
  if (!isUtf8(bytes)) throw notJson('Body should be encoded in UTF-8');
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // The parser's own message is not passed on, because it quotes the body.
    throw notJson('JSON decode error');
  }
}

/** Refuses values that are nested too deeply. */
function refuseDepth(root: unknown): void {
  const open: { readonly value: unknown; readonly level: number }[] = [{ value: root, level: 1 }];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { value, level } = entry;
    if (typeof value !== 'object' || value === null) continue;
    if (level > LEVELS_MAX) throw notJson('JSON is nested too deeply');
    for (const inner of Object.values(value)) open.push({ value: inner, level: level + 1 });
  }
}

function notJson(msg: string): ApiError {
  const type: IssueType = 'json_invalid';
  return new ApiError('validation', [{ loc: ['body'], msg, type }]);
}
