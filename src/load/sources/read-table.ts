import { readDelimited } from '../files/delimited.js';
import type { TextProbe } from '../files/probe.js';
import { NOT_UTF_8 } from '../files/text-encoding.js';
import { namedColumns, refuseWebPage } from '../files/unended-row.js';
import { InputError } from '../input.js';
import type { Tally } from '../intake/tally.js';
import { createHeaderCheck, HEADER_AGAIN, type HeaderCheck } from './second-header.js';

/** Takes one data row that has as many cells as the header. */
export type RowTaker = (cells: readonly string[]) => void;

/**
 * Streams a recognized table. `start` receives the header and returns the function that takes each row. Every row is
 * counted as read; a row with more or fewer cells than the header is rejected; lines that are not UTF-8 are noted. Throws
 * `InputError` on a file without a header, without a row below it, with a second and other header, or cut off within its last
 * row or by a web page.
 */
export async function readTable(
  probe: TextProbe,
  tally: Tally,
  start: (header: readonly string[]) => RowTaker,
): Promise<void> {
  let width: TableWidth = { written: 0, named: 0 };
  let take: RowTaker | undefined;
  let checkHeader: HeaderCheck | undefined;
  let rows = 0;
  await readDelimited(probe.file, {
    delimiter: probe.delimiter,
    onOtherEncoding: () => tally.note(NOT_UTF_8),
    onHeader: (header) => {
      width = widthOf(header);
      checkHeader = createHeaderCheck(probe.file.label, header);
      take = start(header);
    },
    onRow: (cells, row) => {
      const isHeader = checkHeader?.(cells, row);
      rows++;
      tally.read++;
      tally.row = row;
      if (isHeader) tally.reject(HEADER_AGAIN);
      else if (rowFits(cells, width)) take?.(cells);
      else {
        refuseWebPage(probe.file.label, row, cells);
        tally.reject('ragged row');
      }
    },
  });
  tally.row = 0;
  if (rows === 0) throw noRow(probe.file.label);
}

/** The error for a file with no row below its header: no agency publishes such a table. */
export function noRow(label: string): InputError {
  return new InputError(`${label}: no rows below its header; it is damaged or truncated`);
}

/** How many cells a table's rows have. */
export interface TableWidth {
  /** All cells of the header, including the empty one after a trailing comma. */
  readonly written: number;
  /** Those up to the last one with a name. */
  readonly named: number;
}

export function widthOf(header: readonly string[]): TableWidth {
  return { written: header.length, named: namedColumns(header) };
}

/**
 * Whether a row has the header's cells, and only empty ones beyond them. If the header ends in a comma, a row may omit its
 * own, but then its last cell must not be empty: otherwise a row that is one cell short would pass.
 */
export function rowFits(cells: readonly string[], { written, named }: TableWidth): boolean {
  if (cells.length < written) return cells.length === named && cells[named - 1]?.trim() !== '';
  for (let index = named; index < cells.length; index++) {
    if (cells[index]?.trim() !== '') return false;
  }
  return true;
}
