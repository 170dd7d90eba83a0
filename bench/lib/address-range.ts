import { firstAtLeast } from '../../src/core/first-at-least.js';
import type { NumberRange } from '../../src/core/streets/house-number.js';
import type { Side } from '../../src/core/streets/street-line.js';
import { edgeIn, isMixedIn, sideIn } from '../../src/format/addresses/packed-columns.js';
import { type AddressShard, UNKNOWN_ZIP } from '../../src/format/addresses/shard.js';

/** One side of a street segment, under one of its names. */
export interface AddressRange extends NumberRange {
  /** As published: `N Samplewood Ave`. */
  readonly street: string;
  /** The part of the house numbers before their last digits, such as `37-`; mostly empty. */
  readonly prefix: string;
  /** Five digits; empty where unknown. */
  readonly zip: string;
  readonly side: Side;
  /** x,y interleaved in 1e-6 degrees. */
  readonly line: Int32Array;
  /** The row of the tract on this side, or `NO_TRACT`. */
  readonly tract: number;
}

/** A range with all that the file says of it, for those who go through whole files. O(log runs). */
export function rangeOf(shard: AddressShard, row: number): AddressRange {
  const run = firstAtLeast(shard.runRanges, row + 1) - 1;
  const packed = shard.rangeEdges[row] ?? 0;
  const zip = shard.runZips[run] ?? UNKNOWN_ZIP;
  return {
    street: shard.streetName(shard.runStreets[run] ?? 0),
    prefix: shard.prefixes[shard.runPrefixes[run] ?? 0] ?? '',
    zip: zip === UNKNOWN_ZIP ? '' : String(zip).padStart(5, '0'),
    from: shard.rangeNumbers[row * 2] ?? 0,
    to: shard.rangeNumbers[row * 2 + 1] ?? 0,
    mixed: isMixedIn(packed),
    side: sideIn(packed),
    line: shard.line(edgeIn(packed)),
    tract: shard.rangeTracts[row] ?? 0,
  };
}
