// `as number` in this file: reads of typed arrays at indices that the loop bounds.

/** minX, minY, maxX, maxY. */
export type Box = readonly [minX: number, minY: number, maxX: number, maxY: number];

/** The box around the vertices of a line of interleaved x,y, or around those from `first` to `last`, both included. */
export function boxOf(points: Int32Array, first = 0, last = points.length / 2 - 1): Box {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = first * 2; at <= last * 2; at += 2) {
    const x = points[at] as number;
    const y = points[at + 1] as number;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return [minX, minY, maxX, maxY];
}

/** The box around the vertices of several such lines, such as an outline's rings. */
export const boxOfRings = (rings: readonly Int32Array[]): Box => boxAround(rings.map((ring) => boxOf(ring)));

/** The box around several; around none, one in which nothing lies. */
export function boxAround(boxes: readonly Box[]): Box {
  return boxes.reduce<Box>(
    (a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])],
    [Infinity, Infinity, -Infinity, -Infinity],
  );
}
