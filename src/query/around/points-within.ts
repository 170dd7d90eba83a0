import { around } from 'geokdbush';
import { KM_PER_STATUTE_MILE, type LatLng, milesFrom } from '../../core/coordinates.js';
import type { PointTree } from '../../format/point-index.js';
import { toHundredths } from '../hundredths.js';
import { type FlatCircle, flattenCircle } from './flat-circle.js';
import { createNearestSelection } from './nearest-selection.js';
import { scanCircle } from './scan-circle.js';
import { type Neighbour, sortNeighbours } from './sort-neighbours.js';

/** geokdbush searches a slightly larger radius, so that its rounding loses no point at the rim. */
const RADIUS_SLACK = 1 + 1e-9;
const RADIUS_SLACK_KM = 1e-6;

/** Points by row, and KD-trees that together contain each point searched for once. */
export interface IndexedPoints {
  /** Degrees. */
  readonly lats: Float64Array;
  readonly lngs: Float64Array;
  readonly trees: readonly PointTree[];
}

/** A page of the points within a radius. */
export interface WithinQuery {
  readonly center: LatLng;
  readonly radiusMiles: number;
  readonly limit: number;
  readonly offset: number;
}

/** The number of points within a radius, and a page of them. */
export interface PointsWithin {
  readonly total: number;
  /** Nearest first, by distance in hundredths of a mile; ties by row. */
  readonly page: readonly Neighbour[];
}

/**
 * The points whose distance by {@link milesFrom} is at most the radius, nearest first, ties by row. The result is exact, but
 * few exact distances are computed: those of points on the page and before it, and of points about as far away as the radius
 * or the last one. geokdbush takes 2.5 to 11 times as long with a total, and no less for the page alone (`npm run bench --
 * micro`).
 */
export function pointsWithin(points: IndexedPoints, query: WithinQuery): PointsWithin {
  const circle = flattenCircle(query.center, query.radiusMiles);
  return circle ? pointsOnPlane(points, query, circle) : pointsOnSphere(points, query);
}

/** Estimates decide which points may be on the page or before it; exact distances put these few in order. */
function pointsOnPlane(
  points: IndexedPoints,
  { center, limit, offset }: WithinQuery,
  circle: FlatCircle,
): PointsWithin {
  const wanted = Math.max(1, Math.min(offset + limit, points.lats.length));
  const selection = createNearestSelection(wanted, circle.outside, circle.widen);
  let total = 0;
  for (const tree of points.trees) total += scanCircle(tree.index, rowsOf(tree), circle, selection);
  if (offset >= total) return { total, page: [] };
  const nearest: Neighbour[] = [];
  const measure = measureFrom(points, center);
  // Not `Array.from`, which makes a whole search for a city take a tenth longer.
  for (const row of selection.finish()) nearest.push(measure(row));
  return { total, page: sortNeighbours(nearest).slice(offset, offset + limit) };
}

/** For circles near the poles, where no tract is, or of continental size. O(k log k) for k points within. */
function pointsOnSphere(points: IndexedPoints, query: WithinQuery): PointsWithin {
  const { center, radiusMiles, limit, offset } = query;
  const radiusKm = radiusMiles * KM_PER_STATUTE_MILE * RADIUS_SLACK + RADIUS_SLACK_KM;
  const found = points.trees
    .flatMap((tree) => {
      const ids = around(tree.index, center.lng, center.lat, Number.POSITIVE_INFINITY, radiusKm);
      return ids.map(rowsOf(tree));
    })
    .map(measureFrom(points, center))
    .filter((neighbour) => neighbour.distanceMiles <= radiusMiles);
  sortNeighbours(found);
  return { total: found.length, page: found.slice(offset, offset + limit) };
}

function rowsOf({ rows }: PointTree): (id: number) => number {
  return rows ? (id) => rows[id] ?? 0 : (id) => id;
}

function measureFrom({ lats, lngs }: IndexedPoints, center: LatLng): (row: number) => Neighbour {
  const milesTo = milesFrom(center);
  return (row) => {
    const miles = milesTo(lats[row] ?? Number.NaN, lngs[row] ?? Number.NaN);
    return { row, distanceMiles: miles, hundredths: toHundredths(miles) };
  };
}
