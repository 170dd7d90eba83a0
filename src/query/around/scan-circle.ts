import type KDBush from 'kdbush';
import { distanceMiles } from '../../core/coordinates.js';
import { estimateAt, type FlatCircle } from './flat-circle.js';
import type { NearestSelection } from './nearest-selection.js';

/*
 * KDBush keeps a tree in one array of points. The point in the middle of a range of positions divides it, by longitude or,
 * on every other level, by latitude; ranges of few points are leaves, which are in no order:
 *
 *     first … middle − 1        middle          middle + 1 … last
 *     the lower half            one point       the upper half
 *     (no coordinate greater)                   (none less)
 *
 * The walk keeps the ranges still to be visited on a stack, each with the box that the divisions above it leave for its
 * points, in degrees from the center. A frame is the place of one range on the stack. A division puts two ranges in the
 * place of one, so there is at most one frame for each level, and one more; a tree of 2³² points has half as many levels as
 * there are frames. The stack is shared, since walks never run concurrently.
 */
const MAX_FRAMES = 64;
const FIRST = new Int32Array(MAX_FRAMES);
const LAST = new Int32Array(MAX_FRAMES);
/** The axis that divides the range. */
const AXIS = new Uint8Array(MAX_FRAMES);
const WEST = new Float64Array(MAX_FRAMES);
const SOUTH = new Float64Array(MAX_FRAMES);
const EAST = new Float64Array(MAX_FRAMES);
const NORTH = new Float64Array(MAX_FRAMES);

const LNG = 0;

/** Counts a tree's points within a circle, and adds those within the selection's limit to the selection. */
export function scanCircle(
  index: KDBush,
  rowOf: (id: number) => number,
  circle: FlatCircle,
  selection: NearestSelection,
): number {
  const { lng } = circle.center;
  const walk = (centerLng: number): number => walkTree({ index, rowOf, circle, centerLng, selection });
  let total = walk(lng);
  // Points across the antimeridian are measured from the same center, with its longitude shifted by 360°. No point is found
  // from two of them: a circle that can be drawn on the plane is less than 15° wide.
  if (lng + circle.halfWidthDegrees > 180) total += walk(lng - 360);
  if (lng - circle.halfWidthDegrees < -180) total += walk(lng + 360);
  return total;
}

interface Walk {
  readonly index: KDBush;
  readonly rowOf: (id: number) => number;
  readonly circle: FlatCircle;
  readonly centerLng: number;
  readonly selection: NearestSelection;
}

/** Counts and selects the points around the center, given one of its longitudes. */
function walkTree(walk: Walk): number {
  const { index, circle, selection } = walk;
  let total = 0;
  placeRoot(walk);
  let depth = 1;
  while (depth > 0) {
    const frame = --depth;
    const first = FIRST[frame] ?? 0;
    const last = LAST[frame] ?? 0;
    const least = leastEstimate(circle, frame);
    // No point of the box is within the circle.
    if (least > circle.outside) continue;
    // All are, and none is among the nearest: they need not be visited to be counted.
    if (least > selection.limit && isInside(circle, frame)) {
      total += last - first + 1;
      continue;
    }
    if (last - first <= index.nodeSize) {
      total += scanPoints(walk, first, last);
      continue;
    }
    const middle = (first + last) >> 1;
    total += scanPoints(walk, middle, middle);
    divide(walk, frame, middle);
    depth += 2;
  }
  return total;
}

/** Makes the whole tree the only frame. */
function placeRoot({ index, circle, centerLng }: Walk): void {
  const centerLat = circle.center.lat;
  FIRST[0] = 0;
  LAST[0] = index.numItems - 1;
  AXIS[0] = LNG;
  WEST[0] = -180 - centerLng;
  SOUTH[0] = -90 - centerLat;
  EAST[0] = 180 - centerLng;
  NORTH[0] = 90 - centerLat;
}

/**
 * Replaces a frame by its two halves. The half with the center is put on top, to be visited next: the points found there
 * soon lower the selection's limit for the other half.
 */
function divide({ index, circle, centerLng }: Walk, frame: number, middle: number): void {
  const axis = AXIS[frame] ?? LNG;
  const border = (index.coords[2 * middle + axis] ?? 0) - (axis === LNG ? centerLng : circle.center.lat);
  const lower = border < 0 ? frame : frame + 1;
  const upper = border < 0 ? frame + 1 : frame;
  const first = FIRST[frame] ?? 0;
  const last = LAST[frame] ?? 0;
  FIRST[lower] = first;
  LAST[lower] = middle - 1;
  FIRST[upper] = middle + 1;
  LAST[upper] = last;
  AXIS[lower] = 1 - axis;
  AXIS[upper] = 1 - axis;
  // Each half has its whole's box but for the side at the border.
  WEST[frame + 1] = WEST[frame] ?? 0;
  SOUTH[frame + 1] = SOUTH[frame] ?? 0;
  EAST[frame + 1] = EAST[frame] ?? 0;
  NORTH[frame + 1] = NORTH[frame] ?? 0;
  (axis === LNG ? EAST : NORTH)[lower] = border;
  (axis === LNG ? WEST : SOUTH)[upper] = border;
}

/** A lower bound for the estimates of a frame's points within the circle; infinite if certainly none is within it. */
function leastEstimate({ halfWidthDegrees, halfHeightDegrees, leastWeight }: FlatCircle, frame: number): number {
  const x = gapTo(WEST[frame] ?? 0, EAST[frame] ?? 0);
  const y = gapTo(SOUTH[frame] ?? 0, NORTH[frame] ?? 0);
  if (x > halfWidthDegrees || y > halfHeightDegrees) return Number.POSITIVE_INFINITY;
  return y * y + leastWeight * x * x;
}

/** How far a range of degrees from the center is away from it; 0 if the center is in the range. */
function gapTo(from: number, to: number): number {
  return from > 0 ? from : to < 0 ? -to : 0;
}

/** Whether a frame's whole box is certainly within the radius. */
function isInside({ greatestWeight, inside }: FlatCircle, frame: number): boolean {
  const x = Math.max(-(WEST[frame] ?? 0), EAST[frame] ?? 0);
  const y = Math.max(-(SOUTH[frame] ?? 0), NORTH[frame] ?? 0);
  return y * y + greatestWeight * x * x <= inside;
}

/** Counts the points within the radius among a range of positions, and adds those within the selection's limit to it. */
function scanPoints({ index, rowOf, circle, centerLng, selection }: Walk, first: number, last: number): number {
  const { coords, ids } = index;
  const { center, inside, outside, weight, weightDrop } = circle;
  const centerLat = center.lat;
  let total = 0;
  for (let at = first; at <= last; at++) {
    const lng = coords[2 * at] ?? 0;
    const lat = coords[2 * at + 1] ?? 0;
    const estimate = estimateAt(weight, weightDrop, lng - centerLng, lat - centerLat);
    // Not `estimate > outside`: the estimate of a point without a place is no number.
    if (!(estimate <= outside)) continue;
    if (estimate > inside && distanceMiles(center, { lat, lng }) > circle.radiusMiles) continue;
    total++;
    if (estimate <= selection.limit) selection.add(estimate, rowOf(ids[at] ?? 0));
  }
  return total;
}
