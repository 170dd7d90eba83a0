import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { chooseEncoding, compressShared, type Encoding } from '../../../src/http/sending/compression.js';

const LARGE = 1400;
const SMALL = 1399;

test.each([
  [undefined, LARGE, undefined],
  ['', LARGE, undefined],
  ['identity', LARGE, undefined],
  ['deflate', LARGE, undefined],
  ['gzip', LARGE, 'gzip'],
  ['x-gzip', LARGE, 'gzip'],
  ['GZIP', LARGE, 'gzip'],
  ['br', LARGE, 'br'],
  ['gzip, deflate, br', LARGE, 'br'],
  ['gzip;q=1, br;q=0.5', LARGE, 'gzip'],
  ['br;q=0, gzip', LARGE, 'gzip'],
  ['br;q=0, gzip;q=0', LARGE, undefined],
  ['*', LARGE, 'br'],
  ['*;q=0', LARGE, undefined],
  ['gzip, *;q=0', SMALL, 'gzip'],
  ['identity;q=1, gzip;q=0.5', LARGE, undefined],
  ['gzip, identity', LARGE, 'gzip'],
  ['gzip', SMALL, undefined],
  ['gzip, identity;q=0', SMALL, 'gzip'],
  ['gzip, identity;q=0', 0, undefined],
] as const)('Accept-Encoding %j gets %i bytes as %j', (accepted, size, expected) => {
  expect(chooseEncoding(accepted, size)).toBe(expected);
});

test('compressed bodies are smaller and decompress to the same bytes', async () => {
  const body = Buffer.from('{"geoid":"27001000100"},'.repeat(200));
  const compress = (encoding: Encoding) => compressShared(() => body, encoding, undefined);
  const [br, gzip] = await Promise.all([compress('br'), compress('gzip')]);
  expect(brotliDecompressSync(br).equals(body)).toBe(true);
  expect(gunzipSync(gzip).equals(body)).toBe(true);
  expect(Math.max(br.byteLength, gzip.byteLength)).toBeLessThan(body.byteLength / 4);
});

test('requests for a body that is being compressed share the result, which is cached', async () => {
  const forms = new Map<Encoding, Buffer>();
  let read = 0;
  const body = (): Buffer => {
    read++;
    return Buffer.alloc(5000, 'a');
  };
  const asked = Array.from({ length: 5 }, () => compressShared(body, 'gzip', forms));
  const [first, ...others] = await Promise.all(asked);
  expect(others.every((other) => other === first)).toBe(true);
  expect(read).toBe(1);
  expect(forms.get('gzip')).toBe(first);
});

test('a result is shared no longer than the compression takes: else it would be kept although it is cached no more', async () => {
  let read = 0;
  const body = (): Buffer => {
    read++;
    return Buffer.alloc(5000, 'a');
  };
  const forgetful = { get: () => undefined, set: () => {} };
  await compressShared(body, 'gzip', forgetful);
  await compressShared(body, 'gzip', forgetful);
  expect(read).toBe(2);
});
