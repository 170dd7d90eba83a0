import type KDBush from 'kdbush';
import { distanceMiles } from '../../core/coordinates.js';
import type { FlatCircle } from './flat-circle.js';
import type { NearestSelection } from './nearest-selection.js';

/** A frame is a subtree still to be visited. Every level leaves one on the stack; a tree of 2³² points has fewer levels. */
const MAX_FRAMES = 64;
/** By frame: first and last position, and the axis that divides them. Shared, since walks never run concurrently. */
const SPANS = new Int32Array(3 * MAX_FRAMES);
/** By frame: the box around its points, in degrees from the centre: west, south, east, north. */
const BOXES = new Float64Array(4 * MAX_FRAMES);

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
  // Points across the antimeridian are measured from the same centre, with its longitude shifted by 360°.
  if (lng + circle.halfWidth > 180) total += walk(lng - 360);
  if (lng - circle.halfWidth < -180) total += walk(lng + 360);
  return total;
}

interface Walk {
  readonly index: KDBush;
  readonly rowOf: (id: number) => number;
  readonly circle: FlatCircle;
  readonly centerLng: number;
  readonly selection: NearestSelection;
}

/**
 * Counts and selects the points around the centre, given one of its longitudes. Skips subtrees outside the circle; subtrees
 * inside it that are too far away for the selection are counted without visiting their points.
 */
function walkTree(walk: Walk): number {
  const { index, circle, centerLng, selection } = walk;
  const { coords, nodeSize } = index;
  const centerLat = circle.center.lat;
  SPANS[0] = 0;
  SPANS[1] = index.numItems - 1;
  SPANS[2] = 0;
  BOXES[0] = -180 - centerLng;
  BOXES[1] = -90 - centerLat;
  BOXES[2] = 180 - centerLng;
  BOXES[3] = 90 - centerLat;
  let total = 0;
  for (let frame = 0; frame >= 0; frame--) {
    const least = leastEstimate(circle, frame);
    if (!(least <= circle.outside)) continue;
    const first = SPANS[3 * frame] ?? 0;
    const last = SPANS[3 * frame + 1] ?? 0;
    if (least > selection.limit && isInside(circle, frame)) {
      total += last - first + 1;
      continue;
    }
    if (last - first <= nodeSize) {
      total += scanPoints(walk, first, last);
      continue;
    }
    const middle = (first + last) >> 1;
    total += scanPoints(walk, middle, middle);
    const axis = SPANS[3 * frame + 2] ?? 0;
    divide(frame, middle, axis, (coords[2 * middle + axis] ?? 0) - (axis === 0 ? centerLng : centerLat));
    frame += 2;
  }
  return total;
}

/**
 * Replaces a frame by its two halves. The half with the centre is put on top, to be visited next: the points found there
 * soon lower the selection's limit for the other half.
 */
function divide(frame: number, middle: number, axis: number, border: number): void {
  const first = SPANS[3 * frame] ?? 0;
  const last = SPANS[3 * frame + 1] ?? 0;
  const lower = border < 0 ? frame : frame + 1;
  const upper = border < 0 ? frame + 1 : frame;
  for (let side = 0; side < 4; side++) BOXES[4 * frame + 4 + side] = BOXES[4 * frame + side] ?? 0;
  SPANS[3 * lower] = first;
  SPANS[3 * lower + 1] = middle - 1;
  SPANS[3 * lower + 2] = 1 - axis;
  BOXES[4 * lower + 2 + axis] = border;
  SPANS[3 * upper] = middle + 1;
  SPANS[3 * upper + 1] = last;
  SPANS[3 * upper + 2] = 1 - axis;
  BOXES[4 * upper + axis] = border;
}

/** A lower bound for the estimates of a frame's points within the circle; infinite if certainly none is within it. */
function leastEstimate(circle: FlatCircle, frame: number): number {
  const west = BOXES[4 * frame] ?? 0;
  const south = BOXES[4 * frame + 1] ?? 0;
  const east = BOXES[4 * frame + 2] ?? 0;
  const north = BOXES[4 * frame + 3] ?? 0;
  const x = west > 0 ? west : east < 0 ? -east : 0;
  const y = south > 0 ? south : north < 0 ? -north : 0;
  if (x > circle.halfWidth || y > circle.halfHeight) return Number.POSITIVE_INFINITY;
  return y * y + circle.leastCosine * x * x;
}

/** Whether a frame's whole box is certainly within the radius. */
function isInside(circle: FlatCircle, frame: number): boolean {
  const x = Math.max(-(BOXES[4 * frame] ?? 0), BOXES[4 * frame + 2] ?? 0);
  const y = Math.max(-(BOXES[4 * frame + 1] ?? 0), BOXES[4 * frame + 3] ?? 0);
  return y * y + circle.greatestCosine * x * x <= circle.inside;
}

/** Counts the points within the radius among a range of positions, and adds those within the selection's limit to it. */
function scanPoints({ index, rowOf, circle, centerLng, selection }: Walk, first: number, last: number): number {
  const { coords, ids } = index;
  const { cosine, slope, inside, outside, center } = circle;
  const centerLat = center.lat;
  let total = 0;
  for (let at = first; at <= last; at++) {
    const x = (coords[2 * at] ?? 0) - centerLng;
    const y = (coords[2 * at + 1] ?? 0) - centerLat;
    const yy = y * y;
    const estimate = yy + (cosine - slope * y) * x * x;
    // Far from the centre in latitude the estimate is meaningless.
    if (!(estimate <= outside && yy <= outside)) continue;
    if (estimate > inside) {
      const point = { lat: coords[2 * at + 1] ?? 0, lng: coords[2 * at] ?? 0 };
      if (distanceMiles(center, point) > circle.radiusMiles) continue;
    }
    total++;
    if (estimate <= selection.limit) selection.add(estimate, rowOf(ids[at] ?? 0));
  }
  return total;
}
