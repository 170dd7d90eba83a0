/** A point's row and its distance from a centre. */
export interface Neighbour {
  readonly row: number;
  readonly distanceMiles: number;
  /** The distance as it is shown and as order goes by: whole hundredths of a mile. */
  readonly hundredths: number;
}

/** Up to here insertion sort, which calls nothing, is the faster. */
const MAX_INSERTIONS = 150;

/** Sorts nearest first by the distance that is shown, ties by row, in place: clients see no other distance. */
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
