import { type Geoid, geoidToNumber } from '../core/geoid.js';

/** The row of a tract, or −1. `geoids` ascend; O(log n), without an index of its own. */
export function findRow(tracts: { readonly geoids: Float64Array }, geoid: Geoid): number {
  const { geoids } = tracts;
  const wanted = geoidToNumber(geoid);
  let low = 0;
  let high = geoids.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = geoids[middle] ?? Number.NaN;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
