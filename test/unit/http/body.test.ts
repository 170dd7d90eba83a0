import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../../../src/http/errors.js';
import { BODY_MAX_BYTES, readJsonBody } from '../../../src/http/input/body.js';
import { OPEN_MAX_BYTES } from '../../../src/http/input/open-bodies.js';
import { collectGarbage } from '../../support/collect-garbage.js';

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

  test('takes no more memory for being sent in the smallest pieces', async () => {
    const pieces = new PassThrough({ highWaterMark: 4 * BODY_MAX_BYTES });
    const read = readJsonBody(requestOf(pieces));
    collectGarbage();
    const before = process.memoryUsage();
    for (let at = 0; at < BODY_MAX_BYTES; at++) {
      pieces.write(Buffer.alloc(1, 0x20));
      if (at % 4096 === 0) await nextTurn();
    }
    collectGarbage();
    const after = process.memoryUsage();
    const kib = (after.heapUsed - before.heapUsed + (after.external - before.external)) / 1024;
    expect(kib).toBeLessThan(1024);
    pieces.end();
    expect((await errorOf(read)).detail).toEqual([{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }]);
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

describe('of bodies that are not completed', () => {
  const PART = Buffer.alloc(BODY_MAX_BYTES - 1, 0x20);
  /** As many of these parts are kept at a time. */
  const KEPT = Math.floor(OPEN_MAX_BYTES / PART.byteLength);

  /** Begins a body, and gives its stream and the state of its reading. */
  function begin() {
    const stream = new PassThrough();
    onTestFinished(() => void stream.destroy(new Error('aborted')));
    const reading = { stream, status: 0, value: undefined as unknown };
    readJsonBody(requestOf(stream)).then(
      (value) => Object.assign(reading, { status: 200, value }),
      (error: unknown) => Object.assign(reading, { status: error instanceof ApiError ? error.status : 500 }),
    );
    stream.write(PART);
    return reading;
  }

  test('those that began first are refused where all take too much memory', async () => {
    const readings = Array.from({ length: KEPT + 3 }, begin);
    await nextTurn();
    expect(readings.map(({ status }) => status)).toEqual([503, 503, 503, ...Array<number>(KEPT).fill(0)]);
    const [, , , next, ...others] = readings;
    next?.stream.end('1');
    await nextTurn();
    expect(next).toMatchObject({ status: 200, value: 1 });
    // What has been read, or has failed, takes no more room.
    others[0]?.stream.destroy(new Error('ECONNRESET'));
    const more = [begin(), begin()];
    await nextTurn();
    expect([...others.slice(1), ...more].filter(({ status }) => status !== 0)).toEqual([]);
    begin();
    await nextTurn();
    expect(others[1]?.status).toBe(503);
  });
});
