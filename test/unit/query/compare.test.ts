import { describe, expect, it } from 'vitest';
import { compareToAverage, compareTracts } from '../../../src/query/compare.js';
import { readComparison } from '../../support/comparison.js';
import { madeUpTracts } from '../../support/made-up-tracts.js';

const METRIC_KEYS = [
  'total_population',
  'median_household_income',
  'poverty_rate',
  'uninsured_rate',
  'unemployment_rate',
  'median_age',
  'sdoh_index',
];
const tracts = [
  { geoid: '36001000100', values: { total_population: 4521, poverty_rate: 10.3, sdoh_index: 0.5417 } },
  { geoid: '36001000200', values: { total_population: 3876, poverty_rate: 0.1 } },
  { geoid: '36003000100', values: { total_population: 1000, poverty_rate: 7 } },
];
const file = madeUpTracts(tracts, { countyNames: { '36001': 'Albany County', '36003': '' } });

describe('two tracts', () => {
  it('are given with GEOID, name and the seven values, and their differences are a − b', () => {
    const { a, b, differences } = readComparison(compareTracts(file, 0, 1));
    expect(a).toMatchObject({ type: 'tract', geoid: '36001000100', label: 'Tract 36001000100' });
    expect(b).toMatchObject({ type: 'tract', geoid: '36001000200', label: 'Tract 36001000200' });
    for (const values of [a.values, b.values, differences]) expect(Object.keys(values)).toEqual(METRIC_KEYS);
    expect(differences).toMatchObject({ total_population: 645, poverty_rate: 10.2, sdoh_index: null });
  });

  it('are called what they are called, however that is written', () => {
    const name = 'Tract "1", Doña \\ Ana County';
    const { a, b } = readComparison(compareTracts(madeUpTracts(tracts, { name }), 0, 1));
    expect([a.label, b.label]).toEqual([name, name]);
  });

  it('that are the same differ by 0 where there is a value', () => {
    expect(readComparison(compareTracts(file, 0, 0)).differences).toMatchObject({
      total_population: 0,
      median_age: null,
    });
  });
});

describe('an average', () => {
  it('is of the county, the state or the nation around the tract, named so, without a GEOID', () => {
    const sides = (['county', 'state', 'national'] as const).map(
      (scope) => readComparison(compareToAverage(file, 0, scope)).b,
    );
    expect(sides.map(({ type, geoid, label }) => [type, geoid, label])).toEqual([
      ['county_average', null, 'Albany County average'],
      ['state_average', null, 'Made-up State average'],
      ['national_average', null, 'National average'],
    ]);
    expect(sides.map(({ values }) => values.total_population)).toEqual([4198.5, 3132.3333, 3132.3333]);
  });

  it('of a county that no file names is named by its code', () => {
    expect(readComparison(compareToAverage(file, 2, 'county')).b.label).toBe('County 36003 average');
  });

  it('is named as its county is, whatever the name is written with', () => {
    const odd = madeUpTracts(tracts, { countyNames: { '36001': 'Doña “Ana”\\ "County"', '36003': '' } });
    expect(readComparison(compareToAverage(odd, 0, 'county')).b.label).toBe('Doña “Ana”\\ "County" average');
  });

  it('leaves out the tracts without a value', () => {
    const { b, differences } = readComparison(compareToAverage(file, 1, 'county'));
    expect(b.values.sdoh_index).toBe(0.5417);
    expect(differences.sdoh_index).toBeNull();
  });
});
