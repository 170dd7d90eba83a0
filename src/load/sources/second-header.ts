import { cleanHeaderCell } from '../files/delimited.js';
import { InputError } from '../input.js';

/** Throws if the row, with its number in the file, is another header than the table's. */
export type HeaderCheck = (cells: readonly string[], row: number) => void;

/**
 * Finds where files have been put together with their headers. A header with the same columns does no harm, as its row is
 * rejected; with others, or in another order, the rows below it would be read as what they are not: `InputError` is thrown.
 */
export function createHeaderCheck(label: string, header: readonly string[]): HeaderCheck {
  const names = new Set(header.filter((name) => name !== ''));
  const isName = (cell = ''): boolean => names.has(cleanHeaderCell(cell));
  // Of a row that begins a file, the first cell may still have the byte order mark.
  const mayBegin = new Set([...names].flatMap((name) => [name, `\uFEFF${name}`, `\uFEFF"${name}"`]));
  return (cells, row) => {
    const [first = '', second = ''] = cells;
    if (!mayBegin.has(first) && !names.has(second)) return;
    const filled = cells.filter((cell) => cell !== '');
    if (filled.length < 3 || filled.filter(isName).length * 2 < filled.length) return;
    const other = header.findIndex((name, at) => name !== '' && cleanHeaderCell(cells[at] ?? '') !== name);
    if (other < 0) return;
    const difference = `column ${other + 1} is ${JSON.stringify(cells[other] ?? '')}, but ${header[other]} in the first line`;
    throw new InputError(
      `${label}: row ${row} is another header: ${difference}; separate the files that it was made of`,
    );
  };
}
