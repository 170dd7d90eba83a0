import { type LatLng, UNITS_PER_DEGREE } from '../../core/coordinates.js';
import { signedArea } from '../../core/signed-area.js';
import { middleOfWidestStretch } from './scan-line.js';

/**
 * A point inside an outline, for tracts whose sources give none: the middle of the outline's widest stretch at the
 * latitude of the largest ring's centroid. Rings are closed, x and y interleaved in 1e-7 degrees.
 */
export function internalPoint(rings: readonly Int32Array[]): LatLng {
  let largest: Int32Array = rings[0] ?? new Int32Array();
  for (const ring of rings) if (Math.abs(signedArea(ring)) > Math.abs(signedArea(largest))) largest = ring;
  // Half a unit off the integer lattice, so that the line passes through no vertex.
  const y = Math.floor(centroidY(largest)) + 0.5;
  const x = middleOfWidestStretch(rings, y) ?? largest[0] ?? 0;
  return { lat: Math.round(y) / UNITS_PER_DEGREE, lng: Math.round(x) / UNITS_PER_DEGREE };
}

function centroidY(ring: Int32Array): number {
  const y0 = ring[1] ?? 0;
  const x0 = ring[0] ?? 0;
  let area = 0;
  let moment = 0;
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const ax = (ring[at] ?? 0) - x0;
    const ay = (ring[at + 1] ?? 0) - y0;
    const bx = (ring[at + 2] ?? 0) - x0;
    const by = (ring[at + 3] ?? 0) - y0;
    const cross = ax * by - bx * ay;
    area += cross;
    moment += (ay + by) * cross;
  }
  return area === 0 ? y0 : y0 + moment / (3 * area);
}
