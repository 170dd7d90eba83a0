/**
 * The area of a closed ring of interleaved x,y by the shoelace formula, in the square of their unit; positive if the ring runs
 * counter-clockwise. Coordinates relative to a vertex keep the products within or near a double's exact integers; near 0 the
 * value may be inexact. O(vertices).
 */
export function signedArea(ring: Int32Array): number {
  const originX = ring[0] ?? 0;
  const originY = ring[1] ?? 0;
  let twice = 0;
  for (let at = 2; at + 3 < ring.length; at += 2) {
    // `as number`: reads at indices that the loop bounds.
    const ax = (ring[at] as number) - originX;
    const ay = (ring[at + 1] as number) - originY;
    const bx = (ring[at + 2] as number) - originX;
    const by = (ring[at + 3] as number) - originY;
    twice += ax * by - bx * ay;
  }
  return twice / 2;
}
