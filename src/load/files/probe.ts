import Papa from 'papaparse';
import type { InputFile } from '../input.js';
import { packing } from './content-kind.js';
import { cleanHeaderCell, type Delimiter, NUL_IN_TEXT, quoteIn } from './delimited.js';
import { firstBytes } from './read-head.js';
import { decodeText, withLineFeeds } from './text-encoding.js';

/** A text file and its first lines, by which its source is recognized. */
export interface TextProbe {
  readonly file: InputFile;
  /** The cells of the first line, without byte order mark, quotes and padding. */
  readonly header: readonly string[];
  /** The cells of the following lines that are complete within the file's first 64 KiB. */
  readonly rows: readonly (readonly string[])[];
  /** Whether header and rows are the file's entire content. */
  readonly whole: boolean;
  /** Why the text cannot be read, as a message for the maintainer; the cells are then a best effort. */
  readonly fault: string | undefined;
  /** The first bytes as raw text, for content other than tables (JSON). */
  readonly head: string;
  readonly delimiter: Delimiter;
}

/** How much of a file is read to recognize it. */
const PROBE_BYTES = 64 * 1024;
const PROBE_ROWS = 200;

const IN_UTF_16 = 'it is in UTF-16; save it in UTF-8';

/**
 * Reads the beginning of any file as a table, even a binary one: no source recognizes what comes of that. Throws
 * `InputError` if the file cannot be read.
 */
export async function probeText(file: InputFile): Promise<TextProbe> {
  const bytes = await firstBytes(file, PROBE_BYTES);
  const { text, fault } = decode(file, bytes);
  const head = withLineFeeds(text.replace(/^\uFEFF/, ''));
  return { file, head, ...tableIn(head, bytes.byteLength < PROBE_BYTES), fault };
}

/** Titles and notes that agencies and spreadsheets put above a table have no more lines than this. */
const MAX_TITLE_LINES = 20;

/** How many columns of the header have a name. */
export const namedCells = ({ header }: Pick<TextProbe, 'header'>): number =>
  header.filter((cell) => cell !== '').length;

/**
 * Yields the file's beginning as it would be without its first line, first two lines, …, and the line of the new header, if
 * that may have more cells than the present one.
 */
export function* belowFirstLines(probe: TextProbe): Generator<{ readonly line: number; readonly below: TextProbe }> {
  let head = probe.head;
  const cells = namedCells(probe);
  for (let line = 2; line <= MAX_TITLE_LINES + 1; line++) {
    const end = head.indexOf('\n');
    if (end < 0) return;
    head = head.slice(end + 1);
    // Told without parsing of the rows of nearly all files.
    if (separators(head) < cells) continue;
    yield { line, below: { ...probe, head, ...tableIn(head, probe.whole) } };
  }
}

/** A text up to its first line break. */
const firstLine = (text: string): string => text.slice(0, text.indexOf('\n') + 1 || undefined);

/** How many characters of the first line may separate cells. */
const separators = (head: string): number => firstLine(head).match(/[,;\t|]/g)?.length ?? 0;

/** The cells of a text. Unless the text is complete, its last line may be cut off and is dropped if there are others. */
function tableIn(head: string, complete: boolean): Pick<TextProbe, 'delimiter' | 'header' | 'rows' | 'whole'> {
  const wholeLines = complete ? head : head.slice(0, head.lastIndexOf('\n') + 1) || head;
  const delimiter = guessDelimiter(firstLine(wholeLines));
  const options = { delimiter, quoteChar: quoteIn(delimiter), preview: PROBE_ROWS };
  const { data, meta } = Papa.parse<string[]>(wholeLines, options);
  const [header = [], ...rows] = data;
  const whole = complete && !meta.truncated;
  return { delimiter, header: header.map(cleanHeaderCell), rows, whole };
}

/**
 * The same file's beginning, split at semicolons, which no agency uses; undefined if that does not give the header more
 * cells.
 */
export function separatedBySemicolons(probe: TextProbe): TextProbe | undefined {
  // Told without parsing of nearly all files.
  if (!firstLine(probe.head).includes(';')) return undefined;
  const options = { delimiter: ';', preview: PROBE_ROWS } as const;
  const [header = [], ...rows] = Papa.parse<string[]>(probe.head, options).data;
  return header.length > probe.header.length ? { ...probe, header: header.map(cleanHeaderCell), rows } : undefined;
}

/** Decodes the bytes and says what is wrong with them. NUL bytes are dropped, so that the rest can be recognized. */
function decode(file: InputFile, bytes: Buffer): Pick<TextProbe, 'fault'> & { readonly text: string } {
  if (bytes.byteLength === 0) return { text: '', fault: 'it is empty' };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: bytes.toString('utf16le'), fault: IN_UTF_16 };
  // Of big-endian UTF-16, the ASCII characters remain once the NUL bytes are dropped.
  const text = decodeText(bytes, () => {}).replaceAll('\u0000', '');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: text.slice(2), fault: IN_UTF_16 };
  return { text, fault: packing(file, bytes) ?? (bytes.includes(0) ? faultOfNuls(bytes) : undefined) };
}

const faultOfNuls = (bytes: Buffer): string => (isUnmarkedUtf16(bytes) ? IN_UTF_16 : NUL_IN_TEXT);

/**
 * Whether a text without a byte order mark is in UTF-16: of nearly all its characters, which are ASCII, the same one of the
 * two bytes is NUL, and the other is not.
 */
function isUnmarkedUtf16(bytes: Buffer): boolean {
  let [first, second] = [0, 0];
  for (let at = 0; at + 1 < bytes.byteLength; at += 2) {
    if (bytes[at] === 0) first++;
    if (bytes[at + 1] === 0) second++;
  }
  return Math.min(first, second) === 0 && Math.max(first, second) > bytes.byteLength * 0.45;
}

/** The delimiter that occurs most often in the first line. */
function guessDelimiter(line: string): Delimiter {
  const count = (delimiter: string): number => line.split(delimiter).length;
  if (count('\t') > count(',') && count('\t') >= count('|')) return '\t';
  return count('|') > count(',') ? '|' : ',';
}
