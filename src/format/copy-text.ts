const WORD = 8;
/** The end of the last text that {@link copyText} can copy: it computes positions in 32 bits with a sign. */
const COPY_MAX_END = 2 ** 31 - 1;

/** Throws RangeError if texts of so many bytes, one behind the other, are too many for one section. */
export function requireCopyable(what: string, sizeBytes: number): void {
  if (sizeBytes > COPY_MAX_END)
    throw new RangeError(`${what} would be ${sizeBytes} bytes; less than 2 GiB can be read`);
}

/** A view of the same bytes that can be read at any position, aligned or not. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Memory to copy into. Its views begin at a word boundary, so that whole words can be written. */
export interface TextTarget {
  readonly view: DataView;
  readonly words: Float64Array;
  /** The offset in both views, in bytes, at which the writable bytes begin. */
  readonly start: number;
}

/** The given bytes as a target. */
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
 * Copies `length` bytes of UTF-8 text. For answers that are assembled from thousands of pieces of a few hundred bytes:
 * `target.set(source.subarray(…))` creates an object for each piece, and copies into shared memory byte by byte, as the
 * language demands, which takes five times as long. Throws RangeError if there is not enough room.
 *
 * Words are moved as floating-point numbers, the only eight-byte type that V8 moves without allocating objects. That keeps
 * all bits except those of NaNs, and eight bytes of UTF-8 are never a NaN: it would end in 0xf0–0xff and 0x7f or 0xff.
 *
 * After a write through a DataView, V8 looks up both buffers again; after a write to a typed array it does not. So aligned
 * words are written to the array. `| 0` tells V8 that positions stay below 2³¹; otherwise it checks each sum for overflow.
 */
export function copyText(
  source: DataView,
  from: number,
  { view, words }: TextTarget,
  to: number,
  length: number,
): void {
  if (length < WORD) {
    copyBytes(source, from, view, to, length);
    return;
  }
  // The first and last eight bytes, which need not be aligned words.
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

function copyBytes(source: DataView, from: number, view: DataView, to: number, length: number): void {
  for (let at = 0; at < length; at++) view.setUint8(to + at, source.getUint8(from + at));
}
