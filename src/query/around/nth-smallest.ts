/**
 * The value at `position` if the first `count` values were sorted ascending; rearranges them. Hoare's quickselect,
 * https://doi.org/10.1145/366622.366647. O(count) on average.
 */
export function nthSmallest(values: Float64Array, count: number, position: number): number {
  let left = 0;
  let right = count - 1;
  while (left < right) {
    const pivot = values[(left + right) >> 1] ?? 0;
    let low = left;
    let high = right;
    while (low <= high) {
      while ((values[low] ?? 0) < pivot) low++;
      while ((values[high] ?? 0) > pivot) high--;
      if (low > high) break;
      const swapped = values[low] ?? 0;
      values[low++] = values[high] ?? 0;
      values[high--] = swapped;
    }
    // Any values between high and low equal the pivot.
    if (position <= high) right = high;
    else if (position >= low) left = low;
    else return pivot;
  }
  return values[position] ?? Number.NaN;
}
