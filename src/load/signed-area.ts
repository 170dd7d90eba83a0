/**
 * The area of a closed ring, x and y interleaved, by the shoelace formula; positive where the ring runs counterclockwise. It
 * is relative to the first vertex so that the products stay within or near a double's exact integers.
 */
export function signedArea(ring: Int32Array): number {
  const at = (index: number): number => ring[index] ?? 0;
  const [originX, originY] = [at(0), at(1)];
  let twice = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [ax, ay] = [at(i) - originX, at(i + 1) - originY];
    const [bx, by] = [at(i + 2) - originX, at(i + 3) - originY];
    twice += ax * by - bx * ay;
  }
  return twice / 2;
}
