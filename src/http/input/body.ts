import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.js';
import { closeBody, openBody } from './open-bodies.js';
import type { IssueType } from './validation-issue.js';

/** Most bytes of a request's body. */
export const BODY_MAX_BYTES = 256 * 1024;

/** No body of the contract nests deeper than filters → thresholds → metric; this leaves room for what is ignored. */
const DEPTH_MAX = 32;

/** `application/json` and kin. JSON has no parameters (RFC 8259): a `charset` that clients add says nothing of it. */
const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json\s*(?:;|$)/i;

/**
 * A request's body as JSON says it; undefined where there is none. Of a key that stands twice the last counts, and
 * `__proto__` never. Throws `body_too_large` as soon as it is, and `validation` where it is not JSON in UTF-8.
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readAll(request);
  if (bytes.byteLength === 0) return undefined;
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  // Many a client that makes its own JSON does not say so.
  const saysOther = type.trim() !== '' && !JSON_TYPE.test(type);
  if (saysOther) throw notJson('Body should be sent as application/json');
  if (encoding.toLowerCase() !== 'identity') throw notJson('Body should not be compressed');
  const value = parse(bytes);
  tame(value);
  return value;
}

/** The body's error for whoever knows its length beforehand. */
export function bodyTooLarge(): ApiError {
  return new ApiError('body_too_large', `The request body exceeds ${BODY_MAX_BYTES} bytes.`);
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = (error: ApiError): void => {
      closeBody(request.socket);
      // No further byte is taken in; the answer closes the connection.
      request.pause();
      request.removeAllListeners('data');
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > BODY_MAX_BYTES) return fail(bodyTooLarge());
      chunks.push(chunk);
    });
    request.once('end', () => {
      closeBody(request.socket);
      resolve(Buffer.concat(chunks, size));
    });
    // The client went away.
    request.once('error', () => fail(new ApiError('bad_request', 'The request body ended early.')));
    // It sends what is no HTTP, or takes longer than the server waits.
    openBody(request.socket, fail);
  });
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's own message quotes the body.
    throw notJson('JSON decode error');
  }
}

/** Refuses what is nested beyond all use, and removes keys that could reach a prototype. */
function tame(root: unknown): void {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { value, depth } = entry;
    if (depth > DEPTH_MAX) throw notJson('JSON is nested too deeply');
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 });
  }
}

function notJson(msg: string): ApiError {
  const type: IssueType = 'json_invalid';
  return new ApiError('validation', [{ loc: ['body'], msg, type }]);
}
