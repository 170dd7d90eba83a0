import type { LatLng } from '../coordinates.js';

/** A side of a street, seen along the direction of its line. */
export type Side = 'left' | 'right';

/** Lines are stored as integers in units of 1e-6 degrees, the precision of TIGER/Line. */
export const MICRO_PER_DEGREE = 1e6;

/** Metres per millionth of a degree of latitude. */
const METRES_PER_MICRO = 0.111195;

/**
 * The point at a share (0 to 1) of a line's length, offset to one side by some metres. The line is x,y interleaved in
 * 1e-6 degrees, to which the point is rounded. Within a street the Earth is assumed to be flat. O(vertices).
 */
export function pointBeside(line: Int32Array, share: number, side: Side, offsetMetres: number): LatLng {
  const x0 = line[0] ?? 0;
  const y0 = line[1] ?? 0;
  const shrink = Math.cos((y0 / MICRO_PER_DEGREE) * (Math.PI / 180));
  let rest = share * lengthOf(line, shrink);
  for (let at = 2; at + 1 < line.length; at += 2) {
    const ax = line[at - 2] ?? 0;
    const ay = line[at - 1] ?? 0;
    const bx = line[at] ?? 0;
    const by = line[at + 1] ?? 0;
    const east = (bx - ax) * shrink;
    const north = by - ay;
    const length = distance(east, north);
    const isLast = at + 3 >= line.length;
    if (length === 0 || (rest > length && !isLast)) {
      rest -= length;
      continue;
    }
    const along = Math.min(1, rest / length);
    const aside = ((side === 'left' ? 1 : -1) * offsetMetres) / METRES_PER_MICRO / length;
    const x = Math.round(ax + (bx - ax) * along - (north * aside) / shrink);
    const y = Math.round(ay + (by - ay) * along + east * aside);
    return { lat: y / MICRO_PER_DEGREE, lng: x / MICRO_PER_DEGREE };
  }
  return { lat: y0 / MICRO_PER_DEGREE, lng: x0 / MICRO_PER_DEGREE };
}

function lengthOf(line: Int32Array, shrink: number): number {
  let length = 0;
  for (let at = 2; at + 1 < line.length; at += 2) {
    length += distance(((line[at] ?? 0) - (line[at - 2] ?? 0)) * shrink, (line[at + 1] ?? 0) - (line[at - 1] ?? 0));
  }
  return length;
}

/** `Math.hypot` also guards against overflow, for which it allocates memory and takes many times as long. */
const distance = (east: number, north: number): number => Math.sqrt(east * east + north * north);

/** Addresses are kept this share of the line's length away from its ends, which are crossings with other streets. */
const END_CLEARANCE = 0.05;

/** The share of its street's line at which a house number is placed: interpolated between the ends of its range. */
export function shareOfNumber(from: number, to: number, value: number): number {
  const share = from === to ? 0.5 : Math.min(1, Math.max(0, (value - from) / (to - from)));
  return END_CLEARANCE + share * (1 - 2 * END_CLEARANCE);
}

/** How far from the center line an address is placed, so that it lies in the tract on its side of the street. */
export const SIDE_OFFSET_METRES = 10;
