declare const BYTE_TEXT: unique symbol;

/**
 * The bytes of a text in UTF-8, each as a character from 0 to 255 (`latin1`): of ASCII that is the text itself.
 *
 * As such a small answer goes out together with its head in one piece. Made as bytes, it would be memory of its own,
 * which V8 has to keep account of, and a second piece to be written: some 2 µs of 30 (`GET /v1/tracts/{geoid}`).
 */
export type ByteText = string & { readonly [BYTE_TEXT]: true };

/** A text's bytes in UTF-8. */
export function toByteText(text: string): ByteText {
  const ascii = Buffer.byteLength(text) === text.length;
  return marked(ascii ? text : Buffer.from(text).toString('latin1'));
}

/** A piece of a buffer. Reads nothing of it later. */
export function byteTextOf(bytes: Buffer, start: number, end: number): ByteText {
  return marked(bytes.toString('latin1', start, end));
}

/** A part, from one byte up to, not including, another, or to the end. */
export function sliceByteText(text: ByteText, start: number, end?: number): ByteText {
  return marked(text.slice(start, end));
}

/** One behind the other. */
export function joinByteTexts(first: ByteText, ...others: readonly ByteText[]): ByteText {
  let joined: string = first;
  for (const other of others) joined += other;
  return marked(joined);
}

/** The bytes themselves, in memory of their own. */
export function bytesOf(text: ByteText): Buffer {
  // `Buffer.from` would take a piece of memory that it shares out, all of which is held as long as any of it.
  const bytes = Buffer.allocUnsafeSlow(text.length);
  bytes.write(text, 'latin1');
  return bytes;
}

/** The type tells what these functions have made of a text; it has no other way to come about. */
function marked(text: string): ByteText {
  return text as ByteText;
}
