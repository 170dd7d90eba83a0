/** The first index from `begin` on whose value is at least `wanted`; `end` if there is none. Binary search, O(log n). */
export function firstAtLeast(
  ascending: Uint32Array | Float64Array,
  wanted: number,
  begin = 0,
  end = ascending.length,
): number {
  let [low, high] = [begin, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    // `middle` is within the array.
    if ((ascending[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
