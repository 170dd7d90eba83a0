import { METRICS, type Section } from '../core/metrics.js';

/** What stands in `epa_data` beside its metrics. */
const EPA_SOURCE = '_source';

const sectionKeys = (section: Section): string[] =>
  METRICS.filter((metric) => metric.section === section).map(({ key }) => key);

/** The sections that are objects in a record, from its end, with what their properties are where one is missing. */
const NESTED = (['epa_data', 'places_measures', 'svi_themes'] as const).map((section) => {
  const keys = [...sectionKeys(section), ...(section === 'epa_data' ? [EPA_SOURCE] : [])];
  return {
    mark: `"${section}":`,
    prefix: `,"${section}.`,
    missing: keys.map((key) => `,"${section}.${key}":null`).join(''),
  };
});
const LAST = '"sdoh_index":';

/**
 * Where a further key of a section begins. Within a text no quote stands by itself, so that nothing there looks like
 * one.
 */
const FURTHER_KEY = /,"(?=\w+":)/g;

/**
 * A tract's record (SPEC 2.2) as flat properties of a map's feature: `svi_themes.rpl_theme1` beside `geoid`, what a missing
 * section would hold null. Put together of the record's own text, in a quarter of the time that objects would take.
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
