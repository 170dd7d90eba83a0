import { expect, test } from 'vitest';
import { copyText, requireCopyable, targetOf, viewOf } from '../../../src/format/copy-text.js';

/**
 * Characters of one to four bytes, the least and greatest of each, so that every byte of UTF-8 stands beside every
 * other.
 */
const TEXT = Buffer.from('{"a":\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}\u{f0000}\u007f\u00ff'.repeat(12));

test.each([
  ['memory of its own', () => new ArrayBuffer(512)],
  ['shared memory', () => new SharedArrayBuffer(512)],
])('text is copied into %s unchanged between any offsets, and nothing beside it is written', (_, make) => {
  for (let length = 0; length <= 140; length++) {
    for (let at = 0; at < 64; at++) {
      const [from, to, offset] = [at % 8, 3 + (at >> 3), at % 7];
      const memory = Buffer.from(make()).fill(0xee);
      const target = targetOf(memory.subarray(offset));
      copyText(viewOf(TEXT), from, target, target.start + to, length);
      const expected = Buffer.alloc(512, 0xee);
      TEXT.copy(expected, offset + to, from, from + length);
      expect(memory.equals(expected), `${length} bytes from ${from} to ${offset} + ${to}`).toBe(true);
    }
  }
});

test('a target without room is refused, and nothing behind it is written', () => {
  const memory = new Uint8Array(40);
  const target = targetOf(memory.subarray(3, 23));
  expect(() => copyText(viewOf(TEXT), 0, target, target.start, 21)).toThrow(RangeError);
  expect(() => copyText(viewOf(TEXT), 0, target, target.start + 4, 24)).toThrow(RangeError);
  expect([...memory.subarray(23)]).toEqual(Array(17).fill(0));
});

test('texts of 2 GiB or more are refused, since their end could not be read', () => {
  expect(() => requireCopyable('the texts of 9 rows', 2 ** 31 - 1)).not.toThrow();
  expect(() => requireCopyable('the texts of 9 rows', 2 ** 31)).toThrow(
    new RangeError('the texts of 9 rows would be 2147483648 bytes; less than 2 GiB can be read'),
  );
});
