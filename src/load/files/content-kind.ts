import { printable } from '../../core/printable.js';
import type { InputFile } from '../input.js';

/** How much of a line is shown. */
const SHOWN_CHARACTERS = 80;

/** A text's first line, shortened and made printable. */
export function beginning(text: string): string {
  const [line = ''] = text.split(/[\r\n]/, 1);
  return printable(line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line);
}

const GZIPPED = 'it is compressed with gzip; decompress it, or add .gz to its name';
const ZIPPED = 'it is a zip archive; unpack it, or add .zip to its name';
const SPREADSHEET = 'it is a spreadsheet; save it as CSV';
const GZIPPED_WITHIN = 'it is compressed with gzip inside another archive; unpack it';
const ZIPPED_TWICE = 'it is a zip archive inside another; unpack it';

/** The fault of a table separated by semicolons, as no agency's is. */
export const BY_SEMICOLONS = 'its cells are separated by semicolons; save it with commas';

/** The faults of a table that is packed although its name does not say so, or is a spreadsheet, a packed format itself. */
export const PACKED: readonly (string | undefined)[] = [GZIPPED, GZIPPED_WITHIN, ZIPPED, ZIPPED_TWICE, SPREADSHEET];

/** Which fault of {@link PACKED} a table has, by its names and first bytes; undefined if it is not packed. */
export function packing({ name, label }: Pick<InputFile, 'name' | 'label'>, head: Buffer): string | undefined {
  // A file with .gz at its end is opened as gzipped, in a folder, so one that still is has been packed twice.
  if (isGzip(head)) return /\.gz$/i.test(label) ? GZIPPED_WITHIN : GZIPPED;
  if (isSpreadsheet(name, head)) return SPREADSHEET;
  if (!isZip(head)) return undefined;
  // An archive in a folder is opened as such, so this one is a member of another archive.
  return /\.zip$/i.test(name) ? ZIPPED_TWICE : ZIPPED;
}

/** Why a file cannot be opened as a zip archive, by its first bytes, and what to do. */
export function whyNoArchive(head: Buffer): string {
  if (isGzip(head)) return 'it is compressed with gzip and is not a zip archive; end its name in .gz instead of .zip';
  if (isZip(head)) return 'the end of the archive is missing; is the download complete?';
  const text = head.toString('utf8').replace(/^[\s\uFEFF]+/, '');
  if (text === '') return 'it is empty';
  if (isWebPage(text)) return 'it is a web page, not a zip archive; download it again';
  if (/^[[{]/.test(text)) return `it is JSON, not a zip archive (${beginning(text)}); download it again`;
  return 'it is not a zip archive; download it again, or, if it is a table, remove .zip from its name';
}

/** Whether a text is a web page: no agency's table begins with `<`. */
export const isWebPage = (text: string): boolean => text.trimStart().startsWith('<');

/** Whether a text is JSON, as services answer: a table's first cell may hold a bracket, but no JSON value after it. */
export const isJson = (text: string): boolean => /^\s*(\{\s*["}]|\[\s*[[{"\]])/.test(text);

/** Names of Excel and OpenDocument spreadsheets, which no text table has. */
export const SPREADSHEET_NAME = /\.(?:xls[xmb]?|ods)$/i;
/** Offset of the first member's name in an archive. */
const FIRST_MEMBER = 30;
/** How that name begins in a workbook. */
const OF_WORKBOOK = /^(?:\[Content_Types\]|_rels\/|docProps\/|xl\/|mimetypeapplication\/vnd\.oasis)/;

function isSpreadsheet(name: string, head: Buffer): boolean {
  if (!isZip(head)) return isOldWorkbook(head);
  return SPREADSHEET_NAME.test(name) || OF_WORKBOOK.test(head.toString('latin1', FIRST_MEMBER, 100));
}

/** Whether the file is a workbook of Excel before 2007. */
const isOldWorkbook = (head: Buffer): boolean => head.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1';

/** Whether a file is compressed with gzip, by its first bytes. */
export const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b;
const isZip = (head: Buffer): boolean => head.toString('latin1', 0, 4) === 'PK\u0003\u0004';
