import { firstAtLeast } from './first-at-least.js';

/** The service's statistical rules: percentile rank, plain mean, and the composite index. */

/** Values sorted ascending with the missing (NaN) left out: what ranks are taken over. */
export function sortedKnown(values: Iterable<number>): Float64Array<ArrayBuffer> {
  const known: number[] = [];
  for (const value of values) if (!Number.isNaN(value)) known.push(value);
  return Float64Array.from(known).sort();
}

/** How many of the sorted values are strictly below this one. O(log n). */
export function countBelow(sorted: Float64Array, value: number): number {
  return firstAtLeast(sorted, value);
}

/** Percentile rank from 0 to 1: the share of the sorted values strictly below; NaN where either side is missing. */
export function rank0to1(sorted: Float64Array, value: number): number {
  if (Number.isNaN(value) || sorted.length === 0) return Number.NaN;
  return countBelow(sorted, value) / sorted.length;
}

/** Plain mean of the known values; NaN where there is none. */
export function mean(values: Iterable<number>): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return count === 0 ? Number.NaN : sum / count;
}

/**
 * Plain mean of the known values, rounded half away from zero to some decimals as on paper; NaN where there is none. The
 * sum is taken in whole units of the last decimal, which doubles add without error; the values have no more decimals.
 */
export function roundedMean(values: Iterable<number>, decimals: number): number {
  const unitsPerOne = 10 ** decimals;
  let units = 0;
  let count = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    units += Math.round(value * unitsPerOne);
    count++;
  }
  return count === 0 ? Number.NaN : (Math.sign(units) * Math.round(Math.abs(units) / count)) / unitsPerOne;
}

/** The index needs at least this many of its four components. */
const SDOH_MIN_COMPONENTS = 2;

/**
 * The composite index, 0 (least) to 1 (most disadvantaged), before rounding: the mean of the components that are known,
 * at least two, of the national percentile ranks of poverty, uninsured and unemployment rate, and SVI's `rpl_themes`.
 */
export function sdohIndex(components: readonly number[]): number {
  const known = components.filter((component) => !Number.isNaN(component));
  return known.length < SDOH_MIN_COMPONENTS ? Number.NaN : mean(known);
}
