import { at } from './rings.js';

/** The two ends of an edge in whole 1e-7 degrees, in the same order for all polygons that share the edge. */
export interface Edge {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

/**
 * Seams are the lines that two polygons can share, identified by number: edges of county borders, and cuts inside counties.
 * A vertex added to one polygon's copy of a seam must also be added to the other's, else rounding to whole units leaves a
 * gap between them. So every such vertex is recorded here, and woven into all copies at the end.
 */
export interface Seams {
  /** Adds a seam. A border needs its `edge`, since it may be sloped: all crossings are then computed from the same ends. */
  add(edge?: Edge): number;
  /** The edge of a border. Undefined for a cut, which is parallel to an axis, so that crossings with it are exact. */
  edgeOf(seam: number): Edge | undefined;
  insert(seam: number, x: number, y: number): void;
  /** The recorded vertices strictly between two vertices p and q of the seam, in order from p to q, as x,y pairs. */
  between(seam: number, px: number, py: number, qx: number, qy: number): number[];
}

/**
 * The order of vertices along a seam is well defined: a cut crosses it at a whole coordinate and the other coordinate is
 * rounded to the nearest, so both are monotonic along the seam, and their sum, signed by direction, grows with each vertex.
 */
export function createSeams(): Seams {
  const edges: (Edge | undefined)[] = [];
  const inserted: number[][] = [];
  return {
    add(edge) {
      edges.push(edge);
      inserted.push([]);
      return edges.length - 1;
    },
    edgeOf: (seam) => edges[seam],
    insert(seam, x, y) {
      inserted[seam]?.push(x, y);
    },
    between(seam, px, py, qx, qy) {
      return orderedBetween(inserted[seam] ?? [], px, py, qx, qy);
    },
  };
}

function orderedBetween(points: readonly number[], px: number, py: number, qx: number, qy: number): number[] {
  if (points.length === 0) return [];
  const signX = Math.sign(qx - px);
  const signY = Math.sign(qy - py);
  const first = signX * px + signY * py;
  const last = signX * qx + signY * qy;
  const found: { key: number; index: number }[] = [];
  for (let i = 0; i < points.length; i += 2) {
    const key = signX * at(points, i) + signY * at(points, i + 1);
    if (key > first && key < last) found.push({ key, index: i });
  }
  found.sort((a, b) => a.key - b.key);
  return found
    .filter(({ key }, position) => key !== found[position - 1]?.key)
    .flatMap(({ index }) => [at(points, index), at(points, index + 1)]);
}
