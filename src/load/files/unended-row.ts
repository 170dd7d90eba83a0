import { InputError } from '../input.js';

/** How many cells a complete row has: as many as the header up to its last column with a name. */
export function namedColumns(header: readonly string[]): number {
  let named = header.length;
  while (named > 0 && header[named - 1]?.trim() === '') named--;
  return named;
}

/**
 * Whether a cell at the end of a file is no beginning of a row, but only blanks, the Ctrl-Z with which DOS ends a text, or
 * NUL bytes that fill up a block.
 */
export function isFiller(cell: string): boolean {
  for (let at = 0; at < cell.length; at++) if (cell.charCodeAt(at) > 0x20) return false;
  return true;
}

/**
 * The error for a file whose last row has no line end and lacks columns: no agency ends a file like this, so the rest is
 * lost.
 */
export function endsWithinRow(label: string, row: number, cells: number, columns: number): InputError {
  return new InputError(
    `${label}: it ends in the middle of row ${row}, which has ${cells} of ${columns} columns and no line break; is the download complete?`,
  );
}

/** The error for a file that ends inside a quoted cell. */
export function endsWithinQuotes(label: string, row: number): InputError {
  return new InputError(
    `${label}: it ends inside quotes in row ${row}, without a line break; is the download complete?`,
  );
}

/** The error for a file that was put together from others, where one of them has no line break at its end. */
export function runsOnIntoHeader(label: string, row: number): InputError {
  return new InputError(
    `${label}: row ${row} runs on into a header, because the file above has no line break at its end; separate the files that it was made of`,
  );
}

const WEB_PAGE = /<(?:!doctype|html)\b/i;

/** Throws `InputError` if a row is of a web page, with which servers end a response that they cannot complete. */
export function refuseWebPage(label: string, row: number, cells: readonly string[]): void {
  if (!cells.some((cell) => WEB_PAGE.test(cell))) return;
  throw new InputError(`${label}: row ${row} is of a web page, in which the table breaks off; download it again`);
}
