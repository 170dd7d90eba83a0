import { Readable } from 'node:stream';
import Papa from 'papaparse';
import { InputError, type InputFile } from '../input.js';
import { MAX_ROW_BYTES } from './byte-rows.js';
import { BY_SEMICOLONS } from './content-kind.js';
import { textPieces } from './text-encoding.js';
import { endsWithinQuotes, endsWithinRow, isFiller, namedColumns } from './unended-row.js';

/** What separates the cells of a row. */
export type Delimiter = ',' | '\t' | '|';

/** Takes a data row with its number in the file (1 is the header). Rows of empty cells alone are passed over. */
type TakeRow = (cells: readonly string[], row: number) => void;

/** The format of a delimited file, and the callbacks that take its rows. */
export interface DelimitedOptions {
  readonly delimiter: Delimiter;
  /** Receives the first row, byte order mark removed and cells trimmed; returns what takes each of the others. */
  readonly start: (header: readonly string[]) => TakeRow;
  /** The file has no header: the first row is data, and all its cells count as columns, even empty ones. */
  readonly headless?: true;
  /** Called for each line that is not UTF-8 and is decoded as Windows-1252. */
  readonly onOtherEncoding?: () => void;
}

/** The fault of a text with a NUL byte, which no agency's text has. */
export const NUL_IN_TEXT = 'it contains a NUL byte: it is damaged, or not UTF-8 text';

/** No agency quotes its tab- or pipe-separated files; a quote in them is a character like any other. */
export const quoteIn = (delimiter: Delimiter): string => (delimiter === ',' ? '"' : '\u0000');

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
  try {
    await new Promise<void>((resolve, reject) => {
      const succeeds = (work: () => void): boolean => {
        try {
          work();
          return true;
        } catch (error) {
          reject(error);
          return false;
        }
      };
      stream.on('error', reject);
      // Registered before the parser's own listener; data begins to flow only after this turn of the event loop.
      stream.on('data', (text: string) => succeeds(() => rows.look(text)));
      Papa.parse<string[]>(stream, {
        delimiter: options.delimiter,
        newline: '\n',
        quoteChar: quoteIn(options.delimiter),
        chunk: (result, parser) => {
          if (succeeds(() => rows.take(result))) return;
          rows.drop();
          // Completes the parse at once, which is too late to resolve: a promise keeps its first outcome.
          parser.abort();
        },
        complete: () => {
          if (succeeds(() => rows.end())) resolve();
        },
        error: reject,
      });
    });
  } finally {
    stream.destroy();
    bytes.destroy();
  }
}

/**
 * Judges a file's text and what the parser makes of it, and passes its rows on, each once the next one has come: for the last,
 * it matters whether its line has an end.
 */
class Rows {
  /** The number of the last row taken. */
  private row = 0;
  private columns = 0;
  private onRow: TakeRow | undefined;
  private held: { readonly cells: readonly string[]; readonly row: number } | undefined;
  private readCharacters = 0;
  private endsInLineBreak = false;
  private firstLine = '';

  constructor(
    private readonly label: string,
    private readonly options: DelimitedOptions,
  ) {}

  /** Looks at the next piece of the text before the parser does. Throws if it contains a NUL byte. */
  look(text: string): void {
    if (this.readCharacters === 0) this.firstLine = text.slice(0, text.indexOf('\n') + 1);
    this.readCharacters += text.length;
    this.endsInLineBreak = text.endsWith('\n');
    if (text.includes('\u0000')) throw new InputError(`${this.label}: ${NUL_IN_TEXT}`);
  }

  /** Takes the rows of the text so far. Throws if its quotes are broken, or a row does not end. */
  take({ data, errors, meta }: Papa.ParseResult<string[]>): void {
    const { label, options } = this;
    const broken = errors.find((error) => error.type === 'Quotes');
    if (broken) throw this.brokenQuotes(broken);
    for (const cells of data) this.takeRow(cells);
    // Without this limit, each further chunk would make the parser rescan everything since the row's beginning.
    if (this.readCharacters - meta.cursor <= MAX_ROW_BYTES) return;
    this.passOn();
    throw new InputError(`${label}: ${endlessRow(options.delimiter, this.row + 1)}`);
  }

  private brokenQuotes({ row: rowOfChunk = 0, code, message }: Papa.ParseError): InputError {
    if (this.firstLine.includes('";"')) return new InputError(`${this.label}: ${BY_SEMICOLONS}`);
    const row = this.row + 1 + rowOfChunk;
    // Whole rows whose quotes are wrong end in a line break; the beginning of a row does not.
    if (code === 'MissingQuotes' && !this.endsInLineBreak) return endsWithinQuotes(this.label, row);
    return new InputError(`${this.label}: broken quoting near row ${row} (${message})`);
  }

  private takeRow(cells: readonly string[]): void {
    this.row++;
    if (this.row === 1) {
      const header = cells.map(cleanHeaderCell);
      this.columns = this.options.headless ? header.length : namedColumns(header);
      this.onRow = this.options.start(header);
    } else {
      this.passOn();
      if (cells.some((cell) => cell.trim() !== '')) this.held = { cells, row: this.row };
    }
  }

  private passOn(): void {
    const { held } = this;
    this.held = undefined;
    if (held) this.onRow?.(held.cells, held.row);
  }

  drop(): void {
    this.held = undefined;
  }

  /** Passes the last row on. Throws if the file ends in the middle of it. */
  end(): void {
    const { held, columns, label, endsInLineBreak } = this;
    if (held && !endsInLineBreak && held.cells.length < columns && !held.cells.every(isFiller)) {
      throw endsWithinRow(label, held.row, held.cells.length, columns);
    }
    this.passOn();
  }
}

const endlessRow = (delimiter: Delimiter, row: number): string =>
  delimiter === ','
    ? `broken quoting near row ${row} (a row of more than 1 MiB: a quote is not closed, or line breaks are missing)`
    : `no line break near row ${row} (a row of more than 1 MiB)`;

/** A column name without byte order mark, which JavaScript takes for a blank, leftover quotes and padding. */
export const cleanHeaderCell = (cell: string): string => cell.trim().replace(/^"(.*)"$/, '$1');
