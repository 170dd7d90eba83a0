import { readDelimited } from '../files/delimited.js';
import type { TextProbe } from '../files/probe.js';
import { NOT_UTF_8 } from '../files/text-encoding.js';
import { InputError } from '../input.js';
import type { Tally } from '../intake/tally.js';
import { createRowCheck, type RowCheck } from './row-check.js';

/** Takes one data row that has as many cells as the header. */
export type RowTaker = (cells: readonly string[]) => void;

/**
 * Streams a recognized table. `start` receives the header and returns the function that takes each row. Every row is
 * counted as read; a row with more or fewer cells than the header is rejected; lines that are not UTF-8 are noted. Throws
 * `InputError` on a file without a header, without a row below it, with a second and other header, or cut off within its
 * last row or by a web page.
 */
export async function readTable(
  probe: TextProbe,
  tally: Tally,
  start: (header: readonly string[]) => RowTaker,
): Promise<void> {
  await readDelimited(probe.file, {
    delimiter: probe.delimiter,
    onOtherEncoding: () => tally.note(NOT_UTF_8),
    start: (header) => countRows(tally, createRowCheck(probe.file.label, header), start(header)),
  });
  finishTable(probe, tally);
}

/** Counts each row as read, and passes it on unless the check rejects it. */
export function countRows<Row>(
  tally: Tally,
  check: RowCheck<Row>,
  take: (row: Row) => void,
): (row: Row, number: number) => void {
  return (row, number) => {
    const fault = check(row, number);
    tally.read++;
    tally.row = number;
    if (fault === undefined) take(row);
    else tally.reject(fault);
  };
}

/** Ends the counting. Throws `InputError` on a table without a row. */
export function finishTable({ file }: TextProbe, tally: Tally): void {
  tally.row = 0;
  if (tally.read === 0) throw noRow(file.label);
}

/** The error for a file with no row below its header: no agency publishes such a table. */
export function noRow(label: string): InputError {
  return new InputError(`${label}: no rows below its header; it is damaged or truncated`);
}
