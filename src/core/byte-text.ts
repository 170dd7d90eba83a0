declare const BYTE_TEXT: unique symbol;

/**
 * A text's UTF-8 bytes, each as one character from 0 to 255 (`latin1`); for ASCII that is the text itself.
 *
 * In this form a small answer goes out together with its head in one piece. A Buffer would be memory of its own, which V8
 * has to account for, and a second piece to write: some 2 µs of 30 (`GET /v1/tracts/{geoid}`).
 */
export type ByteText = string & { readonly [BYTE_TEXT]: true };

/** A text's UTF-8 bytes. */
export function toByteText(text: string): ByteText {
  const ascii = Buffer.byteLength(text) === text.length;
  return marked(ascii ? text : Buffer.from(text).toString('latin1'));
}

/** Copies a slice of a buffer, which may be overwritten afterwards. */
export function byteTextOf(bytes: Buffer, start: number, end: number): ByteText {
  return marked(bytes.toString('latin1', start, end));
}

/** The bytes from `start` up to, not including, `end`, or to the end of the text. */
export function sliceByteText(text: ByteText, start: number, end?: number): ByteText {
  return marked(text.slice(start, end));
}

/** Concatenates byte texts. */
export function joinByteTexts(first: ByteText, ...others: readonly ByteText[]): ByteText {
  let joined: string = first;
  for (const other of others) joined += other;
  return marked(joined);
}

/** Copies the bytes into a buffer with memory of its own. */
export function bytesOf(text: ByteText): Buffer {
  // `Buffer.from` would take a slice of a shared pool, all of which stays in memory as long as any slice of it.
  const bytes = Buffer.allocUnsafeSlow(text.length);
  bytes.write(text, 'latin1');
  return bytes;
}

/** Marks a text that these functions have made. Nothing else does, so the type guarantees that the text holds bytes. */
function marked(text: string): ByteText {
  return text as ByteText;
}
