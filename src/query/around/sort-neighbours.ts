/** A point's row and its distance from a centre. */
export interface Neighbour {
  readonly row: number;
  readonly distanceMiles: number;
}

/** Up to here insertion sort, which calls nothing, is the faster. */
const MAX_INSERTIONS = 150;

/** Sorts nearest first, ties by row, in place. */
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
  return a.distanceMiles - b.distanceMiles || a.row - b.row;
}
