import { RADIANS_PER_UNIT } from '../../core/coordinates.js';
import { sum } from '../../core/sum.js';
import { type Point, samplePeople } from './population-sample.js';
import type { Random } from './random.js';
import { type Axis, boundsOf, type Rings } from './rings.js';
import type { Seams } from './seams.js';
import { splitRings } from './split.js';

/** Enough sample points for each half of a cut to have some on either side of the next cut. */
const POINTS_PER_TRACT = 5;

/** Cuts keep this distance from vertices (1e-7 degrees, about 20 m), or this share of the extent if that is less. */
const CLEARANCE = 2000;
const CLEARANCE_SHARE = 1 / 64;

/**
 * Tiles a county with `count` tracts: recursively cuts it across its longer side so that each half gets its share of a
 * sample of where people live. Tracts are small where many people live, and consecutive tracts are mostly neighbors on the
 * map. A tract may have several parts if the county is concave or has islands.
 */
export function tile(outline: Rings, count: number, seams: Seams, random: Random): Rings[] {
  const tracts: Rings[] = [];
  const divide = (rings: Rings, share: number, people: readonly Point[]): void => {
    if (share === 1) {
      tracts.push(rings);
      return;
    }
    const low = share >> 1;
    const axis = longerAxis(rings);
    const along = (point: Point): number => (axis === 'x' ? point.x : point.y);
    const sorted = people.toSorted((a, b) => along(a) - along(b));
    const middle = Math.round((sorted.length * low) / share);
    const wanted = sorted.slice(middle - 1, middle + 1).map(along);
    const where = clearPosition(rings, axis, Math.floor(sum(wanted) / wanted.length));
    const [below, above] = splitRings(rings, { axis, where, seam: seams.add() }, seams);
    divide(below, low, sorted.slice(0, middle));
    divide(above, share - low, sorted.slice(middle));
  };
  divide(outline, count, samplePeople(outline, count, count * POINTS_PER_TRACT, random));
  return tracts;
}

function longerAxis(rings: Rings): Axis {
  const { minX, minY, maxX, maxY } = boundsOf(rings);
  const width = (maxX - minX) * Math.cos(((minY + maxY) / 2) * RADIANS_PER_UNIT);
  return width > maxY - minY ? 'x' : 'y';
}

/** The position nearest to the wanted one that is inside the extent and keeps a distance from all vertices. */
function clearPosition(rings: Rings, axis: Axis, wanted: number): number {
  const { minX, minY, maxX, maxY } = boundsOf(rings);
  const [values, low, high] = axis === 'x' ? [rings.xs, minX, maxX] : [rings.ys, minY, maxY];
  const start = Math.max(low + 1, Math.min(high - 1, wanted));
  for (
    let margin = Math.min(CLEARANCE, Math.floor((high - low) * CLEARANCE_SHARE));
    margin >= 0;
    margin = halve(margin)
  ) {
    const candidates = [moveClear(values, start, margin, 1), moveClear(values, start, margin, -1)]
      .filter((candidate) => candidate > low && candidate < high)
      .sort((a, b) => Math.abs(a - start) - Math.abs(b - start));
    const [nearest] = candidates;
    if (nearest !== undefined) return nearest;
  }
  throw new Error('a county is too small to be cut into its tracts');
}

/** The next smaller margin: after 1 comes 0, the least that a cut needs, and then -1, which ends the search. */
const halve = (margin: number): number => (margin === 0 ? -1 : margin >> 1);

/** Moves the position in one direction until no vertex is within the margin. */
function moveClear(values: readonly number[], start: number, margin: number, direction: 1 | -1): number {
  let position = start;
  let obstacle: number | undefined;
  do {
    obstacle = values.find((value) => Math.abs(value - position) <= margin);
    if (obstacle !== undefined) position = obstacle + direction * (margin + 1);
  } while (obstacle !== undefined);
  return position;
}
