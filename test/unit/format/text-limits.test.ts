import { expect, it } from 'vitest';
import { textSections } from '../../../src/format/text-table.js';

// Long texts: few of them make 2 GiB, and what each took is freed again.
const LONG = 2 ** 24;
const ENOUGH = 128;

it('a table of texts with 2 GiB or more is refused, since its end could not be read', () => {
  const text = new Uint8Array(LONG);
  const texts = Array.from({ length: ENOUGH }, () => text);
  expect(textSections('name', [...texts.slice(1), text.subarray(1)])).toHaveLength(2);
  expect(() => textSections('name', texts)).toThrow(
    new RangeError('the section name/bytes would be 2147483648 bytes; less than 2 GiB can be read'),
  );
});
