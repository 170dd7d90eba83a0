import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/http/errors.js';
import { BODY_MAX_BYTES, readJsonBody } from '../../../src/http/input/body.js';

/** A request with a body in these chunks; what the function needs of one, no more. */
function requestWith(chunks: readonly (string | Uint8Array)[], headers: Record<string, string> = {}) {
  const stream = new PassThrough();
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  return requestOf(stream, { 'content-type': 'application/json', ...headers });
}

function requestOf(body: PassThrough, headers: Record<string, string> = {}): IncomingMessage {
  return Object.assign(body, { headers, socket: new PassThrough() }) as unknown as IncomingMessage;
}

async function errorOf(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('no ApiError');
  return error;
}

describe('a JSON body', () => {
  test('is read whole, however it was cut, in the middle of a character too', async () => {
    const bytes = Buffer.from('{"address":"Peña"}');
    const chunks = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(await readJsonBody(requestWith(chunks))).toEqual({ address: 'Peña' });
  });

  test('that is empty is undefined, whatever it claims to be', async () => {
    expect(await readJsonBody(requestWith([], { 'content-type': 'text/plain' }))).toBeUndefined();
  });

  test('of exactly the most bytes is read, of one more it is not', async () => {
    const text = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2));
    expect(await readJsonBody(requestWith([text(BODY_MAX_BYTES)]))).toHaveLength(BODY_MAX_BYTES - 2);
    expect((await errorOf(readJsonBody(requestWith([text(BODY_MAX_BYTES + 1)])))).status).toBe(413);
  });

  test('that is too long is refused before it ends', async () => {
    const endless = new PassThrough({ highWaterMark: 1 << 20 });
    endless.write(Buffer.alloc(BODY_MAX_BYTES + 1, 0x20));
    expect((await errorOf(readJsonBody(requestOf(endless)))).status).toBe(413);
  });

  test('whose client goes away is counted like any other request whose client is gone', async () => {
    const broken = new PassThrough();
    const read = readJsonBody(requestOf(broken));
    broken.destroy(new Error('ECONNRESET'));
    expect((await errorOf(read)).code).toBe('client_gone');
  });

  test('treats __proto__ as a key like any other, without changing a prototype', async () => {
    const text = '{"a":[{"__proto__":{"polluted":1},"b":2}],"__proto__":3}';
    const body = await readJsonBody(requestWith([text]));
    expect(Object(body).a[0]).not.toHaveProperty('polluted');
    expect(JSON.stringify(body)).toBe(text);
  });

  test.each([
    ['of lists', '[', '', ']'],
    ['of lists around a number', '[', '1', ']'],
    ['of objects around a number', '{"a":', '1', '}'],
  ])('of 32 levels %s is read, of 33 it is not', async (_, opening, innermost, closing) => {
    const nested = (levels: number): string => opening.repeat(levels) + innermost + closing.repeat(levels);
    expect(JSON.stringify(await readJsonBody(requestWith([nested(32)])))).toBe(nested(32));
    expect(await errorOf(readJsonBody(requestWith([nested(33)])))).toMatchObject({
      status: 422,
      detail: [{ loc: ['body'], msg: 'JSON is nested too deeply', type: 'json_invalid' }],
    });
  });

  test.each([{ 'content-type': '' }, { 'content-type': ' ' }])(
    'that claims to be nothing is JSON: %j',
    async (headers) => {
      expect(await readJsonBody(requestWith(['{"a":1}'], headers))).toEqual({ a: 1 });
    },
  );

  test.each([
    ['a media type that only begins like JSON', { 'content-type': 'application/jsonx' }],
    ['compression', { 'content-encoding': 'br' }],
  ])('with %s is not taken', async (_, headers) => {
    const { detail } = await errorOf(readJsonBody(requestWith(['{}'], headers)));
    expect(detail).toEqual([{ loc: ['body'], msg: expect.any(String), type: 'json_invalid' }]);
  });

  test('in another encoding than UTF-8 is refused for that, as its JSON is right', async () => {
    const { detail } = await errorOf(readJsonBody(requestWith([Buffer.from('{"address":"Peña"}', 'latin1')])));
    expect(detail).toEqual([{ loc: ['body'], msg: 'Body should be encoded in UTF-8', type: 'json_invalid' }]);
  });

  test('that is not JSON is refused without quoting it', async () => {
    const error = await errorOf(readJsonBody(requestWith(['{"address":"12 Secret Street",}'])));
    expect(JSON.stringify([error.detail, error.message])).not.toContain('Secret');
  });
});
