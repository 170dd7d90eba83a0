import { firstAtLeast } from './first-at-least.js';

/** The service's statistical rules: percentile rank, plain mean, and the composite index. */

/** Values, NaN for those that are missing. */
type Column = readonly number[] | Float64Array;

/** The known values (not NaN) in ascending order: the distribution that percentile ranks are taken in. */
export function sortedKnown(values: Column): Float64Array<ArrayBuffer> {
  const known = new Float64Array(countKnown(values));
  let count = 0;
  for (const value of values) if (!Number.isNaN(value)) known[count++] = value;
  return known.sort();
}

/** How many values are known (not NaN). */
export function countKnown(values: Column): number {
  let count = 0;
  for (const value of values) if (!Number.isNaN(value)) count++;
  return count;
}

/**
 * Percentile rank from 0 to 1: the share of the sorted values that are strictly below the value; NaN if the value is
 * missing or there are no sorted ones.
 */
export function rank0to1(sorted: Float64Array, value: number): number {
  if (Number.isNaN(value) || sorted.length === 0) return Number.NaN;
  // The first index of the value and those above is the number of those below.
  return firstAtLeast(sorted, value) / sorted.length;
}

/**
 * Percentile rank as it is published: in whole tenths of a percent, from 0 to 1000; NaN if the value is missing or there are
 * no sorted ones.
 */
export function rankInTenths(sorted: Float64Array, value: number): number {
  if (Number.isNaN(value)) return Number.NaN;
  // Multiplied before dividing: as a binary fraction, 203 / 400 is too small, and its rank would be 50.7%.
  return tenthsOf(firstAtLeast(sorted, value), sorted.length);
}

function tenthsOf(below: number, count: number): number {
  return Math.round((below * RANK_TENTHS) / count);
}

/** The highest rank in tenths of a percent, which is that of a value above all others. */
export const RANK_TENTHS = 1000;

/**
 * All that is needed of sorted values to rank others among them: the value that must be exceeded for a rank of 1, 2, up to
 * {@link RANK_TENTHS} tenths of a percent; NaN each if there are no values. O(n).
 */
export function rankThresholds(sorted: Float64Array): Float64Array<ArrayBuffer> {
  const thresholds = new Float64Array(RANK_TENTHS).fill(Number.NaN);
  let tenths = 0;
  sorted.forEach((value, at) => {
    const reached = tenthsOf(at + 1, sorted.length);
    if (reached === tenths) return;
    thresholds.fill(value, tenths, reached);
    tenths = reached;
  });
  return thresholds;
}

/** {@link rankInTenths} among the values that the thresholds were taken from. */
export function rankByThresholds(thresholds: Float64Array, value: number): number {
  return Number.isNaN(value) || Number.isNaN(thresholds[0]) ? Number.NaN : firstAtLeast(thresholds, value);
}

/** {@link rankInTenths} among unsorted values, of which NaN are left out. O(n), where sorting them takes longer. */
export function rankInTenthsAmong(values: Iterable<number>, value: number): number {
  let [below, known] = [0, 0];
  for (const other of values) {
    if (Number.isNaN(other)) continue;
    known++;
    if (other < value) below++;
  }
  return Number.isNaN(value) ? Number.NaN : tenthsOf(below, known);
}

/** Plain mean of values that are all known; NaN if there are none. */
export function mean(values: Column): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/**
 * Plain mean of the known values, rounded to some decimals, half away from zero as on paper; NaN if there are none. The
 * sum is taken in whole units of the last decimal, which doubles add exactly; the values must not have more decimals.
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
 * Quotients and their sum are off in a double's last digits: the mean of 469/880, 226/880, 482/880 and 0.4467 is 0.44605, but
 * a little less in doubles, and would be rounded down.
 */
const TRUE_DIGITS = 12;

/**
 * The composite index before rounding, from 0 (least disadvantaged) to 1 (most): the mean of the known components, NaN if
 * there are fewer than two. The components are the national percentile ranks of the poverty, uninsured and unemployment
 * rates, and SVI's `rpl_themes`.
 */
export function sdohIndex(components: readonly number[]): number {
  const known = components.filter((component) => !Number.isNaN(component));
  return known.length < SDOH_MIN_COMPONENTS ? Number.NaN : Number(mean(known).toPrecision(TRUE_DIGITS));
}
