import { firstAtLeast } from '../core/first-at-least.js';
import { type Geoid, geoidToNumber } from '../core/geoid.js';

/** The row of a tract, or −1. A binary search: `geoids` ascend, so no further index is needed. O(log n). */
export function findRow(tracts: { readonly geoids: Float64Array }, geoid: Geoid): number {
  const { geoids } = tracts;
  const wanted = geoidToNumber(geoid);
  const at = firstAtLeast(geoids, wanted);
  return geoids[at] === wanted ? at : -1;
}
