import { type Axis, addVertex, at, emptyRings, forEachRing, type Rings } from './rings.js';
import type { Seams } from './seams.js';

/** The line x = `where` or y = `where`, in whole 1e-7 degrees. */
export interface Cut {
  readonly axis: Axis;
  readonly where: number;
  /** The seam of the new segments along the cut. */
  readonly seam: number;
}

/** The parts on the two sides of a cut: below it (west or south) and above it (east or north). */
export type Halves = readonly [low: Rings, high: Rings];

/** A crossing of the outline with the cut. */
interface Crossing {
  /** The vertex at which the crossing segment starts. */
  readonly from: number;
  /** The range of its ring's vertices; `end` is exclusive. */
  readonly begin: number;
  readonly end: number;
  /** The side that the segment comes from: 0 below, 1 above. */
  readonly leaving: number;
  readonly x: number;
  readonly y: number;
  /** The unrounded coordinate along the cut. */
  readonly position: number;
  /** The index of the next crossing along the same ring. */
  next: number;
}

/**
 * Cuts a polygon, concave or in several parts as it may be, along a line on which none of its vertices lies. The vertices
 * where the outline crosses the line are recorded in their seams. Both halves keep the orientation. Throws if the outline
 * crosses itself. O(vertices + crossings log crossings).
 */
export function splitRings(rings: Rings, cut: Cut, seams: Seams): Halves {
  const halves: Halves = [emptyRings(), emptyRings()];
  const along = cut.axis === 'x' ? rings.xs : rings.ys;
  const crossings: Crossing[] = [];
  forEachRing(rings, (begin, end) => {
    const before = crossings.length;
    addCrossings(rings, begin, end, cut, seams, crossings);
    if (crossings.length === before) copyRing(rings, begin, end, halves[at(along, begin) < cut.where ? 0 : 1]);
  });
  stitch(rings, cut, crossings, halves);
  for (const { from, x, y } of crossings) seams.insert(at(rings.seams, from), x, y);
  return halves;
}

function addCrossings(rings: Rings, begin: number, end: number, cut: Cut, seams: Seams, into: Crossing[]): void {
  const along = cut.axis === 'x' ? rings.xs : rings.ys;
  const first = into.length;
  let below = at(along, begin) < cut.where;
  for (let from = begin; from < end; from++) {
    const wasBelow = below;
    below = at(along, from + 1 < end ? from + 1 : begin) < cut.where;
    if (wasBelow === below) continue;
    const position = positionAlong(rings, from, cut, seams);
    const rounded = Math.round(position);
    const [x, y] = cut.axis === 'x' ? [cut.where, rounded] : [rounded, cut.where];
    into.push({ from, begin, end, leaving: wasBelow ? 0 : 1, x, y, position, next: into.length + 1 });
  }
  const last = into[into.length - 1];
  if (last && into.length > first) last.next = first;
}

/**
 * Where a segment crosses the cut. On a border it is computed from the ends of the entire edge, not of the remaining part,
 * so that all polygons that share the edge agree.
 */
function positionAlong(rings: Rings, from: number, cut: Cut, seams: Seams): number {
  const edge = seams.edgeOf(at(rings.seams, from));
  if (!edge) return at(cut.axis === 'x' ? rings.ys : rings.xs, from);
  const { ax, ay, bx, by } = edge;
  return cut.axis === 'x'
    ? ay + ((by - ay) * (cut.where - ax)) / (bx - ax)
    : ax + ((bx - ax) * (cut.where - ay)) / (by - ay);
}

function copyRing(rings: Rings, begin: number, end: number, into: Rings): void {
  into.starts.push(into.xs.length);
  for (let i = begin; i < end; i++) addVertex(into, at(rings.xs, i), at(rings.ys, i), at(rings.seams, i));
}

/** For each crossing, the index of the one at the other end of the same piece of the cut inside the polygon. */
function matesAlongCut(crossings: readonly Crossing[]): Map<Crossing, number> {
  const order = crossings.map((crossing, index) => ({ crossing, index }));
  order.sort((a, b) => a.crossing.position - b.crossing.position);
  const mates = new Map<Crossing, number>();
  for (let i = 0; i < order.length; i += 2) {
    const [a, b] = [order[i], order[i + 1]];
    if (!a || !b || a.crossing.leaving === b.crossing.leaving) throw new Error('an outline crosses itself');
    mates.set(a.crossing, b.index);
    mates.set(b.crossing, a.index);
  }
  return mates;
}

/** Builds the rings that touch the cut: along the outline to the next crossing, along the cut to its mate, and so on. */
function stitch(rings: Rings, cut: Cut, crossings: readonly Crossing[], halves: Halves): void {
  const mates = matesAlongCut(crossings);
  const done = new Set<Crossing>();
  for (const start of crossings) {
    if (done.has(start)) continue;
    const into = halves[start.leaving === 0 ? 1 : 0];
    into.starts.push(into.xs.length);
    let crossing: Crossing | undefined = start;
    while (crossing && !done.has(crossing)) {
      done.add(crossing);
      const end: Crossing | undefined = crossings[crossing.next];
      if (!end) throw new RangeError('a crossing without a next one');
      addVertex(into, crossing.x, crossing.y, at(rings.seams, crossing.from));
      copyChain(rings, crossing, end, into);
      addVertex(into, end.x, end.y, cut.seam);
      crossing = crossings[mates.get(end) ?? -1];
    }
  }
}

/** Copies the vertices between two crossings of a ring, wrapping around at its end. */
function copyChain(rings: Rings, { from, begin, end }: Crossing, to: Crossing, into: Rings): void {
  let i = from;
  do {
    i = i + 1 < end ? i + 1 : begin;
    addVertex(into, at(rings.xs, i), at(rings.ys, i), at(rings.seams, i));
  } while (i !== to.from);
}
