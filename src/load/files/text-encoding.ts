import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { MAX_ROW_BYTES } from './byte-rows.js';
import { decodeWindows1252 } from './windows-1252.js';

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/**
 * A longer line is passed on unfinished. It is then refused for its more than `MAX_ROW_BYTES` characters: UTF-8 takes at
 * most three bytes for each character of a JavaScript string.
 */
const MAX_LINE_BYTES = 3 * MAX_ROW_BYTES;

/** The note in a file's account for a line that {@link decodeText} could not read as UTF-8. */
export const NOT_UTF_8 = 'line not in UTF-8, read as Windows-1252';

/**
 * Decodes UTF-8, and each line that is not UTF-8 as Windows-1252: agencies publish in one or the other; older files of the
 * Census Bureau and files that passed through a spreadsheet are in the latter. `onOther` is called for each such line.
 */
export function decodeText(bytes: Buffer, onOther: () => void): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let at = 0; at < bytes.byteLength; ) {
    const lineFeed = bytes.indexOf(LINE_FEED, at);
    const end = lineFeed < 0 ? bytes.byteLength : lineFeed + 1;
    const line = bytes.subarray(at, end);
    if (isUtf8(line)) text += line.toString('utf8');
    else {
      onOther();
      text += decodeWindows1252(line);
    }
    at = end;
  }
  return text;
}

/** Decodes a cell, or a line: UTF-8, or else Windows-1252. */
export const decodeCell = (bytes: Buffer): string =>
  isUtf8(bytes) ? bytes.toString('utf8') : decodeWindows1252(bytes);

/**
 * Decodes a byte stream in pieces of whole lines, so that no character is cut in two. Each line ends in a single line
 * feed, whatever ends it in the file. See {@link decodeText}.
 */
export async function* textPieces(stream: Readable, onOther: () => void): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    // The chunks of a byte stream are buffers.
    const bytes: Buffer = rest.byteLength === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    const lines = endOfLines(bytes);
    const end = lines === 0 && bytes.byteLength > MAX_LINE_BYTES ? bytes.byteLength : lines;
    if (end > 0) yield withLineFeeds(decodeText(bytes.subarray(0, end), onOther));
    rest = bytes.subarray(end);
  }
  if (rest.byteLength > 0) yield withLineFeeds(decodeText(rest, onOther));
}

/** Files put together from others mix line endings, and parsers take the first one for all of them. */
export const withLineFeeds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** The position after the last line break; a carriage return at the very end may be half of one. */
function endOfLines(bytes: Buffer): number {
  const lineFeed = bytes.lastIndexOf(LINE_FEED);
  return 1 + (lineFeed < 0 ? bytes.subarray(0, -1).lastIndexOf(CARRIAGE_RETURN) : lineFeed);
}
