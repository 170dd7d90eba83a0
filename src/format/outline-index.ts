// `as number` in this file: reads of typed arrays at indices that the loops bound.

/** How many edges share one box in the index over a ring; a power of two, at most 255. */
export const EDGES_PER_CHUNK = 16;

/** A tract's closed rings, x,y interleaved in 1e-7 degrees; empty if the tract has no outline. */
export type Rings = readonly Int32Array[];

/** Arrays that answer "is the point in this part" without touching most of its vertices. Coordinates are 1e-7 degrees. */
export interface OutlineIndex {
  /** Each part's first chunk; one more entry for the end. */
  readonly firstChunks: Uint32Array;
  /** Per chunk: minX, minY, maxX, maxY. */
  readonly chunkBoxes: Int32Array;
  /** Per chunk: its first vertex. Its edges run from there to the vertices that follow. */
  readonly chunkVertices: Uint32Array;
  readonly chunkEdges: Uint8Array;
  /** x and y of all vertices, interleaved; every ring repeats its first vertex at the end. */
  readonly vertices: Int32Array;
}

/**
 * Whether a point lies inside a part or on its border, by the even-odd rule over all of the part's rings. Exact:
 * coordinates are integers, and the orientation test falls back to BigInt where doubles would round.
 *
 * If the point is outside a chunk's box, the chunk's edges need not be visited: a chunk above, below or left of the point
 * cannot cross the ray that runs to the right, and for one on the right only its two ends matter.
 */
export function partContains(index: OutlineIndex, part: number, x: number, y: number): boolean {
  const { chunkBoxes, chunkVertices, chunkEdges, vertices } = index;
  const end = index.firstChunks[part + 1] as number;
  let inside = false;
  for (let chunk = index.firstChunks[part] as number; chunk < end; chunk++) {
    const box = chunk * 4;
    if (y < (chunkBoxes[box + 1] as number) || y > (chunkBoxes[box + 3] as number)) continue;
    if (x > (chunkBoxes[box + 2] as number)) continue;
    const first = (chunkVertices[chunk] as number) * 2;
    const last = first + (chunkEdges[chunk] as number) * 2;
    if (x < (chunkBoxes[box] as number)) {
      if ((vertices[first + 1] as number) > y !== (vertices[last + 1] as number) > y) inside = !inside;
      continue;
    }
    for (let at = first; at < last; at += 2) {
      const ay = vertices[at + 1] as number;
      const by = vertices[at + 3] as number;
      if (ay > y && by > y) continue;
      if (ay < y && by < y) continue;
      const ax = vertices[at] as number;
      const bx = vertices[at + 2] as number;
      if (ay === by) {
        if (x >= Math.min(ax, bx) && x <= Math.max(ax, bx)) return true;
        continue;
      }
      // An edge is directed upward first, so that both tracts that share it compute the same answer.
      const side = ay < by ? orientation(ax, ay, bx, by, x, y) : orientation(bx, by, ax, ay, x, y);
      if (side === 0) return true;
      if (side > 0 && ay > y !== by > y) inside = !inside;
    }
  }
  return inside;
}

/** A generous bound for the relative error of a difference of two rounded products. */
const SAFE_FACTOR = 2 ** -50;

/** Positive if the point is left of the directed edge a→b, negative if right, 0 if exactly on its line. */
function orientation(ax: number, ay: number, bx: number, by: number, x: number, y: number): number {
  const left = (bx - ax) * (y - ay);
  const right = (by - ay) * (x - ax);
  const difference = left - right;
  if (Math.abs(difference) > (Math.abs(left) + Math.abs(right)) * SAFE_FACTOR) return difference;
  return Number(BigInt(bx - ax) * BigInt(y - ay) - BigInt(by - ay) * BigInt(x - ax));
}
