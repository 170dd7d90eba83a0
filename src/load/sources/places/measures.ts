import { metricsOf } from '../../../core/metrics.js';
import type { ColumnTally } from '../../intake/tally.js';
import { emptyIsMissing, readNumber } from '../number-cell.js';
import { checkRange } from '../value-range.js';

/**
 * The PLACES measures that are read, in the order of the layer's columns. A measure's ID is the metric's key in upper case,
 * so the table of metrics is the only list of them.
 */
export const PLACES_MEASURES: readonly { readonly id: string; readonly path: string }[] = metricsOf(
  'places_measures',
).map(({ key, path }) => ({ id: key.toUpperCase(), path }));

/** A prevalence in percent, for the metric with this path; NaN if it is missing or unreadable. */
export function readPrevalence(path: string, text: string, column: ColumnTally): number {
  return checkRange(path, readNumber(text, emptyIsMissing, column), column, text);
}
