import { describe, expect, it } from 'vitest';
import { METRICS, metricIndex, metricsOf, type Section } from '../../../src/core/metrics.js';
import type { JoinedTracts } from '../../../src/load/join/join.js';
import { recordJson, tractName } from '../../../src/load/write/record-json.js';
import { geoidOf, tractOf } from '../../support/layers.js';

const GEOID = geoidOf('35013000101');
const SECTIONS = ['svi_themes', 'places_measures', 'epa_data'] as const satisfies readonly Section[];

function joined(value: number, present: readonly Section[]): JoinedTracts {
  return {
    tracts: [tractOf(GEOID)],
    values: METRICS.map(() => Float64Array.of(value)),
    present: new Map(SECTIONS.map((section) => [section, Uint8Array.of(present.includes(section) ? 1 : 0)])),
    provenance: [],
    rowCounts: new Map(),
    epaSource: ['EPA EJScreen 2023'],
    trendYears: [],
    trendValues: new Float64Array(0),
  };
}

const record = (source: JoinedTracts) =>
  JSON.parse(recordJson(source, 0, GEOID, 'Census Tract 1.01')) as Record<string, unknown>;

describe('a tract’s record', () => {
  it('has every field of the contract, in its order', () => {
    const full = record(joined(1, SECTIONS));
    expect(Object.keys(full)).toEqual(
      (
        'geoid state_fips county_fips tract_code name total_population median_household_income poverty_rate uninsured_rate ' +
        'unemployment_rate median_age svi_themes places_measures epa_data sdoh_index'
      ).split(' '),
    );
    expect(Object.keys(full.svi_themes ?? {})).toEqual(
      'rpl_theme1 rpl_theme2 rpl_theme3 rpl_theme4 rpl_themes'.split(' '),
    );
    expect(Object.keys(full.places_measures ?? {})).toEqual(
      'diabetes obesity mhlth phlth bphigh casthma chd csmoking access2 checkup dental sleep lpa binge'.split(' '),
    );
    expect(Object.keys(full.epa_data ?? {})).toEqual(
      (
        'pm25 ozone diesel_pm air_toxics_cancer_risk respiratory_hazard_index traffic_proximity lead_paint_pct ' +
        'superfund_proximity rmp_proximity hazardous_waste_proximity wastewater_discharge _source'
      ).split(' '),
    );
  });

  it('takes its identity apart as text, leading zeros kept', () => {
    expect(record(joined(1, []))).toMatchObject({
      geoid: '35013000101',
      state_fips: '35',
      county_fips: '013',
      tract_code: '000101',
      name: 'Census Tract 1.01',
    });
  });

  it('has null for a missing value and for a section without a row, and 0 for 0', () => {
    const missing = record(joined(Number.NaN, ['epa_data']));
    expect(missing).toMatchObject({
      total_population: null,
      sdoh_index: null,
      svi_themes: null,
      places_measures: null,
    });
    expect(missing.epa_data).toMatchObject({ pm25: null, _source: 'EPA EJScreen 2023' });
    expect(record(joined(0, SECTIONS))).toMatchObject({ total_population: 0, svi_themes: { rpl_themes: 0 } });
  });

  it('puts each metric’s value in its own field', () => {
    const source = joined(0, SECTIONS);
    for (const [index, column] of source.values.entries()) column.fill(index + 0.5);
    const full = record(source);
    for (const section of SECTIONS) {
      for (const { key, path } of metricsOf(section)) {
        expect((full[section] as Record<string, unknown>)[key]).toBe(metricIndex(path) + 0.5);
      }
    }
    for (const { key, path } of [...metricsOf('demographics'), ...metricsOf('sdoh_index')]) {
      expect(full[key]).toBe(metricIndex(path) + 0.5);
    }
  });
});

describe('a tract’s name', () => {
  it.each([
    ['35013000101', 'Doña Ana County', false, 'Census Tract 1.01, Doña Ana County, New Mexico'],
    ['11001980000', 'District of Columbia', false, 'Census Tract 9800, District of Columbia, District of Columbia'],
    ['10001040100', '', false, 'Census Tract 401, Delaware'],
    ['10001040100', 'Kent County', true, 'Synthetic Census Tract 401, Kent County, Delaware'],
  ])('of %s in "%s", synthetic: %s, reads %s', (geoid, county, synthetic, name) => {
    expect(tractName(geoidOf(geoid), county, synthetic)).toBe(name);
  });
});
