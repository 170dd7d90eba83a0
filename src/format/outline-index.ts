// `as number` in this file: reads of typed arrays at indices that the loops bound.

/** So many edges share one box in the index over a ring; a power of two, at most 255. */
export const EDGES_PER_CHUNK = 16;

/** A tract's rings: x,y interleaved in 1e-7 degrees, closed; none where the tract has no outline. */
export type Rings = readonly Int32Array[];

/** Arrays that answer "is the point in this part" without touching most of its vertices. Coordinates are 1e-7 degrees. */
export interface OutlineIndex {
  /** Each part's first chunk; one more entry at the end. */
  readonly firstChunks: Uint32Array;
  /** Per chunk: minX, minY, maxX, maxY. */
  readonly chunkBoxes: Int32Array;
  /** Per chunk: its first vertex. Its edges run from there to the vertices that follow. */
  readonly chunkVertices: Uint32Array;
  readonly chunkEdges: Uint8Array;
  /** x and y of all vertices, interleaved; every ring ends with its first vertex again. */
  readonly vertices: Int32Array;
}

/**
 * Whether a point lies inside a part or on its border (the even-odd rule over all of its rings). Exact: coordinates are
 * integers and the orientation test falls back to big ones where doubles would round.
 *
 * A chunk whose box the point is outside of needs no look at its edges: beside or left of the point it cannot cross the
 * ray that runs to the right, and right of it only its two ends matter.
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
      // Turned so that it runs upward, an edge gives the same answer from both of its sides.
      const side = ay < by ? orientation(ax, ay, bx, by, x, y) : orientation(bx, by, ax, ay, x, y);
      if (side === 0) return true;
      if (side > 0 && ay > y !== by > y) inside = !inside;
    }
  }
  return inside;
}

/** Relative error bound of a difference of two rounded products, generously. */
const SAFE_FACTOR = 2 ** -50;

/** Positive where the point is left of the directed edge a→b, negative where right, 0 exactly on its line. */
function orientation(ax: number, ay: number, bx: number, by: number, x: number, y: number): number {
  const left = (bx - ax) * (y - ay);
  const right = (by - ay) * (x - ax);
  const difference = left - right;
  if (Math.abs(difference) > (Math.abs(left) + Math.abs(right)) * SAFE_FACTOR) return difference;
  if (Math.abs(left) < Number.MAX_SAFE_INTEGER && Math.abs(right) < Number.MAX_SAFE_INTEGER) return difference;
  return Number(BigInt(bx - ax) * BigInt(y - ay) - BigInt(by - ay) * BigInt(x - ax));
}
