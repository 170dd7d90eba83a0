/** A point's row and its distance from a center. */
export interface Neighbour {
  readonly row: number;
  readonly distanceMiles: number;
  /** The distance that is shown and sorted by, in whole hundredths of a mile. */
  readonly hundredths: number;
}

/** Up to this many, insertion sort is faster than `Array.prototype.sort`. */
const MAX_INSERTIONS = 150;

/** Sorts in place, nearest first by the distance that clients are shown, ties by row. */
export function sortNeighbours(neighbours: Neighbour[]): Neighbour[] {
  if (neighbours.length > MAX_INSERTIONS) return neighbours.sort(compare);
  for (let at = 1; at < neighbours.length; at++) {
    const moved = neighbours[at];
    if (!moved) continue;
    let free = at;
    for (; free > 0; free--) {
      const before = neighbours[free - 1];
      if (!before || compare(before, moved) < 0) break;
      neighbours[free] = before;
    }
    neighbours[free] = moved;
  }
  return neighbours;
}

function compare(a: Neighbour, b: Neighbour): number {
  return a.hundredths - b.hundredths || a.row - b.row;
}
