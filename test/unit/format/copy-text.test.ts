import { expect, test } from 'vitest';
import { copyText, viewOf } from '../../../src/format/copy-text.js';

/** Characters of one to four bytes, the least and greatest of each, so that every byte of UTF-8 stands beside every other. */
const TEXT = Buffer.from('{"a":\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}\u{f0000}\u007f\u00ff'.repeat(12));

test.each([
  ['memory of its own', () => new ArrayBuffer(512)],
  ['shared memory', () => new SharedArrayBuffer(512)],
])(
  'text is copied into %s byte by byte as it is, from anywhere to anywhere, and nothing beside it is touched',
  (_, make) => {
    for (let length = 8; length <= 140; length++) {
      for (const [from, to] of [
        [0, 0],
        [1, 8],
        [13, 3],
      ] as const) {
        const target = Buffer.from(make()).fill(0xee);
        copyText(viewOf(TEXT), from, viewOf(target), to, length);
        const expected = Buffer.alloc(512, 0xee);
        TEXT.copy(expected, to, from, from + length);
        expect(target.equals(expected)).toBe(true);
      }
    }
  },
);

test('a target without room is refused', () => {
  expect(() => copyText(viewOf(TEXT), 0, viewOf(new Uint8Array(20)), 4, 24)).toThrow(RangeError);
});
