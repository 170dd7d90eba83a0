/**
 * Encodes lines as bytes: x and y of the first vertex, then the differences to each next vertex, in 1e-6 degrees, as
 * zigzag base-128 varints.
 */

/** Appends a line (x,y interleaved) to bytes. */
export function encodeLine(line: Int32Array, push: (byte: number) => void): void {
  let [x, y] = [0, 0];
  for (let at = 0; at + 1 < line.length; at += 2) {
    const [nextX = 0, nextY = 0] = [line[at], line[at + 1]];
    encodeNumber(nextX - x, push);
    encodeNumber(nextY - y, push);
    [x, y] = [nextX, nextY];
  }
}

/** Differences stay within ±2^30, since longitudes are at most 1.8e8. */
function encodeNumber(value: number, push: (byte: number) => void): void {
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  while (rest >= 0x80) {
    push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  push(rest);
}

/** Decodes the line in the bytes from `begin` up to, not including, `end`. */
export function decodeLine(bytes: Uint8Array, begin: number, end: number): Int32Array {
  const line = new Int32Array(countNumbers(bytes, begin, end));
  eachStep(bytes, begin, end, (step, at) => {
    line[at] = step + (at < 2 ? 0 : (line[at - 2] ?? 0));
  });
  return line;
}

/** A number's last byte is the one below 0x80; the last number of damaged bytes may lack it. */
function countNumbers(bytes: Uint8Array, begin: number, end: number): number {
  let count = 0;
  for (let at = begin; at < end; at++) if ((bytes[at] ?? 0) < 0x80 || at === end - 1) count++;
  return count;
}

/** x and y of a line's first vertex, then of its last. */
export type LineEnds = readonly [number, number, number, number];

/** Decodes the ends of the line in the bytes from `begin` up to, not including, `end`, without allocating the line. */
export function decodeLineEnds(bytes: Uint8Array, begin: number, end: number): LineEnds {
  let [x, y, firstX, firstY] = [0, 0, 0, 0];
  eachStep(bytes, begin, end, (step, at) => {
    if ((at & 1) === 0) x += step;
    else y += step;
    if (at === 1) [firstX, firstY] = [x, y];
  });
  return [firstX, firstY, x, y];
}

/** Calls `use` with every number and its index. */
function eachStep(bytes: Uint8Array, begin: number, end: number, use: (step: number, at: number) => void): void {
  let count = 0;
  let at = begin;
  while (at < end) {
    let [value, shift, byte] = [0, 0, 0x80];
    while (byte & 0x80) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      shift += 7;
    }
    use((value >>> 1) ^ -(value & 1), count++);
  }
}
