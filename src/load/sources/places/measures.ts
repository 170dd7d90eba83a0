import { metricsOf } from '../../../core/metrics.js';

/**
 * PLACES' measures in the order of the layer's columns: a measure's id is the metric's key in upper case, so the table
 * of metrics alone says which are read.
 */
export const PLACES_MEASURES: readonly { readonly id: string; readonly path: string }[] = metricsOf(
  'places_measures',
).map(({ key, path }) => ({ id: key.toUpperCase(), path }));
