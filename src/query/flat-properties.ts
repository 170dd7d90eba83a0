import { metricsOf } from '../core/metrics.js';

/** The key in `epa_data` that is not a metric. */
const EPA_SOURCE = '_source';

/** The sections that are objects in a record, from last to first, with the properties to write if a section is null. */
const NESTED = (['epa_data', 'places_measures', 'svi_themes'] as const).map((section) => {
  const keys = [...metricsOf(section).map(({ key }) => key), ...(section === 'epa_data' ? [EPA_SOURCE] : [])];
  return {
    mark: `"${section}":`,
    prefix: `,"${section}.`,
    missing: keys.map((key) => `,"${section}.${key}":null`).join(''),
  };
});
const LAST = '"sdoh_index":';

/**
 * Matches where each key of a section but the first begins. A string value cannot match: all quotes in it are escaped.
 */
const FURTHER_KEY = /,"(?=\w+":)/g;

/**
 * Flattens a tract's record (SPEC 2.2) into the properties of a map feature: `svi_themes.rpl_theme1` beside `geoid`, with
 * null for every property of a missing section. Edits the record's text, in a quarter of the time that objects would take.
 */
export function flatProperties(record: string): string {
  const last = record.lastIndexOf(LAST);
  let nested = '';
  let end = last;
  for (const { mark, prefix, missing } of NESTED) {
    const begin = record.lastIndexOf(mark, end);
    const value = record.slice(begin + mark.length, end - 1);
    nested = (value === 'null' ? missing : prefix + value.slice(2, -1).replace(FURTHER_KEY, prefix)) + nested;
    end = begin;
  }
  return `${record.slice(0, end)}${record.slice(last, -1)}${nested}}`;
}
