import { toByteText } from '../../src/core/byte-text.js';
import type { TextTable } from '../../src/format/text-table.js';

/** A text table whose texts `text` computes row by row. */
export function textTable(text: (row: number) => string): TextTable {
  const compare = (row: number, other: string): number => Buffer.compare(Buffer.from(text(row)), Buffer.from(other));
  return { byteText: (row) => toByteText(text(row)), text, has: (row, other) => text(row) === other, compare };
}
