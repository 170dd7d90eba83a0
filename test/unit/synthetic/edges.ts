import type { Outline } from '../../../src/load/intake/tract-rows.js';
import { at } from '../../../src/load/synthetic/rings.js';

/** A directed edge: from x, y to x, y. */
export type DirectedEdge = readonly [ax: number, ay: number, bx: number, by: number];

export function* edgesOfOutline({ rings }: Pick<Outline, 'rings'>): Generator<DirectedEdge> {
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) yield [at(ring, i), at(ring, i + 1), at(ring, i + 2), at(ring, i + 3)];
  }
}

/**
 * The edges whose reverse is no edge: the outer border of what the polygons cover together. Throws on an edge that occurs
 * twice in one direction, which only an overlap makes.
 */
export function unmatchedEdges(edges: Iterable<DirectedEdge>): DirectedEdge[] {
  const byKey = new Map<string, DirectedEdge>();
  for (const edge of edges) {
    const key = edge.join();
    if (byKey.has(key)) throw new Error(`two polygons on the same side of ${key}`);
    byKey.set(key, edge);
  }
  return [...byKey.values()].filter(([ax, ay, bx, by]) => !byKey.has([bx, by, ax, ay].join()));
}

/** Twice the signed area, exactly. */
export function twiceArea(edges: Iterable<DirectedEdge>): bigint {
  let sum = 0n;
  for (const [ax, ay, bx, by] of edges) sum += BigInt(ax) * BigInt(by) - BigInt(bx) * BigInt(ay);
  return sum;
}

/**
 * Takes, from a set of short edges, those that run along a long one from its start to its end, never more than a unit
 * beside it. Throws where the chain breaks.
 */
export function takeChain(edges: Map<string, DirectedEdge[]>, [ax, ay, bx, by]: DirectedEdge): void {
  const length = Math.hypot(bx - ax, by - ay);
  const isBeside = ([, , x, y]: DirectedEdge): boolean =>
    Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) <= length && (bx - ax) * (x - bx) + (by - ay) * (y - by) <= 0;
  let [x, y] = [ax, ay];
  while (x !== bx || y !== by) {
    const leaving = edges.get(`${x},${y}`) ?? [];
    const index = leaving.findIndex(isBeside);
    const [next] = index < 0 ? [] : leaving.splice(index, 1);
    if (!next) throw new Error(`the border ends at ${x},${y}`);
    [, , x, y] = next;
  }
}
