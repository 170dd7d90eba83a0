import type { LatLng } from './coordinates.js';

/** House numbers along one side of a street, in the segment's direction: they may descend. */
export interface AddressRange {
  readonly from: number;
  readonly to: number;
  /** Five digits; empty where unknown. */
  readonly zip: string;
}

/** A stretch of a street with its address ranges, as the Census Bureau's address range files have them. */
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
  readonly left: AddressRange | undefined;
  readonly right: AddressRange | undefined;
}

export type Side = 'left' | 'right';

/** How far from the centre line an address is put, so that it lies in the tract of its side of the street. */
export const SIDE_OFFSET_METRES = 10;

/** Addresses keep this share of the segment's length away from its ends, which are crossings with other streets. */
const END_CLEARANCE = 0.05;

const METRES_PER_DEGREE = 111_195;

/** The side whose range holds a house number; undefined where neither does. */
export function sideOf(segment: Pick<StreetSegment, Side>, houseNumber: number): Side | undefined {
  if (holds(segment.left, houseNumber)) return 'left';
  return holds(segment.right, houseNumber) ? 'right' : undefined;
}

/** Both ends odd or both even: the side has only such numbers. Otherwise it has both kinds. */
function holds(range: AddressRange | undefined, houseNumber: number): boolean {
  if (!range) return false;
  const { from, to } = range;
  if (houseNumber < Math.min(from, to) || houseNumber > Math.max(from, to)) return false;
  return from % 2 !== to % 2 || houseNumber % 2 === from % 2;
}

/**
 * Where an address lies: interpolated along the segment by its number, and set off to its side. Within a few kilometres
 * the Earth is taken to be flat.
 */
export function positionOnStreet(segment: StreetSegment, side: Side, houseNumber: number): LatLng {
  const { from, to } = segment;
  const share = shareAlong(segment[side], houseNumber);
  const along = END_CLEARANCE + share * (1 - 2 * END_CLEARANCE);
  const lat = from.lat + (to.lat - from.lat) * along;
  const lng = from.lng + (to.lng - from.lng) * along;
  const lngScale = METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
  const east = (to.lng - from.lng) * lngScale;
  const north = (to.lat - from.lat) * METRES_PER_DEGREE;
  const length = Math.hypot(east, north);
  if (length === 0) return { lat, lng };
  const offset = (side === 'left' ? SIDE_OFFSET_METRES : -SIDE_OFFSET_METRES) / length;
  return { lat: lat + (east * offset) / METRES_PER_DEGREE, lng: lng - (north * offset) / lngScale };
}

function shareAlong(range: AddressRange | undefined, houseNumber: number): number {
  if (!range || range.from === range.to) return 0.5;
  return (houseNumber - range.from) / (range.to - range.from);
}
