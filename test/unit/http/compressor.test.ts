import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Encoding } from '../../../src/http/sending/compression.js';
import { createCompressor, type Uncompressed } from '../../../src/http/sending/compressor.js';

const LENGTH = 5000;

/** A body of so many bytes, and how often it has been made. */
function bodyOf(length = LENGTH): Uncompressed & { readonly made: () => number } {
  let made = 0;
  const bytes = (): Buffer => {
    made++;
    return Buffer.alloc(length, 'a');
  };
  return { length, bytes, made: () => made };
}

test('compressed bodies are smaller and decompress to the same bytes', async () => {
  const body = Buffer.from('{"geoid":"27001000100"},'.repeat(200));
  const compress = createCompressor(Number.POSITIVE_INFINITY);
  const compressed = async (encoding: Encoding): Promise<Buffer> =>
    (await compress({ length: body.length, bytes: () => body }, encoding, undefined)) ?? Buffer.alloc(0);
  const [br, gzip] = await Promise.all([compressed('br'), compressed('gzip')]);
  expect(brotliDecompressSync(br).equals(body)).toBe(true);
  expect(gunzipSync(gzip).equals(body)).toBe(true);
  expect(Math.max(br.byteLength, gzip.byteLength)).toBeLessThan(body.byteLength / 4);
});

test('requests for a body that is being compressed share the result, which is kept, and count once', async () => {
  const compress = createCompressor(LENGTH);
  const forms = new Map<Encoding, Buffer>();
  const body = bodyOf();
  const asked = Array.from({ length: 5 }, () => compress(body, 'gzip', forms));
  const [first, ...others] = await Promise.all(asked);
  expect(first).toBeInstanceOf(Buffer);
  expect(others.every((other) => other === first)).toBe(true);
  expect(body.made()).toBe(1);
  expect(forms.get('gzip')).toBe(first);
});

test('a result is shared no longer than the compression takes: else it would be kept although it is cached no more', async () => {
  const compress = createCompressor(LENGTH);
  const body = bodyOf();
  const forgetful = { get: () => undefined, set: () => {} };
  await compress(body, 'gzip', forgetful);
  await compress(body, 'gzip', forgetful);
  expect(body.made()).toBe(2);
});

test('a body beyond the most bytes is not compressed, and not made, until others have been', async () => {
  const compress = createCompressor(2 * LENGTH);
  const first = compress(bodyOf(), 'br', undefined);
  const second = compress(bodyOf(LENGTH - 1), 'gzip', new Map());
  const refused = bodyOf(2);
  expect(compress(refused, 'br', undefined)).toBeUndefined();
  expect(refused.made()).toBe(0);
  const last = compress(bodyOf(1), 'br', undefined);
  expect(last).toBeDefined();
  await Promise.all([first, second, last]);
  expect(await compress(bodyOf(2 * LENGTH), 'br', undefined)).toBeInstanceOf(Buffer);
});

test('one body alone may be of any size', async () => {
  const compress = createCompressor(1);
  expect(await compress(bodyOf(), 'br', undefined)).toBeInstanceOf(Buffer);
});

test('a body that cannot be compressed leaves its room to others', async () => {
  const compress = createCompressor(LENGTH);
  // zlib without memory cannot be had here; it fails in the same way for what is no Buffer.
  const forms = new Map<Encoding, Buffer>();
  const broken: Uncompressed = { length: LENGTH, bytes: () => ({}) as unknown as Buffer };
  await expect(compress(broken, 'gzip', forms)).rejects.toThrow();
  const unmade: Uncompressed = { length: LENGTH, bytes: () => Buffer.alloc(-1) };
  expect(() => compress(unmade, 'gzip', forms)).toThrow(RangeError);
  // Another would be too much beside either.
  const first = compress(bodyOf(1), 'br', undefined);
  expect(await compress(bodyOf(LENGTH - 1), 'gzip', forms)).toBeInstanceOf(Buffer);
  await first;
});
