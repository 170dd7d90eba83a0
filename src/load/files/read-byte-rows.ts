import { damagedFile, InputError, type InputFile } from '../input.js';
import {
  BROKEN,
  type ByteRow,
  CUT_OFF,
  cellsOf,
  createRowScanner,
  MAX_ROW_BYTES,
  OPEN_QUOTE,
  type RowFault,
  type RowScanner,
} from './byte-rows.js';
import { BY_SEMICOLONS } from './content-kind.js';
import type { Delimiter } from './delimited.js';
import { endsWithinQuotes, endsWithinRow, isFiller, namedColumns, runsOnIntoHeader } from './unended-row.js';

/** Takes a row below the header with its number in the file (1 is the header). Rows of empty cells alone are passed over. */
type TakeRow = (row: ByteRow, number: number) => void;

/** The format of a large delimited file, and the callbacks that take its rows. */
export interface ByteRowsOptions {
  readonly delimiter: Delimiter;
  /** Receives the first row; returns what takes each of the others. */
  readonly start: (header: readonly string[]) => TakeRow;
  /** Called for each row below the header that cannot be read; reading resumes after its first line break. */
  readonly onFault: (fault: RowFault, number: number) => void;
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Streams a delimited text file row by row without decoding its cells to strings, for files with many rows, most of them
 * unwanted. A damaged row costs only itself, unless it is the header. Only a piece of the file is in memory. Throws
 * `InputError` if the header is damaged, if the file is cut off within its last row, and on any error of the stream; an
 * error thrown by a callback passes through.
 */
export async function readByteRows(file: InputFile, options: ByteRowsOptions): Promise<void> {
  const pieces = new RowPieces(file.label, options);
  const stream = await file.open();
  let rest: Buffer = Buffer.alloc(0);
  let first = true;
  for await (const chunk of stream) {
    // The chunks of a byte stream are buffers.
    let bytes: Buffer = rest.byteLength === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    if (first && bytes.byteLength >= BYTE_ORDER_MARK.byteLength) {
      if (bytes.subarray(0, BYTE_ORDER_MARK.byteLength).equals(BYTE_ORDER_MARK)) bytes = bytes.subarray(3);
      first = false;
    }
    rest = first ? bytes : bytes.subarray(pieces.take(bytes, false));
  }
  pieces.take(rest, true);
}

/** Whether a row has nothing but empty cells, as spreadsheets append some below the last one. */
function isBlank(row: ByteRow): boolean {
  for (let column = 0; column < row.cellCount; column++) if (!row.isEmpty(column)) return false;
  return true;
}

/** Takes the rows out of a file's successive pieces. */
class RowPieces {
  private readonly scanner: RowScanner;
  /** How many columns the header has, and what takes the rows below it; undefined until it has been read. */
  private columns: number | undefined;
  private onRow: TakeRow | undefined;
  /** The header’s line, which may follow a row that has no line break of its own. */
  private headerLine: Buffer | undefined;
  /** The number of the last row taken. */
  private number = 0;
  /** Whether the next bytes belong to a damaged row whose line break has not been reached yet. */
  private skipping = false;
  /** Whether carriage returns alone end the lines; undefined until that is known. */
  private endsInReturns: boolean | undefined;

  constructor(
    private readonly label: string,
    private readonly options: ByteRowsOptions,
  ) {
    this.scanner = createRowScanner(options.delimiter);
  }

  /** Takes all complete rows; returns the position where the first incomplete one begins. */
  take(bytes: Buffer, isLast: boolean): number {
    this.endsInReturns ??= linesEndInReturns(bytes, isLast);
    if (this.endsInReturns === undefined) return 0;
    if (this.endsInReturns) replaceReturns(bytes);
    const hasNul = bytes.includes(0);
    let at = this.skipping ? this.skipLine(bytes, 0) : 0;
    while (at < bytes.byteLength) {
      const end = this.scanner.scan(bytes, at, bytes.byteLength, isLast);
      if (end === CUT_OFF && bytes.byteLength - at <= MAX_ROW_BYTES) return at;
      this.number++;
      if (isLast) this.refuseUnended(bytes, at, end);
      // A row that has lost its end costs only itself, too: reading resumes after its first line break.
      if (end === CUT_OFF || end === BROKEN || end === OPEN_QUOTE) {
        this.takeBroken(lineAt(bytes, at));
        at = this.skipLine(bytes, at);
      } else {
        if (hasNul && bytes.subarray(at, end).includes(0)) this.takeFault('NUL byte');
        else this.takeRow();
        if (this.columns !== undefined) this.headerLine ??= Buffer.from(lineAt(bytes, at));
        at = end;
      }
    }
    return at;
  }

  private takeBroken(line: Buffer): void {
    if (this.columns === undefined && line.includes('";')) throw new InputError(`${this.label}: ${BY_SEMICOLONS}`);
    // What follows a closing quote may be the header of another file.
    if (this.headerLine && line.includes(this.headerLine)) throw runsOnIntoHeader(this.label, this.number);
    this.takeFault(line.includes(0) ? 'NUL byte' : 'broken quotes');
  }

  private takeRow(): void {
    const { row } = this.scanner;
    if (isBlank(row)) return;
    if (this.onRow) this.onRow(row, this.number);
    else {
      const header = cellsOf(row);
      this.columns = namedColumns(header);
      this.onRow = this.options.start(header);
    }
  }

  /** Throws if the row is the header: without it, the first row of data would be taken for one. */
  private takeFault(fault: RowFault): void {
    if (this.columns === undefined) {
      throw damagedFile(this.label, `its header (row ${this.number}) cannot be read (${fault})`);
    }
    this.options.onFault(fault, this.number);
  }

  /** Throws if the row from `at` to `end` reaches the end of the file, and the file is cut off within it. */
  private refuseUnended(bytes: Buffer, at: number, end: number): void {
    if (this.columns === undefined || bytes.at(-1) === LINE_FEED) return;
    if (end === OPEN_QUOTE && !bytes.includes(LINE_FEED, at)) throw endsWithinQuotes(this.label, this.number);
    const { row } = this.scanner;
    if (end < bytes.byteLength || row.cellCount >= this.columns) return;
    if (!cellsOf(row).every(isFiller)) throw endsWithinRow(this.label, this.number, row.cellCount, this.columns);
  }

  /** The position after the next line break; if there is none yet, all bytes at hand are skipped. */
  private skipLine(bytes: Buffer, from: number): number {
    const lineFeed = bytes.indexOf(LINE_FEED, from);
    this.skipping = lineFeed < 0;
    return lineFeed < 0 ? bytes.byteLength : lineFeed + 1;
  }
}

/** The bytes up to the next line break; all, if there is none. */
function lineAt(bytes: Buffer, from: number): Buffer {
  const lineFeed = bytes.indexOf(LINE_FEED, from);
  return bytes.subarray(from, lineFeed < 0 ? bytes.byteLength : lineFeed);
}

/**
 * Whether a file's lines end in carriage returns alone, as spreadsheets for the Mac have written them; undefined while too
 * little of it has come to tell.
 */
function linesEndInReturns(bytes: Buffer, isLast: boolean): boolean | undefined {
  if (bytes.includes(LINE_FEED)) return false;
  return isLast || bytes.byteLength > MAX_ROW_BYTES ? bytes.includes(CARRIAGE_RETURN) : undefined;
}

/** In place: nobody else reads a chunk of the stream. */
function replaceReturns(bytes: Buffer): void {
  for (let at = bytes.indexOf(CARRIAGE_RETURN); at >= 0; at = bytes.indexOf(CARRIAGE_RETURN, at + 1)) {
    bytes[at] = LINE_FEED;
  }
}
