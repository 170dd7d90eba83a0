import { Readable } from 'node:stream';
import Papa from 'papaparse';
import { InputError, type InputFile } from '../input.js';
import { MAX_ROW_BYTES } from './byte-rows.js';
import { BY_SEMICOLONS } from './content-kind.js';
import { textPieces } from './text-encoding.js';
import { endsWithinQuotes, endsWithinRow, isFiller, namedColumns } from './unended-row.js';

/** The format of a delimited file, and the callbacks that take its rows. */
export interface DelimitedOptions {
  readonly delimiter: ',' | '\t' | '|';
  /** Called with the first row: byte order mark removed, cells trimmed. */
  readonly onHeader: (cells: readonly string[]) => void;
  /** The file has no header: the first row is data, and all its cells count as columns, even empty ones. */
  readonly headless?: true;
  /** Called for each data row with its number in the file (1 is the header). Blank lines are skipped. */
  readonly onRow: (cells: readonly string[], row: number) => void;
  /** Called for each line that is not UTF-8 and is decoded as Windows-1252. */
  readonly onOtherEncoding?: () => void;
}

/** The fault of a text with a NUL byte, which no agency's text has. */
export const NUL_IN_TEXT = 'it contains a NUL byte: it is damaged, or not UTF-8 text';

/** No agency quotes its tab- or pipe-separated files; a quote in them is a character like any other. */
const NO_QUOTE = '\u0000';

/**
 * Streams a delimited text file row by row, quoted as in RFC 4180 if the delimiter is a comma. Throws `InputError` naming
 * the file on broken quoting, a row that does not end, a file cut off within its last row, a NUL byte, and any error of
 * the stream; an error thrown by a callback passes through.
 */
export async function readDelimited(file: InputFile, options: DelimitedOptions): Promise<void> {
  const bytes = await file.open();
  // Decoded here: the parser would decode each chunk by itself and lose characters that two chunks share.
  const stream = Readable.from(textPieces(bytes, options.onOtherEncoding ?? (() => {})));
  const rows = new Rows(file.label, options);
  let readCharacters = 0;
  let endsInLineBreak = false;
  let firstLine = '';
  const takeChunk = (result: Papa.ParseResult<string[]>): void => {
    const broken = result.errors.find((error) => error.type === 'Quotes');
    if (broken) {
      if (firstLine.includes('";"')) throw new InputError(`${file.label}: ${BY_SEMICOLONS}`);
      const row = rows.row + 1 + (broken.row ?? 0);
      // Whole rows whose quotes are wrong end in a line break; the beginning of a row does not.
      if (broken.code === 'MissingQuotes' && !endsInLineBreak) throw endsWithinQuotes(file.label, row);
      throw new InputError(`${file.label}: broken quoting near row ${row} (${broken.message})`);
    }
    for (const cells of result.data) rows.take(cells);
    // Without this limit, each further chunk would make the parser rescan everything since the row's beginning.
    if (readCharacters - result.meta.cursor > MAX_ROW_BYTES) {
      rows.passOn();
      throw new InputError(`${file.label}: ${endlessRow(options.delimiter, rows.row + 1)}`);
    }
  };
  try {
    await new Promise<void>((resolve, reject) => {
      stream.on('error', reject);
      // Registered before the parser's own listener; data begins to flow only after this turn of the event loop.
      stream.on('data', (chunk: string) => {
        if (readCharacters === 0) firstLine = chunk.slice(0, chunk.indexOf('\n') + 1);
        readCharacters += chunk.length;
        endsInLineBreak = chunk.endsWith('\n');
        if (chunk.includes('\u0000')) reject(new InputError(`${file.label}: ${NUL_IN_TEXT}`));
      });
      Papa.parse<string[]>(stream, {
        delimiter: options.delimiter,
        newline: '\n',
        quoteChar: options.delimiter === ',' ? '"' : NO_QUOTE,
        chunk: (result, parser) => {
          try {
            takeChunk(result);
          } catch (error) {
            // Before `abort`, which completes the parse at once: a promise keeps its first outcome.
            reject(error);
            rows.drop();
            parser.abort();
          }
        },
        complete: () => {
          try {
            rows.end(endsInLineBreak);
            resolve();
          } catch (error) {
            reject(error);
          }
        },
        error: reject,
      });
    });
  } finally {
    stream.destroy();
    bytes.destroy();
  }
}

/** Passes a file's rows on, each once the next one has come: for the last, it matters whether its line has an end. */
class Rows {
  /** The number of the last row taken. */
  row = 0;
  private columns = 0;
  private held: { readonly cells: readonly string[]; readonly row: number } | undefined;

  constructor(
    private readonly label: string,
    private readonly options: DelimitedOptions,
  ) {}

  take(cells: readonly string[]): void {
    this.row++;
    if (this.row === 1) {
      const header = cells.map(cleanHeaderCell);
      this.columns = this.options.headless ? header.length : namedColumns(header);
      this.options.onHeader(header);
    } else if (cells.length > 1 || cells[0] !== '') {
      this.passOn();
      this.held = { cells, row: this.row };
    }
  }

  passOn(): void {
    const { held } = this;
    this.held = undefined;
    if (held) this.options.onRow(held.cells, held.row);
  }

  drop(): void {
    this.held = undefined;
  }

  /** Passes the last row on. Throws if the file ends in the middle of it. */
  end(endsInLineBreak: boolean): void {
    const { held, columns, label } = this;
    if (held && !endsInLineBreak && held.cells.length < columns && !held.cells.every(isFiller)) {
      throw endsWithinRow(label, held.row, held.cells.length, columns);
    }
    this.passOn();
  }
}

const endlessRow = (delimiter: DelimitedOptions['delimiter'], row: number): string =>
  delimiter === ','
    ? `broken quoting near row ${row} (a row of more than 1 MiB: a quote is not closed, or line breaks are missing)`
    : `no line break near row ${row} (a row of more than 1 MiB)`;

/** A column name without byte order mark, which JavaScript takes for a blank, leftover quotes and padding. */
export const cleanHeaderCell = (cell: string): string => cell.trim().replace(/^"(.*)"$/, '$1');
