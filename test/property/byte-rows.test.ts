import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf } from '../../src/load/files/byte-rows.js';
import { readByteRows } from '../../src/load/files/read-byte-rows.js';

const cell = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('', '"', '""', 'a"b', 'a,b', 'line\nbreak', '\r\n', 'é, ß', ','),
);

test('whatever is written as RFC 4180 says is read back, in whatever pieces it arrives', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.array(cell, { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 8 }),
    fc.integer({ min: 1, max: 40 }),
    fc.constantFrom('\n', '\r\n'),
    async (rows, pieceBytes, ending) => {
      // A NUL byte is damage in these files, and cells are trimmed when they are read.
      const clean = rows.map((row) => row.map((text) => text.replaceAll('\0', '')));
      const text = clean
        .map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',') + ending)
        .join('');
      const bytes = Buffer.from(text);
      const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
        bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
      );
      const found: string[][] = [];
      await readByteRows(
        { label: 'a.csv', name: 'a.csv', sizeBytes: bytes.length, open: async () => Readable.from(pieces) },
        {
          delimiter: ',',
          start: (cells) => {
            found.push([...cells]);
            return (row) => found.push(cellsOf(row));
          },
          onFault: (fault) => expect.fail(fault),
        },
      );
      const trimmed = clean.map((row) => row.map((value) => value.trim()));
      expect(found).toEqual(trimmed.filter((row) => row.some((value) => value !== '')));
    },
  );
  await fc.assert(property, { numRuns: 200 });
});
