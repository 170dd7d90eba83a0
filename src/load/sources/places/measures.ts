import { metricsOf } from '../../../core/metrics.js';
import type { ColumnTally } from '../../tally.js';
import { emptyIsMissing, readNumber } from '../number-cell.js';
import { checkRange } from '../value-range.js';

/**
 * PLACES' measures in the order of the layer's columns: a measure's id is the metric's key in upper case, so the table
 * of metrics alone says which are read.
 */
export const PLACES_MEASURES: readonly { readonly id: string; readonly path: string }[] = metricsOf(
  'places_measures',
).map(({ key, path }) => ({ id: key.toUpperCase(), path }));

/** A prevalence in percent, for the metric with this path; NaN where it is missing or unreadable. */
export function readPrevalence(path: string, text: string, column: ColumnTally): number {
  return checkRange(path, readNumber(text, emptyIsMissing, column), column, text);
}
