import { z } from 'zod';
import { METRICS, type Metric, type Section } from '../../core/metrics.js';

/** Metadata key that names a schema's dictionary field; the published document takes its description and example. */
export const DICTIONARY_KEY = 'x-dictionary';

/** The maximum of a section's metrics: 100 for percentages, 1 for percentile ranks, undefined for values without one. */
const MOST: Readonly<Record<Section, number | undefined>> = {
  demographics: undefined,
  svi_themes: 1,
  places_measures: 100,
  epa_data: undefined,
  sdoh_index: 1,
};

/** The one metric that may be below 0: ACS also publishes true negative amounts. */
const INCOME = 'median_household_income';

/** Schema of a metric's value, which is null if unknown. */
function metricValue({ path, section, type }: Metric) {
  const any = type === 'integer' ? z.int() : z.number();
  const number = path === INCOME ? any : any.min(0);
  const most = path.endsWith('_rate') ? 100 : MOST[section];
  return (most === undefined ? number : number.max(most)).nullable().meta({ [DICTIONARY_KEY]: path });
}

/** Schemas of metric values, by `name`: by default the last step of the metric's path. */
export function metricValues(metrics: readonly Metric[], name: (metric: Metric) => string = ({ key }) => key) {
  return Object.fromEntries(metrics.map((metric) => [name(metric), metricValue(metric)]));
}

/** Schema of a text in a tract's record, such as its name. */
export function recordText(path: string, pattern?: RegExp) {
  return (pattern ? z.string().regex(pattern) : z.string()).meta({ [DICTIONARY_KEY]: path });
}

/** The names of all metrics, as in the dictionary. */
export const METRIC_PATHS = METRICS.map(({ path }) => path);

/** A number, or null if it is unknown. */
export const numberOrNull = z.number().nullable();

/** The fields that say which page of all entries an answer contains. */
export const page = {
  offset: z.int().min(0).meta({ description: 'Entries skipped before this page, as requested.' }),
  limit: z.int().min(1).meta({ description: 'Maximum number of entries on a page, as requested.' }),
};
