/** A tract's rings in whole 1e-7 degrees, x and y interleaved, closed. */
export type NaiveRings = readonly (readonly number[] | Int32Array)[];

/**
 * Finds the row at a point straight from the definition: tests the rows in order, each with all edges of all rings, in exact
 * arithmetic. A point on an edge is inside; otherwise it is inside if a ray to the east crosses an odd number of edges.
 */
export function naiveLocate(outlines: readonly NaiveRings[], x: number, y: number): number {
  return outlines.findIndex((rings) => closedRegionHolds(rings, x, y));
}

/** The same on the globe: a point at ±180° longitude has two coordinates, and an outline may contain either of them. */
export function naiveLocateOnGlobe(outlines: readonly NaiveRings[], x: number, y: number): number {
  return outlines.findIndex(
    (rings) => closedRegionHolds(rings, x, y) || (Math.abs(x) === 1_800_000_000 && closedRegionHolds(rings, -x, y)),
  );
}

function closedRegionHolds(rings: NaiveRings, x: number, y: number): boolean {
  let crossings = 0;
  for (const ring of rings) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const ay = ring[at + 1] ?? 0;
      const by = ring[at + 3] ?? 0;
      if (ay > y && by > y) continue;
      if (ay < y && by < y) continue;
      const ax = ring[at] ?? 0;
      const bx = ring[at + 2] ?? 0;
      const turn = BigInt(bx - ax) * BigInt(y - ay) - BigInt(by - ay) * BigInt(x - ax);
      if (turn === 0n && between(x, ax, bx) && between(y, ay, by)) return true;
      if (ay > y === by > y) continue;
      // The ray to the east crosses an upward edge if the point is on its left, a downward one if it is on its right.
      if (by > ay === turn > 0n) crossings++;
    }
  }
  return crossings % 2 === 1;
}

const between = (value: number, a: number, b: number): boolean => value >= Math.min(a, b) && value <= Math.max(a, b);
