import { MIN_POSITIONS, type Ring } from './ring.js';
import type { SharedBorders } from './shared-borders.js';
import { thinLine } from './thin-line.js';

// `as number` in this file: reads of typed arrays at indices that the loops bound.

/**
 * Simplifies a ring: no vertex that is left out is farther than the tolerance (1e-7 degrees) from the remaining ring.
 *
 * The ring is cut at the junctions, and each piece is thinned by itself, in a direction that its ends determine. A piece
 * that two tracts share is therefore thinned alike for both: no gap or overlap opens between them. If neighbours do not have
 * the same vertices, because their outlines come from different products, gaps stay within the tolerance. At least a
 * triangle is kept. A border may end up crossing another that is closer than the tolerance.
 */
export function simplifyRing(ring: Ring, borders: SharedBorders, tolerance: number): Ring {
  const count = ring.length / 2 - 1;
  if (count < MIN_POSITIONS) return ring;
  const kept = new Uint8Array(count);
  const anchors = anchorsOf(ring, count, borders);
  anchors.forEach((from, at) => {
    const next = anchors[at + 1] ?? (anchors[0] ?? 0) + count;
    const pieces = samePlace(ring, from, next % count) ? splitLoop(ring, from, next, count) : [[from, next] as const];
    for (const [start, end] of pieces) keepOfPiece(ring, start, end, tolerance, kept);
  });
  return collect(ring, kept);
}

/** The positions that are always kept, ascending: the junctions, or the least vertex of a ring without junctions. */
function anchorsOf(ring: Ring, count: number, { vertices, junctions }: SharedBorders): number[] {
  const anchors: number[] = [];
  for (let at = 0; at < count; at++) {
    const id = vertices.find(ring[at * 2] as number, ring[at * 2 + 1] as number);
    if (junctions[id] === 1) anchors.push(at);
  }
  if (anchors.length > 0) return anchors;
  let least = 0;
  for (let at = 1; at < count; at++) if (isBefore(ring, at, least)) least = at;
  return [least];
}

/** Cuts a closed piece at the vertex farthest from its start, so that each half is a line with two ends. */
function splitLoop(ring: Ring, from: number, to: number, count: number): (readonly [number, number])[] {
  const squaredDistance = (at: number): number => {
    const x = (ring[(at % count) * 2] as number) - (ring[from * 2] as number);
    const y = (ring[(at % count) * 2 + 1] as number) - (ring[from * 2 + 1] as number);
    return x * x + y * y;
  };
  let farthest = from;
  let most = 0;
  for (let at = from + 1; at < to; at++) {
    const squared = squaredDistance(at);
    if (squared < most || (squared === most && !isBefore(ring, at % count, farthest % count))) continue;
    most = squared;
    farthest = at;
  }
  return farthest === from ? [] : [[from, farthest] as const, [farthest, to] as const];
}

/** Marks the vertices to keep of the piece between two positions; `to` may lie past the ring's end. */
function keepOfPiece(ring: Ring, from: number, to: number, tolerance: number, kept: Uint8Array): void {
  const count = kept.length;
  const length = to - from + 1;
  const backward = isBefore(ring, to % count, from % count);
  const positionOf = (index: number): number => (backward ? to - index : from + index) % count;
  const xs = new Float64Array(length);
  const ys = new Float64Array(length);
  for (let index = 0; index < length; index++) {
    const at = positionOf(index) * 2;
    xs[index] = ring[at] as number;
    ys[index] = ring[at + 1] as number;
  }
  thinLine(xs, ys, tolerance).forEach((keep, index) => {
    if (keep === 1) kept[positionOf(index)] = 1;
  });
}

/** The closed ring of the kept vertices. */
function collect(ring: Ring, kept: Uint8Array): Ring {
  const positions = kept.reduce((sum, keep) => sum + keep, 0) + 1;
  // Only a ring that encloses nothing is thinned to less than a triangle.
  if (positions < MIN_POSITIONS) return ring;
  const thinned = new Int32Array(positions * 2);
  let end = 0;
  kept.forEach((keep, at) => {
    if (keep === 0) return;
    thinned[end++] = ring[at * 2] as number;
    thinned[end++] = ring[at * 2 + 1] as number;
  });
  thinned.copyWithin(end, 0, 2);
  return thinned;
}

function samePlace(ring: Ring, a: number, b: number): boolean {
  return ring[a * 2] === ring[b * 2] && ring[a * 2 + 1] === ring[b * 2 + 1];
}

/** Orders vertices by their coordinates alone: from west to east, then from south to north. */
function isBefore(ring: Ring, a: number, b: number): boolean {
  const ax = ring[a * 2] as number;
  const bx = ring[b * 2] as number;
  return ax < bx || (ax === bx && (ring[a * 2 + 1] as number) < (ring[b * 2 + 1] as number));
}
