import { obtain } from '../../core/obtain.js';
import { signedArea } from '../../core/signed-area.js';
import { type Box, boxOf } from '../../format/box.js';
import { MIN_POSITIONS, type Ring, sideOf } from './ring.js';

/** A polygon of a tract: the positions of its rings in the tract's list of rings. */
export interface PolygonRings {
  readonly outer: number;
  readonly holes: readonly number[];
}

interface Candidate {
  readonly index: number;
  readonly ring: Ring;
  readonly box: Box;
  readonly area: number;
}

/**
 * Groups a tract's rings into polygons by which ring encloses which, not by their winding, which not every product keeps to:
 * a ring within an odd number of others is a hole of the smallest of them, any other is an outer ring. Polygons are in the
 * order of their outer rings, holes in the order of the rings; rings with fewer vertices than a triangle are left out.
 */
export function groupRings(rings: readonly Ring[]): PolygonRings[] {
  const candidates = rings
    .map((ring, index): Candidate => ({ index, ring, box: boxOf(ring), area: Math.abs(signedArea(ring)) }))
    .filter(({ ring }) => ring.length >= MIN_POSITIONS * 2);
  const holes = new Map<number, number[]>();
  for (const candidate of candidates) {
    const parent = parentOf(candidate, candidates);
    if (parent !== undefined) obtain(holes, parent, () => []).push(candidate.index);
  }
  const isHole = new Set([...holes.values()].flat());
  return candidates
    .filter(({ index }) => !isHole.has(index))
    .map(({ index }) => ({ outer: index, holes: holes.get(index) ?? [] }));
}

/** The outer ring that a ring is a hole of; undefined if the ring is an outer one itself. */
function parentOf(inner: Candidate, candidates: readonly Candidate[]): number | undefined {
  if (candidates.length === 1) return undefined;
  const around = candidates.filter((outer) => outer !== inner && outer.area > inner.area && encloses(outer, inner));
  if (around.length % 2 === 0) return undefined;
  return around.reduce((smallest, outer) => (outer.area < smallest.area ? outer : smallest)).index;
}

/** Whether a ring encloses another. Rings may touch but do not cross, so any vertex off the outer ring's border decides. */
function encloses(outer: Candidate, inner: Candidate): boolean {
  const [minX, minY, maxX, maxY] = outer.box;
  const [innerMinX, innerMinY, innerMaxX, innerMaxY] = inner.box;
  if (innerMinX < minX || innerMinY < minY || innerMaxX > maxX || innerMaxY > maxY) return false;
  for (let at = 0; at < inner.ring.length; at += 2) {
    const side = sideOf(outer.ring, inner.ring[at] ?? 0, inner.ring[at + 1] ?? 0);
    if (side !== 0) return side > 0;
  }
  return true;
}
