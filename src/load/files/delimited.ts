import { Readable } from 'node:stream';
import Papa from 'papaparse';
import { InputError, type InputFile } from '../input.js';
import { MAX_ROW_BYTES } from './byte-rows.js';
import { textPieces } from './text-encoding.js';

/** How a delimited file is written, and who takes its rows. */
export interface DelimitedOptions {
  readonly delimiter: ',' | '\t' | '|';
  /** Called with the first row: byte order mark removed, cells trimmed. */
  readonly onHeader: (cells: readonly string[]) => void;
  /** Called per data row with its number in the file (1 is the header). Blank lines are passed over. */
  readonly onRow: (cells: readonly string[], row: number) => void;
  /** Called per line that is not UTF-8 and is read as Windows-1252. */
  readonly onOtherEncoding?: () => void;
}

/** What is wrong with a text that has a NUL byte: none of the agencies' has one. */
export const NUL_IN_TEXT = 'it holds a NUL byte: it is damaged, or no text in UTF-8';

/** No agency's tab- or pipe-separated file is quoted; a quote in them is a character like any other. */
const NO_QUOTE = '\u0000';

/**
 * Streams a delimited text file row by row, quoted as in RFC 4180 where the delimiter is a comma. Throws `InputError`
 * naming the file on broken quoting, on a row that does not end, on a NUL byte and on whatever stops the stream; an error thrown by a callback passes through.
 */
export async function readDelimited(file: InputFile, options: DelimitedOptions): Promise<void> {
  const bytes = await file.open();
  // The parser would decode each piece by itself, and lose the characters that are cut in two.
  const stream = Readable.from(textPieces(bytes, options.onOtherEncoding ?? (() => {})));
  let row = 0;
  let readCharacters = 0;
  const takeChunk = (result: Papa.ParseResult<string[]>): void => {
    const broken = result.errors.find((error) => error.type === 'Quotes');
    if (broken) {
      throw new InputError(`${file.label}: broken quoting near row ${row + 1 + (broken.row ?? 0)} (${broken.message})`);
    }
    for (const cells of result.data) {
      row++;
      if (row === 1) options.onHeader(cells.map(cleanHeaderCell));
      else if (cells.length > 1 || cells[0] !== '') options.onRow(cells, row);
    }
    // Else the parser would look at all that is left of the file again with every piece of it.
    if (readCharacters - result.meta.cursor > MAX_ROW_BYTES) {
      throw new InputError(`${file.label}: ${endlessRow(options.delimiter, row + 1)}`);
    }
  };
  try {
    await new Promise<void>((resolve, reject) => {
      stream.on('error', reject);
      // Ahead of the parser's own listener; the flow begins when this turn has ended.
      stream.on('data', (chunk: string) => {
        readCharacters += chunk.length;
        if (chunk.includes('\u0000')) reject(new InputError(`${file.label}: ${NUL_IN_TEXT}`));
      });
      Papa.parse<string[]>(stream, {
        delimiter: options.delimiter,
        quoteChar: options.delimiter === ',' ? '"' : NO_QUOTE,
        chunk: (result, parser) => {
          try {
            takeChunk(result);
          } catch (error) {
            // First: aborting completes the parse at once, and a promise takes the first outcome only.
            reject(error);
            parser.abort();
          }
        },
        complete: () => resolve(),
        error: reject,
      });
    });
  } finally {
    stream.destroy();
    bytes.destroy();
  }
}

const endlessRow = (delimiter: DelimitedOptions['delimiter'], row: number): string =>
  delimiter === ','
    ? `broken quoting near row ${row} (a row of more than 1 MiB: a quote is not closed, or line breaks are lost)`
    : `no line break near row ${row} (a row of more than 1 MiB)`;

/** A header's name without byte order mark, left-over quotes and padding. */
export function cleanHeaderCell(cell: string, index: number): string {
  const text = index === 0 ? cell.replace(/^\uFEFF/, '') : cell;
  return text.trim().replace(/^"(.*)"$/, '$1');
}
