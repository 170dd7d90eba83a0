import fc from 'fast-check';
import { expect, test } from 'vitest';
import { METRICS, metricsOf, type Section } from '../../src/core/metrics.js';
import { flatProperties } from '../../src/query/flat-properties.js';
import { anyText } from '../support/any-text.js';

const NESTED = ['svi_themes', 'places_measures', 'epa_data'] as const;
const IDENTITY = ['geoid', 'state_fips', 'county_fips', 'tract_code', 'name'] as const;

/** Texts that look like parts of a record. */
const text = fc.oneof(
  anyText(),
  fc.constantFrom(
    ',"a":1',
    '"epa_data":',
    '"svi_themes":null',
    ',',
    '","',
    'x",',
    '{"a":',
    '}',
    '\\',
    '\\"sdoh_index":',
  ),
);
const number = fc.option(fc.oneof(fc.integer({ min: -5, max: 1e6 }), fc.double({ min: 0, max: 100, noNaN: true })));

const members = (section: Section) =>
  fc.record(Object.fromEntries(metricsOf(section).map(({ key }) => [key, number] as const)));

const record = fc
  .tuple(
    fc.tuple(text, text, text, text, text),
    members('demographics'),
    fc.option(members('svi_themes')),
    fc.option(members('places_measures')),
    fc.option(fc.tuple(members('epa_data'), fc.option(text))),
    number,
  )
  .map(([identity, demographics, svi, places, epa, index]) => ({
    ...Object.fromEntries(IDENTITY.map((key, at) => [key, identity[at]])),
    ...demographics,
    svi_themes: svi,
    places_measures: places,
    epa_data: epa && { ...epa[0], _source: epa[1] },
    sdoh_index: index,
  }));

/** The same by objects. */
function plainly(whole: Record<string, unknown>): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  for (const key of [...IDENTITY, ...metricsOf('demographics').map((metric) => metric.key), 'sdoh_index']) {
    flat[key] = whole[key];
  }
  for (const section of NESTED) {
    const keys = metricsOf(section).map(({ key }) => key);
    for (const key of section === 'epa_data' ? [...keys, '_source'] : keys) {
      flat[`${section}.${key}`] = Reflect.get(Object(whole[section]), key) ?? null;
    }
  }
  return flat;
}

test('a record’s flat properties are those of its objects, byte for byte, whatever its texts hold', () => {
  fc.assert(
    fc.property(record, (whole) => {
      expect(flatProperties(JSON.stringify(whole))).toBe(JSON.stringify(plainly(whole)));
    }),
  );
});

test('every metric is among them', () => {
  const [whole = {}] = fc.sample(record, 1);
  const properties = JSON.parse(flatProperties(JSON.stringify(whole)));
  for (const { path } of METRICS) expect(properties).toHaveProperty([path]);
});
