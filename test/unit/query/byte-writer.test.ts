import { expect, test } from 'vitest';
import { viewOf } from '../../../src/format/copy-text.js';
import { ByteWriter } from '../../../src/query/byte-writer.js';

const write = (writer: ByteWriter, text: string): void => {
  const bytes = Buffer.from(text);
  writer.copy(viewOf(bytes), 0, bytes.length);
};

test('bodies of any size come one after the other, put together of pieces of any length', () => {
  const writer = new ByteWriter();
  for (const size of [1, 7, 8, 9, 4000, 4097, 100_000]) {
    writer.clear();
    const pieces = Array.from({ length: 3 }, (_, at) => String.fromCharCode(97 + at).repeat(size));
    for (const piece of pieces) write(writer, piece);
    expect(Buffer.from(writer.finish()).toString()).toBe(pieces.join(''));
  }
});

test('a body for which there is no memory leaves nothing of it in the next', () => {
  const writer = new ByteWriter();
  writer.clear();
  write(writer, 'the first one');
  const refused = () => {
    throw new RangeError('no memory');
  };
  expect(() => writer.finish(refused)).toThrow('no memory');
  writer.clear();
  write(writer, 'the second');
  expect(Buffer.from(writer.finish()).toString()).toBe('the second');
});
