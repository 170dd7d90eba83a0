import { type ByteRow, cellsOf } from '../files/byte-rows.js';
import { cleanHeaderCell } from '../files/delimited.js';
import type { TextProbe } from '../files/probe.js';
import { readByteRows } from '../files/read-byte-rows.js';
import { NOT_UTF_8 } from '../files/text-encoding.js';
import { refuseWebPage } from '../files/unended-row.js';
import type { Tally } from '../intake/tally.js';
import { noRow, type TableWidth, widthOf } from './read-table.js';
import { createByteHeaderCheck, HEADER_AGAIN } from './second-header.js';

/** Takes one data row that has as many cells as the header. */
export type ByteRowTaker = (row: ByteRow) => void;

/**
 * Streams a recognized table with many rows, like `readTable`, but a damaged row is only rejected and does not end the
 * reading. Throws `InputError` on a file without a header, without a row below it, with a second and other header, or cut off
 * within its last row.
 */
export async function readByteTable(
  probe: TextProbe,
  tally: Tally,
  start: (header: readonly string[]) => ByteRowTaker,
): Promise<void> {
  let width: TableWidth = { written: 0, named: 0 };
  let take: ByteRowTaker | undefined;
  let checkHeader: ReturnType<typeof createByteHeaderCheck> | undefined;
  let rows = 0;
  await readByteRows(probe.file, {
    delimiter: probe.delimiter,
    onHeader: (cells) => {
      const header = cells.map(cleanHeaderCell);
      width = widthOf(header);
      checkHeader = createByteHeaderCheck(probe.file.label, header);
      take = start(header);
    },
    onRow: (row, number) => {
      const isHeader = checkHeader?.(row, number);
      rows++;
      tally.read++;
      tally.row = number;
      if (isHeader) tally.reject(HEADER_AGAIN);
      else if (fits(row, width)) take?.(row);
      else {
        refuseWebPage(probe.file.label, number, cellsOf(row));
        tally.reject('ragged row');
      }
      if (row.inOtherEncoding) tally.note(NOT_UTF_8);
    },
    onFault: (fault, number) => {
      rows++;
      tally.read++;
      tally.row = number;
      tally.reject(fault);
    },
  });
  tally.row = 0;
  if (rows === 0) throw noRow(probe.file.label);
}

/** Like `rowFits`, without decoding any cell. */
function fits(row: ByteRow, { written, named }: TableWidth): boolean {
  if (row.cellCount < written) return row.cellCount === named && !row.isEmpty(named - 1);
  for (let column = named; column < row.cellCount; column++) if (!row.isEmpty(column)) return false;
  return true;
}
