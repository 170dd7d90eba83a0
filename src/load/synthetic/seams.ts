import { at } from './rings.js';

/** The two ends of an edge, in whole 1e-7 degrees, in the order that all its sharers agree on. */
export interface Edge {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

/**
 * The lines that two polygons can share, by number: the borders' edges, and the cuts made inside counties. A vertex that
 * is put into one sharer's copy of a line must appear in the other's, or rounding to whole units leaves a gap between
 * them; so every such vertex is remembered here, and woven into all copies at the end.
 */
export interface Seams {
  /** A new line. `edge` where it may be sloped, so that all crossings are computed from the same two ends. */
  add(edge?: Edge): number;
  /** The ends of a sloped line. Undefined for a cut, which is parallel to an axis and so exact anywhere. */
  edgeOf(seam: number): Edge | undefined;
  insert(seam: number, x: number, y: number): void;
  /** The remembered vertices strictly between two vertices of the line, in order from the first, as x,y pairs. */
  between(seam: number, px: number, py: number, qx: number, qy: number): number[];
}

/**
 * Why order along a line is well defined: a cut crosses a line at a whole coordinate and the other coordinate is rounded
 * to nearest, so both move one way only along the line, and their sum, signed by direction, grows with every new vertex.
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
