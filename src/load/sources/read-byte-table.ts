import type { ByteRow, RowFault } from '../files/byte-rows.js';
import { cleanHeaderCell } from '../files/delimited.js';
import type { TextProbe } from '../files/probe.js';
import { readByteRows } from '../files/read-byte-rows.js';
import { NOT_UTF_8 } from '../files/text-encoding.js';
import type { Tally } from '../intake/tally.js';
import { countRows, finishTable } from './read-table.js';
import { createByteRowCheck } from './row-check.js';

/** Takes one data row that has as many cells as the header. */
export type ByteRowTaker = (row: ByteRow) => void;

/**
 * Streams a recognized table with many rows, like `readTable`, but a damaged row is only rejected and does not end the
 * reading.
 */
export async function readByteTable(
  probe: TextProbe,
  tally: Tally,
  start: (header: readonly string[]) => ByteRowTaker,
): Promise<void> {
  await readByteRows(probe.file, {
    delimiter: probe.delimiter,
    start: (cells) => {
      const header = cells.map(cleanHeaderCell);
      const take = countRows(tally, createByteRowCheck(probe.file.label, header), start(header));
      return (row, number) => {
        take(row, number);
        if (row.inOtherEncoding) tally.note(NOT_UTF_8);
      };
    },
    onFault: countRows(
      tally,
      (fault: RowFault) => fault,
      () => {},
    ),
  });
  finishTable(probe, tally);
}
