/**
 * The middle x of the widest stretch that is inside an outline along the horizontal line at `y`, which has the rings' unit
 * but need not be whole; undefined if the line crosses no ring. Rings are closed, x and y interleaved. Besides one pass
 * over the vertices, O(n log n) in the crossings.
 */
export function middleOfWidestStretch(rings: readonly Int32Array[], y: number): number | undefined {
  const crossings = rings.flatMap((ring) => crossingsAt(ring, y)).sort((one, other) => one - other);
  let middle: number | undefined;
  let width = -1;
  for (let at = 0; at + 1 < crossings.length; at += 2) {
    const [west = 0, east = 0] = [crossings[at], crossings[at + 1]];
    if (east - west > width) [middle, width] = [(west + east) / 2, east - west];
  }
  return middle;
}

/** Whether a point is inside an outline, by the even-odd rule over all of its rings. On its border it may be either. */
export function isInside(rings: readonly Int32Array[], x: number, y: number): boolean {
  return rings.flatMap((ring) => crossingsAt(ring, y)).filter((crossing) => crossing > x).length % 2 === 1;
}

function crossingsAt(ring: Int32Array, y: number): number[] {
  const crossings: number[] = [];
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = [ring[at], ring[at + 1], ring[at + 2], ring[at + 3]];
    if (ay > y !== by > y) crossings.push(ax + ((bx - ax) * (y - ay)) / (by - ay));
  }
  return crossings;
}
