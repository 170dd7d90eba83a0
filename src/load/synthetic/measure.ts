import { RADIANS_PER_UNIT, UNITS_PER_DEGREE } from '../../core/coordinates.js';
import { signedArea } from '../../core/signed-area.js';
import { middleOfWidestStretch } from '../outlines/scan-line.js';
import { at } from './rings.js';

/** The radius of the sphere with the same area as the Earth's ellipsoid (GRS 80). */
const AUTHALIC_RADIUS_METRES = 6_371_007.2;

/** A tract's size and a point inside it. */
export interface Measures {
  readonly areaSqm: number;
  /** A point in degrees: the middle of the widest stretch inside, on the parallel through the middle of the largest ring. */
  readonly lat: number;
  readonly lng: number;
}

/** Measures an outline's closed rings. The area is computed on a plane, scaled at the tract's own latitude. */
export function measure(rings: readonly Int32Array[]): Measures {
  let area = 0;
  let largest = 0;
  let y = 0;
  for (const ring of rings) {
    const ringArea = signedArea(ring);
    area += ringArea;
    if (Math.abs(ringArea) <= largest) continue;
    largest = Math.abs(ringArea);
    y = middleOf(ring);
  }
  const scale = (AUTHALIC_RADIUS_METRES * RADIANS_PER_UNIT) ** 2 * Math.cos(y * RADIANS_PER_UNIT);
  return {
    areaSqm: Math.abs(area) * scale,
    lat: y / UNITS_PER_DEGREE,
    lng: Math.round(middleOfWidestStretch(rings, y) ?? 0) / UNITS_PER_DEGREE,
  };
}

function middleOf(ring: Int32Array): number {
  let [south, north] = [Infinity, -Infinity];
  for (let i = 1; i < ring.length; i += 2) {
    south = Math.min(south, at(ring, i));
    north = Math.max(north, at(ring, i));
  }
  return Math.floor((south + north) / 2);
}
