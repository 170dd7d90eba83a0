import { isUtf8 } from 'node:buffer';
import { decodeWindows1252 } from './windows-1252.js';

/** Why a row cannot be read, as a short phrase. */
export type RowFault = 'broken quotes' | 'NUL byte';

/** The cells of the last row scanned, in the scanner's own buffer: valid only until the next scan. */
export interface ByteRow {
  readonly cellCount: number;
  /** Whether a cell holds nothing, or only blanks. */
  isEmpty(column: number): boolean;
  /** The first byte of a cell that is no blank, or 0 if there is none. */
  firstByte(column: number): number;
  /** A cell's trimmed text; empty if the row has no such cell, or the column is undefined. */
  text(column: number | undefined): string;
  /** Whether any cell of the row that was read as text is not UTF-8, and was decoded as Windows-1252. */
  readonly inOtherEncoding: boolean;
}

/** All cells of a row as text. */
export const cellsOf = (row: ByteRow): string[] =>
  Array.from({ length: row.cellCount }, (_, column) => row.text(column));

const [LINE_FEED, CARRIAGE_RETURN, SPACE, QUOTE] = [0x0a, 0x0d, 0x20, 0x22];

/** A longer row has lost its end to a quote that is never closed: no agency's row has a hundredth of this. */
export const MAX_ROW_BYTES = 2 ** 20;

/** More cells than any agency's table has; a row with more has lost its line breaks. */
const MAX_CELLS = 4096;

/** The row continues beyond the bytes at hand. */
export const CUT_OFF = -1;
/** The row is malformed: something follows a closing quote, or there are more than {@link MAX_CELLS} cells. */
export const BROKEN = -2;
/** The file ends inside a quoted cell. */
export const OPEN_QUOTE = -3;

/** Finds the cells of a delimited row without decoding any of them to a string. */
export interface RowScanner {
  readonly row: ByteRow;
  /**
   * Scans the row that begins at `from`. Returns the position after its line break; {@link CUT_OFF} if the row reaches
   * `to` and the file continues (`isLast` false); {@link OPEN_QUOTE} if the file ends inside a quoted cell; or {@link
   * BROKEN}. Quoting is as in RFC 4180.
   */
  scan(bytes: Buffer, from: number, to: number, isLast: boolean): number;
}

/** Creates a scanner for this delimiter; quotes have a meaning only in comma-separated text. */
export function createRowScanner(delimiter: string): RowScanner {
  return new Scanner(delimiter.charCodeAt(0), delimiter === ',');
}

// `as number` in this class: byte reads at positions that the loops keep in bounds, a thousand per row.

class Scanner implements RowScanner, ByteRow {
  cellCount = 0;
  inOtherEncoding = false;
  private bytes: Buffer = Buffer.alloc(0);
  /** Whether the last quoted cell scanned has doubled quotes; `escaped` says so for each cell of the row. */
  private isEscaped = false;
  private readonly escaped = new Uint8Array(MAX_CELLS);
  private readonly starts = new Int32Array(MAX_CELLS + 1);
  private readonly ends = new Int32Array(MAX_CELLS + 1);

  constructor(
    private readonly delimiter: number,
    private readonly quoted: boolean,
  ) {}

  get row(): ByteRow {
    return this;
  }

  scan(bytes: Buffer, from: number, to: number, isLast: boolean): number {
    const { starts, ends, escaped, delimiter, quoted } = this;
    this.bytes = bytes;
    this.inOtherEncoding = false;
    let at = from;
    for (let cell = 0; cell < MAX_CELLS; cell++) {
      if (quoted && at < to && bytes[at] === QUOTE) {
        const close = this.closingQuote(at + 1, to);
        // The byte after the quote decides; if it is a carriage return, one more is needed.
        if (close + 2 >= to && !isLast) return CUT_OFF;
        if (close >= to) return OPEN_QUOTE;
        starts[cell] = at + 1;
        ends[cell] = close;
        escaped[cell] = this.isEscaped ? 1 : 0;
        at = close + 1;
        if (at < to && bytes[at] === CARRIAGE_RETURN) at++;
      } else {
        starts[cell] = at;
        escaped[cell] = 0;
        while (at < to && (bytes[at] as number) !== delimiter && (bytes[at] as number) !== LINE_FEED) at++;
        if (at >= to && !isLast) return CUT_OFF;
        ends[cell] = at > (starts[cell] as number) && bytes[at - 1] === CARRIAGE_RETURN ? at - 1 : at;
      }
      this.cellCount = cell + 1;
      if (at >= to) return to;
      const next = bytes[at] as number;
      at++;
      if (next === LINE_FEED) return at;
      if (next !== delimiter) return BROKEN;
    }
    return BROKEN;
  }

  /** The position of the quote that closes a cell, skipping doubled quotes; `to` or beyond if there is none. */
  private closingQuote(from: number, to: number): number {
    const { bytes } = this;
    this.isEscaped = false;
    let at = from;
    for (;;) {
      while (at < to && (bytes[at] as number) !== QUOTE) at++;
      if (at + 1 >= to || bytes[at + 1] !== QUOTE) return at;
      this.isEscaped = true;
      at += 2;
    }
  }

  isEmpty(column: number): boolean {
    return this.firstByte(column) === 0;
  }

  firstByte(column: number): number {
    if (column >= this.cellCount) return 0;
    const end = this.ends[column] as number;
    for (let at = this.starts[column] as number; at < end; at++) {
      if ((this.bytes[at] as number) > SPACE) return this.bytes[at] as number;
    }
    return 0;
  }

  text(column: number | undefined): string {
    if (column === undefined || this.isEmpty(column)) return '';
    const text = this.decode(this.starts[column] as number, this.ends[column] as number).trim();
    return this.escaped[column] === 1 ? text.replaceAll('""', '"') : text;
  }

  private decode(start: number, end: number): string {
    const text = this.bytes.toString('utf8', start, end);
    if (!text.includes('\uFFFD')) return text;
    const bytes = this.bytes.subarray(start, end);
    if (isUtf8(bytes)) return text;
    this.inOtherEncoding = true;
    return decodeWindows1252(bytes);
  }
}
