// `as number` in this file: reads of typed arrays at indices that the loops bound.

/**
 * Marks which vertices of an open line to keep (Douglas and Peucker 1973): its ends, the vertex farthest from the chord
 * between them, and then, recursively, the farthest vertex that is beyond the tolerance from its chord. So every vertex left
 * out is within the tolerance of the kept line, and a line that bends keeps a bend however small: rings do not collapse.
 *
 * Which of two equally distant vertices is kept depends on the direction: always pass a shared border in the same one.
 */
export function thinLine(xs: Float64Array, ys: Float64Array, tolerance: number): Uint8Array {
  const end = xs.length - 1;
  const kept = new Uint8Array(xs.length);
  kept[0] = 1;
  kept[end] = 1;
  const spans = [0, end];
  let limit = 0;
  while (spans.length > 0) {
    const last = spans.pop() as number;
    const first = spans.pop() as number;
    const middle = farthestFromChord(xs, ys, first, last, limit);
    limit = tolerance * tolerance;
    if (middle < 0) continue;
    kept[middle] = 1;
    spans.push(first, middle, middle, last);
  }
  return kept;
}

/** The vertex between `first` and `last` that is farthest from the segment between these; −1 if none exceeds the limit. */
function farthestFromChord(
  xs: Float64Array,
  ys: Float64Array,
  first: number,
  last: number,
  squaredLimit: number,
): number {
  const ax = xs[first] as number;
  const ay = ys[first] as number;
  const dx = (xs[last] as number) - ax;
  const dy = (ys[last] as number) - ay;
  const squaredLength = dx * dx + dy * dy;
  let farthest = -1;
  let most = squaredLimit;
  for (let at = first + 1; at < last; at++) {
    const x = (xs[at] as number) - ax;
    const y = (ys[at] as number) - ay;
    const share = squaredLength === 0 ? 0 : Math.max(0, Math.min(1, (x * dx + y * dy) / squaredLength));
    const offX = x - share * dx;
    const offY = y - share * dy;
    const squared = offX * offX + offY * offY;
    if (squared <= most) continue;
    most = squared;
    farthest = at;
  }
  return farthest;
}
