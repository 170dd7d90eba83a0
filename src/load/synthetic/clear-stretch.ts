import { type Axis, at } from './rings.js';

/** A stretch along a parallel (axis x) or meridian (axis y), in 1e-7 degrees. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The part of an edge that is within the band around a line, as a stretch along the line. */
interface Obstacle extends Stretch {
  /** Whether the edge crosses the line itself, and so divides inside from outside. */
  readonly crosses: boolean;
}

/**
 * The longest stretch of the line at `where` such that the band of `margin` on either side of it is entirely inside the
 * rings; undefined if there is none. O(vertices).
 */
export function clearStretch(
  rings: readonly Int32Array[],
  axis: Axis,
  where: number,
  margin: number,
): Stretch | undefined {
  const obstacles = rings.flatMap((ring) => obstaclesOf(ring, axis, where, margin)).sort((a, b) => a.from - b.from);
  let best: Stretch | undefined;
  let inside = false;
  let end = Infinity;
  for (const { from, to, crosses } of obstacles) {
    if (inside && from > end && from - end > (best ? best.to - best.from : 0)) best = { from: end, to: from };
    if (crosses) inside = !inside;
    end = end === Infinity ? to : Math.max(end, to);
  }
  return best;
}

function obstaclesOf(ring: Int32Array, axis: Axis, where: number, margin: number): Obstacle[] {
  const [along, across] = axis === 'x' ? [0, 1] : [1, 0];
  const obstacles: Obstacle[] = [];
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [a, b] = [at(ring, i + across) - where, at(ring, i + 2 + across) - where];
    if (Math.min(a, b) > margin || Math.max(a, b) < -margin) continue;
    const [from, to] = [at(ring, i + along), at(ring, i + 2 + along)];
    const pointAt = (height: number): number => (a === b ? to : from + ((to - from) * (height - a)) / (b - a));
    const lowest = Math.max(-margin, Math.min(a, b));
    const highest = Math.min(margin, Math.max(a, b));
    const within = a === b ? [from, to] : [pointAt(lowest), pointAt(highest)];
    obstacles.push({ from: Math.min(...within), to: Math.max(...within), crosses: a > 0 !== b > 0 });
  }
  return obstacles;
}
