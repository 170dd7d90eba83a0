/** The first position, from `begin` on, whose value is not below the wanted one; `end` where there is none. O(log n). */
export function firstAtLeast(
  ascending: Uint32Array | Float64Array,
  wanted: number,
  begin = 0,
  end = ascending.length,
): number {
  let [low, high] = [begin, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    // Within the array.
    if ((ascending[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
