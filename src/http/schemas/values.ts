import { z } from 'zod';
import { METRICS, type Metric, type Section } from '../../core/metrics.js';

/** Key under which a schema names its field in the dictionary, whose text and example the published document takes. */
export const DICTIONARY_KEY = 'x-dictionary';

/** What a metric's numbers can be, by section: percentages, ranks from 0 to 1, or anything from 0 up. */
const MOST: Readonly<Record<Section, number | undefined>> = {
  demographics: undefined,
  svi_themes: 1,
  places_measures: 100,
  epa_data: undefined,
  sdoh_index: 1,
};

/** A metric's value; null where it is unknown. */
function metricValue({ path, section, type }: Metric) {
  const number = type === 'integer' ? z.int().min(0) : z.number().min(0);
  const most = path.endsWith('_rate') ? 100 : MOST[section];
  return (most === undefined ? number : number.max(most)).nullable().meta({ [DICTIONARY_KEY]: path });
}

/** The values of some metrics, by `name`: the last step of their path unless told. */
export function metricValues(metrics: readonly Metric[], name: (metric: Metric) => string = ({ key }) => key) {
  return Object.fromEntries(metrics.map((metric) => [name(metric), metricValue(metric)]));
}

/** A text out of a tract's record that is no metric. */
export function recordText(path: string, pattern?: RegExp) {
  return (pattern ? z.string().regex(pattern) : z.string()).meta({ [DICTIONARY_KEY]: path });
}

/** Every metric's name, as the dictionary has it. */
export const METRIC_PATHS = METRICS.map(({ path }) => path);

/** A number that may be unknown. */
export const numberOrNull = z.number().nullable();

/** Which part of all entries an answer holds. */
export const page = {
  offset: z.int().min(0).meta({ description: 'Entries before this page, as asked for.' }),
  limit: z.int().min(1).meta({ description: 'Most entries on a page, as asked for.' }),
};
