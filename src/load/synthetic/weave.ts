import { at, forEachRing, type Rings } from './rings.js';
import type { Seams } from './seams.js';

/** A ring of fewer distinct vertices encloses nothing. */
const MIN_CORNERS = 3;

/**
 * A polygon's closed rings, with all vertices that its neighbours' cuts have added to the common seams, so that neighbours
 * have the same chain of vertices wherever they meet. Must be called after all cutting is done.
 */
export function weave(rings: Rings, seams: Seams): Int32Array[] {
  const woven: Int32Array[] = [];
  forEachRing(rings, (begin, end) => {
    const ring: number[] = [];
    for (let i = begin; i < end; i++) {
      const following = i + 1 < end ? i + 1 : begin;
      const [px, py] = [at(rings.xs, i), at(rings.ys, i)];
      const [qx, qy] = [at(rings.xs, following), at(rings.ys, following)];
      if (px === qx && py === qy) continue;
      ring.push(px, py, ...seams.between(at(rings.seams, i), px, py, qx, qy));
    }
    if (ring.length < 2 * MIN_CORNERS) return;
    ring.push(at(ring, 0), at(ring, 1));
    woven.push(Int32Array.from(ring));
  });
  return woven;
}
