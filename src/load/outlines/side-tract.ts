import { countEach } from '../../core/count-each.js';
import { pointBeside, SIDE_OFFSET_METRES, type Side } from '../../core/streets/street-line.js';
import { NO_TRACT } from '../../format/addresses/shard.js';
import type { OutlinesFile } from '../../format/outlines-file.js';

/** Returns the row of the tract at a point, or −1. */
export type Locate = OutlinesFile['locate'];

/** Positions along the line (0 to 1) that are looked up first, and those used if they disagree. */
const FIRST_SHARES = [0.5, 0.25, 0.75];
const FURTHER_SHARES = [0.1, 0.4, 0.6, 0.9];
const FURTHER_OFFSETS_METRES = [3, 25];

/**
 * The row of the tract on one side of a street, or `NO_TRACT`. Census blocks are bounded by streets, so each side lies in
 * one tract. Where points beside the line disagree (generalized outlines, bends, narrow strips), the most common tract
 * wins, in a tie the one with the lowest row. Usually takes three lookups.
 */
export function tractBeside(line: Int32Array, side: Side, locate: Locate): number {
  const at = (share: number, offsetMetres: number): number => locate(pointBeside(line, share, side, offsetMetres));
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
  const [most] = [...countEach(rows)].sort(([a, timesA], [b, timesB]) => timesB - timesA || a - b);
  return most?.[0] ?? NO_TRACT;
}
