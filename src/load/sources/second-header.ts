import { type ByteRow, cellsOf } from '../files/byte-rows.js';
import { cleanHeaderCell } from '../files/delimited.js';
import { runsOnIntoHeader } from '../files/unended-row.js';
import { InputError } from '../input.js';

/** Whether the row, with its number in the file, is the table's header again. Throws if it is another header. */
export type HeaderCheck = (cells: readonly string[], row: number) => boolean;

/** Why a row is rejected that is the table's header again. */
export const HEADER_AGAIN = 'header again';

/**
 * Finds where files have been put together with their headers. A header with the same columns does no harm once its row
 * is rejected; with others, or in another order, the rows below it would be read as what they are not: `InputError` is thrown.
 * So it is for a header in the line of the row above, which would be lost.
 */
export function createHeaderCheck(label: string, header: readonly string[]): HeaderCheck {
  const names = new Set(header.filter((name) => name !== ''));
  const isName = (cell = ''): boolean => names.has(cleanHeaderCell(cell));
  // Of a row that begins a file, the first cell may still have the byte order mark, and then its quotes, too.
  const mayBegin = new Set([...names].flatMap((name) => [name, `"${name}"`]));
  return (cells, row) => {
    if (mayRunOn(cells.length, header) && cells.filter(isName).length * 2 >= names.size) {
      throw runsOnIntoHeader(label, row);
    }
    const [first = '', second = ''] = cells;
    if (!mayBegin.has(first.trim()) && !names.has(second)) return false;
    const filled = cells.filter((cell) => cell !== '');
    if (filled.length < 3 || filled.filter(isName).length * 2 < filled.length) return false;
    const other = header.findIndex((name, at) => name !== '' && cleanHeaderCell(cells[at] ?? '') !== name);
    if (other < 0) return true;
    const difference = `column ${other + 1} is ${JSON.stringify(cells[other] ?? '')}, but ${header[other]} in the first line`;
    throw new InputError(
      `${label}: row ${row} is another header: ${difference}; separate the files that it was made of`,
    );
  };
}

/** Whether a row has enough cells for a header in its line; its own last cell and the header's first have become one. */
const mayRunOn = (cellCount: number, header: readonly string[]): boolean => cellCount > header.length + 1;

/** Like {@link createHeaderCheck}, without decoding the cells of rows that differ from every name in their first bytes. */
export function createByteHeaderCheck(
  label: string,
  header: readonly string[],
): (row: ByteRow, number: number) => boolean {
  const check = createHeaderCheck(label, header);
  const initials = new Set(['\uFEFF', ...header.filter((name) => name !== '')].map((name) => Buffer.from(name)[0]));
  return (row, number) => {
    const mayBegin = initials.has(row.firstByte(0)) || initials.has(row.firstByte(1));
    if (!mayBegin && !mayRunOn(row.cellCount, header)) return false;
    return check(cellsOf(row), number);
  };
}
