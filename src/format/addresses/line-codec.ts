/** Lines as bytes: x and y of the first vertex and then the steps to the next, zigzag base-128 varints, 1e-6 degrees. */

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

/** Steps stay within ±2^30: longitudes are no more than 1.8e8. */
function encodeNumber(value: number, push: (byte: number) => void): void {
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  while (rest >= 0x80) {
    push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  push(rest);
}

/** The line in the bytes from `begin` up to, not including, `end`. */
export function decodeLine(bytes: Uint8Array, begin: number, end: number): Int32Array {
  // A number takes a byte at least.
  const line = new Int32Array(Math.max(0, end - begin));
  const count = eachStep(bytes, begin, end, (step, at) => {
    line[at] = step + (at < 2 ? 0 : (line[at - 2] ?? 0));
  });
  return line.slice(0, count);
}

/** x and y of the first vertex, then of the last: no memory is taken for the line. */
export type LineEnds = readonly [number, number, number, number];

/** The ends of the line in the bytes from `begin` up to, not including, `end`. */
export function decodeLineEnds(bytes: Uint8Array, begin: number, end: number): LineEnds {
  let [x, y, firstX, firstY] = [0, 0, 0, 0];
  eachStep(bytes, begin, end, (step, at) => {
    if ((at & 1) === 0) x += step;
    else y += step;
    if (at === 1) [firstX, firstY] = [x, y];
  });
  return [firstX, firstY, x, y];
}

/** Passes on every number and how many came before it, and gives how many there are. */
function eachStep(bytes: Uint8Array, begin: number, end: number, use: (step: number, at: number) => void): number {
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
  return count;
}
