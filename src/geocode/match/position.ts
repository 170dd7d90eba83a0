import type { LatLng } from '../../core/coordinates.js';
import { pointBeside, SIDE_OFFSET_METRES, shareOfNumber } from '../../core/streets/street-line.js';
import { edgeIn, sideIn } from '../../format/addresses/packed-columns.js';
import { NO_TRACT } from '../../format/addresses/shard.js';
import type { OutlinesFile } from '../../format/outlines-file.js';
import type { Candidate } from './candidates.js';

/** Finds the row of the tract at a point; −1 if there is none. */
export type Locate = OutlinesFile['locate'];

/**
 * The usual offset, and those tried in turn if it misses the tract of that side, because the tract is narrow there or its
 * outline is rough.
 */
const OFFSETS_METRES = [SIDE_OFFSET_METRES, 5, 2.5, 1, 20, 40, 80];
const MIDDLE = 0.5;

/**
 * Where a candidate lies: interpolated along its street's line by its number, and offset to its side of the street. The
 * compiler has determined that side's tract; the position lies in it if any of the offsets tried does.
 */
export function positionOf({ shard, range, number }: Candidate, locate: Locate): LatLng {
  const packed = shard.rangeEdges[range] ?? 0;
  const line = shard.line(edgeIn(packed));
  const side = sideIn(packed);
  const share = shareOfNumber(shard.rangeNumbers[range * 2] ?? 0, shard.rangeNumbers[range * 2 + 1] ?? 0, number.value);
  const tract = shard.rangeTracts[range] ?? NO_TRACT;
  if (tract !== NO_TRACT) {
    for (const along of [share, MIDDLE]) {
      for (const offset of OFFSETS_METRES) {
        const position = pointBeside(line, along, side, offset);
        if (locate(position) === tract) return position;
      }
    }
  }
  return pointBeside(line, share, side, SIDE_OFFSET_METRES);
}
