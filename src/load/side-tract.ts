import { MICRO_PER_DEGREE, pointBeside, SIDE_OFFSET_METRES, type Side } from '../core/street-line.js';
import { NO_TRACT } from '../format/addresses/shard.js';
import type { OutlinesFile } from '../format/outlines-file.js';

/** The row of the tract at a point, or −1. */
export type Locate = OutlinesFile['locate'];

/** Where along the line it is looked first, and where then. */
const FIRST_SHARES = [0.5, 0.25, 0.75];
const FURTHER_SHARES = [0.1, 0.4, 0.6, 0.9];
const FURTHER_OFFSETS_METRES = [3, 25];

/**
 * The row of the tract on a side of a street, or `NO_TRACT`. Census blocks end at streets, so that a side lies in one
 * tract; where points beside the line disagree (outlines that are generalized, bends, narrow strips), most of them
 * decide, the least row among equals. Three lookups mostly.
 */
export function tractBeside(line: Int32Array, side: Side, locate: Locate): number {
  const at = (share: number, offsetMetres: number): number => {
    const { x, y } = pointBeside(line, share, side, offsetMetres);
    return locate({ lat: y / MICRO_PER_DEGREE, lng: x / MICRO_PER_DEGREE });
  };
  const found = FIRST_SHARES.map((share) => at(share, SIDE_OFFSET_METRES));
  const [first = -1] = found;
  if (found.every((row) => row === first)) return first < 0 ? NO_TRACT : first;
  for (const share of FURTHER_SHARES) found.push(at(share, SIDE_OFFSET_METRES));
  for (const offset of FURTHER_OFFSETS_METRES) {
    for (const share of [...FIRST_SHARES, ...FURTHER_SHARES]) found.push(at(share, offset));
  }
  return commonest(found.filter((row) => row >= 0));
}

function commonest(rows: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  const [most] = [...counts].sort(([a, timesA], [b, timesB]) => timesB - timesA || a - b);
  return most?.[0] ?? NO_TRACT;
}
