import type { LatLng } from '../../src/core/coordinates.js';
import { consume } from './consume.js';

/** The average time of one call over all centers, µs. */
export function microseconds(centers: readonly LatLng[], ask: (center: LatLng) => number): number {
  const startedAt = performance.now();
  for (const center of centers) consume(ask(center));
  return ((performance.now() - startedAt) * 1000) / centers.length;
}
