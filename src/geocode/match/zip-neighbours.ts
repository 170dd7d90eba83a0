import { MICRO_PER_DEGREE } from '../../core/streets/street-line.js';
import type { AddressShard } from '../../format/addresses/shard.js';

/** About 30 km. */
const MAX_APART_MICRO = 270_000;

/**
 * Whether one ZIP may be written when the other is meant: their centers are near each other or, if either is unknown,
 * both are of one sectional center (they share three digits).
 */
export function isNeighbour({ zips }: AddressShard, written: number, there: number): boolean {
  const [a, b] = [zips.find(written), zips.find(there)];
  if (a < 0 || b < 0) return isSameSectionalCenter(written, there);
  const [ax = 0, ay = 0, bx = 0, by = 0] = [
    zips.centers[a * 2],
    zips.centers[a * 2 + 1],
    zips.centers[b * 2],
    zips.centers[b * 2 + 1],
  ];
  const east = (bx - ax) * Math.cos((ay / MICRO_PER_DEGREE) * (Math.PI / 180));
  return Math.hypot(east, by - ay) <= MAX_APART_MICRO;
}

const ZIPS_PER_CENTER = 100;

/** Whether two ZIPs are of one sectional center: they differ only in their last two digits. */
export const isSameSectionalCenter = (one: number, other: number): boolean =>
  Math.floor(one / ZIPS_PER_CENTER) === Math.floor(other / ZIPS_PER_CENTER);
