import type { LatLng } from '../../core/coordinates.js';
import {
  MICRO_PER_DEGREE,
  pointBeside,
  SIDE_OFFSET_METRES,
  type Side,
  shareOfNumber,
} from '../../core/streets/street-line.js';

/** House numbers along one side of a street, in the segment's direction; they may descend. */
export interface SegmentRange {
  readonly from: number;
  readonly to: number;
  /** Five digits; empty where unknown. */
  readonly zip: string;
}

/** A straight stretch of a street with its address ranges. Each of the demo nation's streets is a single segment. */
export interface StreetSegment {
  /** In standard form: `N Samplewood Ave`. */
  readonly street: string;
  /** Empty where unknown. */
  readonly city: string;
  /** Two digits. */
  readonly stateFips: string;
  readonly from: LatLng;
  readonly to: LatLng;
  /** Sides as seen when walking from `from` to `to`; undefined where a side has no addresses. */
  readonly left: SegmentRange | undefined;
  readonly right: SegmentRange | undefined;
}

/** The segment's line: x,y interleaved in 1e-6 degrees. */
export function lineOf({ from, to }: Pick<StreetSegment, 'from' | 'to'>): Int32Array {
  return Int32Array.of(
    ...[from.lng, from.lat, to.lng, to.lat].map((degrees) => Math.round(degrees * MICRO_PER_DEGREE)),
  );
}

/** The position of a house number on one side of the street, as the geocoder interpolates it. */
export function positionOnStreet(segment: StreetSegment, side: Side, houseNumber: number): LatLng {
  const { from = houseNumber, to = houseNumber } = segment[side] ?? {};
  return pointBeside(lineOf(segment), shareOfNumber(from, to, houseNumber), side, SIDE_OFFSET_METRES);
}
