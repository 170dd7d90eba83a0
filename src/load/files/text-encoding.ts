import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { MAX_ROW_BYTES } from './byte-rows.js';
import { decodeWindows1252 } from './windows-1252.js';

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/**
 * A line that goes on for longer is given as it is: UTF-8 has no more than three bytes a character, so it is refused by
 * then.
 */
const MAX_LINE_BYTES = 3 * MAX_ROW_BYTES;

/** What the account of a file says of a line that {@link decodeText} could not read as UTF-8. */
export const NOT_UTF_8 = 'line not in UTF-8, read as Windows-1252';

/**
 * Text in UTF-8, and line by line in Windows-1252 where it is not: agencies publish in the one or the other, older files of
 * the Census Bureau and what passed through a spreadsheet in the latter. `onOther` is called per line that is not UTF-8.
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

/**
 * A byte stream's text in pieces of whole lines, so that no character is cut in two; a line feed alone ends each, whatever
 * does in the file. See {@link decodeText}.
 */
export async function* textPieces(stream: Readable, onOther: () => void): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    // A byte stream's chunks.
    const bytes: Buffer = rest.byteLength === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    const lines = endOfLines(bytes);
    const end = lines === 0 && bytes.byteLength > MAX_LINE_BYTES ? bytes.byteLength : lines;
    if (end > 0) yield withLineFeeds(decodeText(bytes.subarray(0, end), onOther));
    rest = bytes.subarray(end);
  }
  if (rest.byteLength > 0) yield withLineFeeds(decodeText(rest, onOther));
}

/** Files that were put together of others have lines that end in several ways, and parsers take the first for all. */
const withLineFeeds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** The position behind the last line break; a carriage return at the end may be the half of one. */
function endOfLines(bytes: Buffer): number {
  const lineFeed = bytes.lastIndexOf(LINE_FEED);
  return 1 + (lineFeed < 0 ? bytes.subarray(0, -1).lastIndexOf(CARRIAGE_RETURN) : lineFeed);
}
