import { type ByteRow, cellsOf } from '../files/byte-rows.js';
import { cleanHeaderCell } from '../files/delimited.js';
import { namedColumns, refuseWebPage, runsOnIntoHeader } from '../files/unended-row.js';
import { InputError } from '../input.js';

/**
 * Says why a row, with its number in the file, is no row of the table, as a short phrase; undefined if it is one. Throws
 * `InputError` on a row that shows that the file must not be read: one of another header, or of a web page.
 */
export type RowCheck<Row> = (row: Row, number: number) => string | undefined;

/** Checks rows below a header that may be the header again, or may have more or fewer cells. */
export function createRowCheck(label: string, header: readonly string[]): RowCheck<readonly string[]> {
  const isHeader = createHeaderCheck(label, header);
  const fits = createWidthCheck(header);
  return (cells, number) => {
    if (isHeader(cells, number)) return 'header again';
    if (fits(cells.length, (column) => cells[column]?.trim() === '')) return undefined;
    refuseWebPage(label, number, cells);
    return 'ragged row';
  };
}

/** Like {@link createRowCheck}, without decoding the rows that have the width, and other first bytes than every name. */
export function createByteRowCheck(label: string, header: readonly string[]): RowCheck<ByteRow> {
  const check = createRowCheck(label, header);
  const fits = createWidthCheck(header);
  const initials = new Set(['\uFEFF', ...header.filter((name) => name !== '')].map((name) => Buffer.from(name)[0]));
  return (row, number) => {
    const mayBegin = initials.has(row.firstByte(0)) || initials.has(row.firstByte(1));
    const isPlain = !mayBegin && fits(row.cellCount, (column) => row.isEmpty(column));
    return isPlain ? undefined : check(cellsOf(row), number);
  };
}

/**
 * Tells whether a row has the header's cells, and only empty ones beyond them. If the header ends in a comma, a row may omit
 * its own, but then its last cell must not be empty: otherwise a row that is one cell short would pass.
 */
function createWidthCheck(
  header: readonly string[],
): (cellCount: number, isEmpty: (column: number) => boolean) => boolean {
  const named = namedColumns(header);
  return (cellCount, isEmpty) => {
    if (cellCount < header.length) return cellCount === named && !isEmpty(named - 1);
    for (let column = named; column < cellCount; column++) if (!isEmpty(column)) return false;
    return true;
  };
}

/**
 * Finds where files have been put together with their headers. A header with the same columns does no harm once its row is
 * rejected; with others, or in another order, the rows below it would be read as what they are not, and `InputError` is
 * thrown. So it is for a header in the line of the row above, which would be lost.
 */
function createHeaderCheck(
  label: string,
  header: readonly string[],
): (cells: readonly string[], row: number) => boolean {
  const names = new Set(header.filter((name) => name !== ''));
  const isName = (cell = ''): boolean => names.has(cleanHeaderCell(cell));
  // Of a row that begins a file, the first cell may still have the byte order mark, and then its quotes, too.
  const mayBegin = new Set([...names].flatMap((name) => [name, `"${name}"`]));
  return (cells, row) => {
    // Its own last cell and the header's first have become one.
    if (cells.length > header.length + 1 && cells.filter(isName).length * 2 >= names.size) {
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
