import { expect, test } from 'vitest';
import { formatBytes } from '../../../src/core/format-bytes.js';

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1.0 KiB'],
  [135.25 * 2 ** 20, '135.3 MiB'],
  [2 ** 30, '1.0 GiB'],
  [2 ** 41, '2048.0 GiB'],
])('%d bytes are shown as %s', (sizeBytes, text) => {
  expect(formatBytes(sizeBytes)).toBe(text);
});
