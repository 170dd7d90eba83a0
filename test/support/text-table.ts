import { toByteText } from '../../src/core/byte-text.js';
import type { TextTable } from '../../src/format/text-table.js';

/** A text table whose texts `text` computes row by row. */
export function textTable(text: (row: number) => string): TextTable {
  return { byteText: (row) => toByteText(text(row)), text };
}
