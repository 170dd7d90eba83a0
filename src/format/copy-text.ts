const WORD = 8;
/** What is shorter, {@link copyText} cannot copy. */
export const COPY_MIN_BYTES = WORD;

/** A view of the same bytes, to be read at any position. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Memory to be copied into, from the beginning of a word on: whole words can be written as such. */
export interface TextTarget {
  readonly view: DataView;
  readonly words: Float64Array;
  /** Where in the two the bytes begin that may be written. */
  readonly start: number;
}

/** These bytes as a target. */
export function targetOf({ buffer, byteOffset, byteLength }: Uint8Array): TextTarget {
  const start = byteOffset % WORD;
  const sizeBytes = start + byteLength;
  return {
    view: new DataView(buffer, byteOffset - start, sizeBytes),
    words: new Float64Array(buffer, byteOffset - start, Math.floor(sizeBytes / WORD)),
    start,
  };
}

/**
 * Copies so many bytes of UTF-8 text, at least eight, where an answer is gathered out of thousands of pieces of some hundred
 * bytes. `target.set(source.subarray(…))` makes an object for each piece, and into shared memory it copies byte by byte, as
 * the language asks for there: that takes five times as long. Throws RangeError where there is no room.
 *
 * Words are moved as floating-point numbers, the one type of eight bytes that V8 moves without making objects. That keeps
 * all bits but those of NaNs, and no eight bytes of UTF-8 are one: it would end in 0xf0–0xff and 0x7f or 0xff.
 *
 * After a write through a view V8 looks up both memories anew, after one to an array it does not: words are written to an
 * array, where it has them. `| 0` tells that positions stay below 2³¹, else each sum is checked for that.
 */
export function copyText(
  source: DataView,
  from: number,
  { view, words }: TextTarget,
  to: number,
  length: number,
): void {
  // Both ends, since they need not fill words.
  view.setFloat64(to, source.getFloat64(from, true), true);
  view.setFloat64(to + length - WORD, source.getFloat64(from + length - WORD, true), true);
  const end = (to + length) >>> 3;
  let word = (to >>> 3) + 1;
  let at = from + WORD * word - to;
  while (((word + 7) | 0) < end) {
    const first = source.getFloat64(at, true);
    const second = source.getFloat64((at + WORD) | 0, true);
    const third = source.getFloat64((at + 2 * WORD) | 0, true);
    const fourth = source.getFloat64((at + 3 * WORD) | 0, true);
    const fifth = source.getFloat64((at + 4 * WORD) | 0, true);
    const sixth = source.getFloat64((at + 5 * WORD) | 0, true);
    const seventh = source.getFloat64((at + 6 * WORD) | 0, true);
    const eighth = source.getFloat64((at + 7 * WORD) | 0, true);
    words[word] = first;
    words[(word + 1) | 0] = second;
    words[(word + 2) | 0] = third;
    words[(word + 3) | 0] = fourth;
    words[(word + 4) | 0] = fifth;
    words[(word + 5) | 0] = sixth;
    words[(word + 6) | 0] = seventh;
    words[(word + 7) | 0] = eighth;
    word = (word + 8) | 0;
    at = (at + 8 * WORD) | 0;
  }
  while (word < end) {
    words[word] = source.getFloat64(at, true);
    word = (word + 1) | 0;
    at = (at + WORD) | 0;
  }
}
