/**
 * A polygon with holes and parts, as flat arrays of vertices in whole 1e-7 degrees. Rings do not repeat their first vertex:
 * the last vertex is implicitly connected to the first. `seams[i]` is the seam on which the segment from vertex i to the
 * next lies. All rings of a polygon have the interior on the same side, so that crossings along any line alternate in
 * direction.
 */
export interface Rings {
  readonly xs: number[];
  readonly ys: number[];
  readonly seams: number[];
  /** The index of each ring's first vertex; a ring ends where the next one begins, or with the arrays. */
  readonly starts: number[];
}

export type Axis = 'x' | 'y';

export interface Bounds {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export const emptyRings = (): Rings => ({ xs: [], ys: [], seams: [], starts: [] });

/** Adds a vertex to the last ring. */
export function addVertex(rings: Rings, x: number, y: number, seam: number): void {
  rings.xs.push(x);
  rings.ys.push(y);
  rings.seams.push(seam);
}

/** Calls `visit` with the begin and end (exclusive) of each ring's vertices. */
export function forEachRing(rings: Rings, visit: (begin: number, end: number) => void): void {
  rings.starts.forEach((begin, ring) => {
    visit(begin, rings.starts[ring + 1] ?? rings.xs.length);
  });
}

/** The array's element at an index that must be in range; throws otherwise, because that is a bug. */
export function at(values: ArrayLike<number>, index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError(`no element ${index} of ${values.length}`);
  return value;
}

export function boundsOf(rings: Rings): Bounds {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < rings.xs.length; i++) {
    const x = at(rings.xs, i);
    const y = at(rings.ys, i);
    minX = Math.min(minX, x);
    maxX = Math.max(maxX, x);
    minY = Math.min(minY, y);
    maxY = Math.max(maxY, y);
  }
  return { minX, minY, maxX, maxY };
}

/** The x of the rings' crossings with the line at `y`, from west to east; from each even entry to the next is inside. */
export function crossingsAt(rings: Rings, y: number): number[] {
  const crossings: number[] = [];
  forEachRing(rings, (begin, end) => {
    let previous = end - 1;
    for (let i = begin; i < end; previous = i, i++) {
      const ay = at(rings.ys, previous);
      const by = at(rings.ys, i);
      if (ay > y === by > y) continue;
      const ax = at(rings.xs, previous);
      crossings.push(ax + ((at(rings.xs, i) - ax) * (y - ay)) / (by - ay));
    }
  });
  return crossings.sort((a, b) => a - b);
}

/** Whether a point is within an odd number of rings. */
export function containsPoint(rings: Rings, x: number, y: number): boolean {
  let west = 0;
  for (const crossing of crossingsAt(rings, y)) if (crossing < x) west++;
  return west % 2 === 1;
}
