// `as number` in this file: reads of typed arrays at indices that the loops bound.

/** A closed ring of interleaved x,y in 1e-7 degrees, which repeats its first vertex at the end. */
export type Ring = Int32Array;

/** The positions of a closed triangle: a ring with fewer encloses nothing. */
export const MIN_POSITIONS = 4;

/**
 * Whether a point is inside a ring (1), outside (−1) or on its border (0), by the even-odd rule. Exact at the ring's
 * vertices and along edges of up to some 9 degrees; no edge of a tract's outline is nearly as long.
 */
export function sideOf(ring: Ring, x: number, y: number): -1 | 0 | 1 {
  let inside = false;
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const ax = ring[at] as number;
    const ay = ring[at + 1] as number;
    const bx = ring[at + 2] as number;
    const by = ring[at + 3] as number;
    if ((ay > y && by > y) || (ay < y && by < y) || (ax < x && bx < x)) continue;
    const cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    if (cross === 0 && x >= Math.min(ax, bx) && x <= Math.max(ax, bx)) return 0;
    if (ay > y !== by > y && cross > 0 === by > ay) inside = !inside;
  }
  return inside ? 1 : -1;
}
