import { printable } from '../../core/printable.js';

/** So much of a text is shown. */
const SHOWN_CHARACTERS = 80;

/** A text's first line, as a person may be shown it. */
export function beginning(text: string): string {
  const [line = ''] = text.split(/[\r\n]/, 1);
  return printable(line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line);
}

const GZIPPED = 'it is compressed with gzip; decompress it, or add .gz to its name';
const ZIPPED = 'it is a zip archive; unpack it, or call it .zip';
const SPREADSHEET = 'it is a spreadsheet; save it as CSV';
const ZIPPED_TWICE = 'it is a zip archive within another; unpack it';

/** What is wrong with a table whose cells no agency would separate so. */
export const BY_SEMICOLONS = 'its cells are separated by semicolons; save it with commas';

/** What is wrong with a table that is packed and not named so, or in a spreadsheet, which is packed itself. */
export const PACKED: readonly (string | undefined)[] = [GZIPPED, ZIPPED, ZIPPED_TWICE, SPREADSHEET];

/** Which of {@link PACKED} is wrong with a table, by its name and first bytes; undefined where it is not packed. */
export function packing(name: string, head: Buffer): string | undefined {
  if (isGzip(head)) return GZIPPED;
  if (isSpreadsheet(name, head)) return SPREADSHEET;
  if (!isZip(head)) return undefined;
  // One that lies in a folder is opened.
  return /\.zip$/i.test(name) ? ZIPPED_TWICE : ZIPPED;
}

/** What a file is that cannot be opened as a zip archive, by its first bytes; undefined where they do not tell. */
export function whyNoArchive(head: Buffer): string | undefined {
  if (isGzip(head)) return 'it is compressed with gzip, and no zip archive';
  if (isZip(head)) return 'the end of the archive is not there; is the download complete?';
  const text = head.toString('utf8').replace(/^[\s\uFEFF]+/, '');
  if (text === '') return 'it is empty';
  if (isWebPage(text)) return 'it is a web page, and no zip archive';
  return /^[[{]/.test(text) ? `it is JSON, and no zip archive (${beginning(text)})` : undefined;
}

/** Whether a text is a web page: none of the agencies' tables starts like one. */
export const isWebPage = (text: string): boolean => text.trimStart().startsWith('<');

/** Whether a text is JSON, as services answer in: a table's first cell may have a bracket, but no value of JSON in it. */
export const isJson = (text: string): boolean => /^\s*(\{\s*["}]|\[\s*[[{"\]])/.test(text);

/** Names that files of Excel and of OpenDocument have, and no table in text. */
export const SPREADSHEET_NAME = /\.(?:xls[xmb]?|ods)$/i;
/** The name of an archive's first member is here. */
const FIRST_MEMBER = 30;
/** How it begins in a workbook. */
const OF_WORKBOOK = /^(?:\[Content_Types\]|_rels\/|docProps\/|xl\/|mimetypeapplication\/vnd\.oasis)/;

function isSpreadsheet(name: string, head: Buffer): boolean {
  if (!isZip(head)) return isOldWorkbook(head);
  return SPREADSHEET_NAME.test(name) || OF_WORKBOOK.test(head.toString('latin1', FIRST_MEMBER, 100));
}

/** Of Excel before 2007. */
const isOldWorkbook = (head: Buffer): boolean => head.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1';

const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b;
const isZip = (head: Buffer): boolean => head.toString('latin1', 0, 4) === 'PK\u0003\u0004';
