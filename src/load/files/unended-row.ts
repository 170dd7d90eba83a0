import { InputError } from '../input.js';

/** How many cells a row has that is whole: as many as the header, what follows its last name left out. */
export function namedColumns(header: readonly string[]): number {
  let named = header.length;
  while (named > 0 && header[named - 1]?.trim() === '') named--;
  return named;
}

/**
 * Whether a cell at the end of a file holds nothing that a row could begin with: blanks, the Ctrl-Z that DOS ends a text
 * with, the NUL bytes that fill up a block.
 */
export function isFiller(cell: string): boolean {
  for (let at = 0; at < cell.length; at++) if (cell.charCodeAt(at) > 0x20) return false;
  return true;
}

/**
 * The error for a file whose last row has no line end and lacks columns: no agency ends one so, and what followed is
 * lost.
 */
export function endsWithinRow(label: string, row: number, cells: number, columns: number): InputError {
  return new InputError(
    `${label}: it ends in the middle of row ${row}: that has ${cells} of ${columns} columns, and no line end; is the download complete?`,
  );
}

/** The same, where the last row ends within quotes. */
export function endsWithinQuotes(label: string, row: number): InputError {
  return new InputError(`${label}: it ends within quotes in row ${row}, without a line end; is the download complete?`);
}
