/** A tract's rings: x,y interleaved, closed. */
type Rings = readonly Int32Array[];

/** Points in whole 1e-7 degrees. */
export interface Points {
  readonly xs: Int32Array;
  readonly ys: Int32Array;
}

/**
 * Finds the tract (row) at each of many points, −1 for none, without any index and without the service's code: each
 * outline, in row order, is tested against every point in its bounding box, and a point belongs to the first row that
 * contains it. `ringsOf` gives a row's rings. The tests' `naiveLocate` does the same in its own words, deliberately: neither
 * can share a mistake with the other.
 */
export function scanPlainly(points: Points, rowCount: number, ringsOf: (row: number) => Rings): Int32Array {
  const answers = new Int32Array(points.xs.length).fill(-1);
  // Sorted by x, the points outside a box's x range are a prefix and a suffix.
  const order = Uint32Array.from(points.xs, (_, index) => index).sort(
    (a, b) => (points.xs[a] ?? 0) - (points.xs[b] ?? 0),
  );
  const sortedXs = Int32Array.from(order, (index) => points.xs[index] ?? 0);
  for (let row = 0; row < rowCount; row++) {
    const rings = ringsOf(row);
    if (rings.length === 0) continue;
    const { minX, minY, maxX, maxY } = boxAround(rings);
    for (let at = firstNotLess(sortedXs, minX); at < order.length && (sortedXs[at] ?? 0) <= maxX; at++) {
      const point = order[at] ?? 0;
      const y = points.ys[point] ?? 0;
      if (y < minY || y > maxY || answers[point] !== -1) continue;
      if (holds(rings, sortedXs[at] ?? 0, y)) answers[point] = row;
    }
  }
  return answers;
}

/** Whether a point lies inside (even-odd rule) or on an edge, in exact arithmetic. */
function holds(rings: Rings, x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const ay = ring[at + 1] ?? 0;
      const by = ring[at + 3] ?? 0;
      if ((ay > y && by > y) || (ay < y && by < y)) continue;
      const ax = ring[at] ?? 0;
      const bx = ring[at + 2] ?? 0;
      const cross = BigInt(bx - ax) * BigInt(y - ay) - BigInt(by - ay) * BigInt(x - ax);
      if (cross === 0n && x >= Math.min(ax, bx) && x <= Math.max(ax, bx)) return true;
      // A ray to the east crosses an upward edge if the point is on its left, a downward one if the point is on its right.
      if (ay > y !== by > y && cross > 0n === by > ay) inside = !inside;
    }
  }
  return inside;
}

function boxAround(rings: Rings): { minX: number; minY: number; maxX: number; maxY: number } {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const ring of rings) {
    for (let at = 0; at < ring.length; at += 2) {
      const x = ring[at] ?? 0;
      const y = ring[at + 1] ?? 0;
      box.minX = Math.min(box.minX, x);
      box.maxX = Math.max(box.maxX, x);
      box.minY = Math.min(box.minY, y);
      box.maxY = Math.max(box.maxY, y);
    }
  }
  return box;
}

function firstNotLess(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
