import type { LatLngBox } from '../../core/coordinates.js';
import { ascendingPlaces } from '../../core/radix-order.js';
import type { PointTree } from '../../format/point-index.js';
import type { IndexedPoints } from './points-within.js';

/**
 * The first rows in a box, in the order in which they were found: mostly that of the KD-tree, which stores neighbours on
 * the map side by side.
 */
export interface RowsInBox {
  readonly rows: Uint32Array;
  /** Each row's position among these rows in ascending order, from 0. */
  readonly places: Uint32Array;
  /** The positions of the rows' records, if the tree determines them. */
  readonly records: Uint32Array | undefined;
  /** Whether the box contains more rows than these. */
  readonly truncated: boolean;
}

/**
 * If the box contains more than this many times the limit, scanning all rows in order, which ends as soon as the limit is
 * reached, is faster than gathering and sorting them.
 */
const GATHERED_PER_WANTED = 8;
const LEAST_GATHERED = 1024;

/** Room for rows, and for their positions in the tree. */
interface Gathered {
  readonly rows: Uint32Array;
  readonly positions: Uint32Array;
}

/** Shared by all searches: they are synchronous, so only one runs at a time. */
let scratch = gatheredOf(LEAST_GATHERED);

function gatheredOf(room: number): Gathered {
  return { rows: new Uint32Array(room), positions: new Uint32Array(room) };
}

/**
 * The first `limit` rows, by number, of those in a box, including its borders. The trees' `rows` must ascend. O(√n + k) for
 * k points within, and O(n · limit / k) for full boxes.
 */
export function firstRowsInBox(points: IndexedPoints, box: LatLngBox, limit: number): RowsInBox {
  const room = Math.max(LEAST_GATHERED, GATHERED_PER_WANTED * limit);
  if (scratch.rows.length < room) scratch = gatheredOf(room);
  let count = 0;
  for (const tree of points.trees) {
    for (const part of partsOf(box)) {
      count = gather(tree, part, scratch, room, count);
      if (count > room) return scanRows(points, box, limit);
    }
  }
  const { rows, places, positions } = keepFirst(scratch, count, limit, points.lats.length);
  const ordersRecords = points.trees.length === 1 && points.trees[0]?.ordersRecords;
  return { rows, places, records: ordersRecords ? positions : undefined, truncated: count > limit };
}

/** Keeps the `limit` least of the gathered rows, all of which are below `bound`. */
function keepFirst(
  gathered: Gathered,
  count: number,
  limit: number,
  bound: number,
): Gathered & Pick<RowsInBox, 'places'> {
  const rows = gathered.rows.slice(0, count);
  const positions = gathered.positions.slice(0, count);
  const places = ascendingPlaces(rows, bound);
  if (count <= limit) return { rows, places, positions };
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const place = places[at] ?? 0;
    if (place >= limit) continue;
    rows[kept] = rows[at] ?? 0;
    positions[kept] = positions[at] ?? 0;
    places[kept++] = place;
  }
  return { rows: rows.subarray(0, kept), places: places.subarray(0, kept), positions: positions.subarray(0, kept) };
}

/** Splits a box that crosses the antimeridian into two. */
function partsOf(box: LatLngBox): readonly LatLngBox[] {
  if (box.west <= box.east) return [box];
  return [
    { ...box, east: 180 },
    { ...box, west: -180 },
  ];
}

/**
 * The ranges of positions still to be visited, as a stack: first and last, and the axis that divides them. (How a KD-tree
 * lies in its array is drawn in scan-circle.ts.) A tree of 2³² points has fewer levels than there is room for.
 */
const MAX_DEPTH = 64;
const FIRST = new Int32Array(MAX_DEPTH);
const LAST = new Int32Array(MAX_DEPTH);
const AXIS = new Uint8Array(MAX_DEPTH);

const LNG = 0;

/** Puts a range on the stack, and returns the new depth. */
function push(depth: number, first: number, last: number, axis: number): number {
  FIRST[depth] = first;
  LAST[depth] = last;
  AXIS[depth] = axis;
  return depth + 1;
}

// `as number` in this function: reads at positions that the tree's size bounds, where a check would cost a tenth.

/**
 * Appends a tree's rows in the box to those found before, as far as there is room. Returns the new count, which exceeds
 * `room` if the room did not suffice.
 */
function gather(
  tree: PointTree,
  { west, south, east, north }: LatLngBox,
  found: Gathered,
  room: number,
  foundBefore: number,
): number {
  const { index, rows } = tree;
  const { coords, ids, nodeSize } = index;
  let count = foundBefore;
  let depth = push(0, 0, index.numItems - 1, LNG);
  while (depth > 0 && count <= room) {
    const first = FIRST[--depth] as number;
    const last = LAST[depth] as number;
    const axis = AXIS[depth] as number;
    const isLeaf = last - first <= nodeSize;
    const middle = (first + last) >> 1;
    // Of a leaf, all points are looked at here; of any other range, the one that divides it.
    const end = isLeaf ? last : middle;
    for (let at = isLeaf ? first : middle; at <= end; at++) {
      const lng = coords[2 * at] as number;
      const lat = coords[2 * at + 1] as number;
      if (lng < west || lng > east || lat < south || lat > north) continue;
      const id = ids[at] as number;
      if (count < room) {
        found.rows[count] = rows ? (rows[id] as number) : id;
        found.positions[count] = at;
      }
      count++;
    }
    if (isLeaf) continue;
    const border = coords[2 * middle + axis] as number;
    // The lower half is pushed last and so visited first: positions mostly ascend, and the processor prefetches the records.
    if ((axis === LNG ? east : north) >= border) depth = push(depth, middle + 1, last, 1 - axis);
    if ((axis === LNG ? west : south) <= border) depth = push(depth, first, middle - 1, 1 - axis);
  }
  return count;
}

/** Like {@link firstRowsInBox}, but scans row by row until the limit is exceeded. */
function scanRows({ lats, lngs, trees }: IndexedPoints, box: LatLngBox, limit: number): RowsInBox {
  const found = new Uint32Array(limit + 1);
  const only = rowsOf(trees);
  const count = only?.length ?? lats.length;
  const holds = containment(box);
  let next = 0;
  for (let at = 0; at < count && next <= limit; at++) {
    const row = only ? (only[at] ?? 0) : at;
    if (holds(lats[row] ?? Number.NaN, lngs[row] ?? Number.NaN)) found[next++] = row;
  }
  const rows = found.slice(0, Math.min(next, limit));
  return { rows, places: Uint32Array.from(rows.keys()), records: undefined, truncated: next > limit };
}

/** The rows of all trees, ascending; undefined if these are all that there are. */
function rowsOf(trees: readonly PointTree[]): Uint32Array | undefined {
  if (trees.length === 1) return trees[0]?.rows;
  if (trees.some(({ rows }) => rows === undefined)) return undefined;
  return Uint32Array.from(trees.flatMap(({ rows = [] }) => [...rows])).sort();
}

function containment({ west, south, east, north }: LatLngBox): (lat: number, lng: number) => boolean {
  const inLatitude = (lat: number): boolean => lat >= south && lat <= north;
  if (west <= east) return (lat, lng) => inLatitude(lat) && lng >= west && lng <= east;
  return (lat, lng) => inLatitude(lat) && (lng >= west || lng <= east);
}
