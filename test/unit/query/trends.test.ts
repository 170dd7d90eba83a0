import { describe, expect, it } from 'vitest';
import type { ProvenanceEntry } from '../../../src/format/description.js';
import { trends } from '../../../src/query/trends.js';
import { madeUpTracts } from '../../support/made-up-tracts.js';

const GEOID = '10001000100';
const NOTHING = {
  median_household_income: null,
  poverty_rate: null,
  uninsured_rate: null,
  unemployment_rate: null,
  median_age: null,
};

describe('trends', () => {
  it('compare each metric between the years that have it, with its own earliest and latest', () => {
    const trend = {
      2019: { total_population: 4000, poverty_rate: 10.1 },
      2021: { total_population: 4100, median_age: 0 },
      2023: { total_population: 4210, poverty_rate: 12.3, median_age: 40.5 },
    };
    const { geoid, name, changes } = trends(
      madeUpTracts([{ geoid: GEOID, trend }], { trendYears: [2019, 2021, 2023] }),
      0,
    );
    expect({ geoid, name }).toEqual({ geoid: GEOID, name: `Tract ${GEOID}` });
    expect(changes[0]).toEqual({
      metric: 'total_population',
      earliest_year: 2019,
      latest_year: 2023,
      earliest_value: 4000,
      latest_value: 4210,
      absolute_change: 210,
      percent_change: 5.25,
    });
    expect(changes.find(({ metric }) => metric === 'poverty_rate')).toMatchObject({
      absolute_change: 2.2,
      percent_change: 21.78,
    });
    expect(changes.find(({ metric }) => metric === 'median_age')).toMatchObject({
      earliest_year: 2021,
      absolute_change: 40.5,
      percent_change: null,
    });
  });

  it('show a fall as negative', () => {
    const trend = { 2019: { poverty_rate: 20 }, 2023: { poverty_rate: 15 } };
    const { changes } = trends(madeUpTracts([{ geoid: GEOID, trend }], { trendYears: [2019, 2023] }), 0);
    expect(changes.find(({ metric }) => metric === 'poverty_rate')).toMatchObject({
      absolute_change: -5,
      percent_change: -25,
    });
  });

  it('leave out the years in which only other tracts have values', () => {
    const tracts = [
      { geoid: GEOID, trend: { 2023: { median_age: 40 } } },
      { geoid: '10001000200', trend: { 2019: { median_age: 30 } } },
    ];
    const { years } = trends(madeUpTracts(tracts, { trendYears: [2019, 2023] }), 0);
    expect(years.map(({ year }) => year)).toEqual([2023]);
  });
});

/** What is known of a state's demographics. */
function vintage(stateFips: string, year: number, metrics = ['total_population'], source = 'acs'): ProvenanceEntry {
  const label = `${source} ${year}`;
  return {
    stateFips,
    section: 'demographics',
    metrics,
    source,
    label,
    year,
    tractVintage: 2020,
    stateRanked: false,
    tractCount: 1,
  };
}

describe('the current year', () => {
  const trend = { 2021: { total_population: 4000, poverty_rate: 20 } };
  const years = (values: Record<string, number>, provenance: readonly ProvenanceEntry[]) =>
    trends(madeUpTracts([{ geoid: GEOID, trend, values }], { trendYears: [2021, 2023], provenance }), 0).years;
  const before = { year: 2021, ...NOTHING, total_population: 4000, poverty_rate: 20 };

  it('is there where the survey has nothing of the tract in it, as in the record', () => {
    expect(years({}, [vintage('10', 2023)])).toEqual([before, { year: 2023, total_population: null, ...NOTHING }]);
  });

  it('has the census count where that is the record’s population', () => {
    const provenance = [vintage('10', 2023), vintage('10', 2020, ['total_population'], 'cenpop')];
    expect(years({ total_population: 12 }, provenance)).toEqual([
      before,
      { year: 2023, total_population: 12, ...NOTHING },
    ]);
  });

  it('does not have again what the record takes from an earlier year', () => {
    const provenance = [vintage('10', 2021), vintage('10', 2023, ['poverty_rate'])];
    expect(years({ total_population: 4000 }, provenance)[1]?.total_population).toBeNull();
  });
});

describe('a population that no year of the survey has', () => {
  const tract = { geoid: GEOID, values: { total_population: 12 }, trend: { 2022: { poverty_rate: 20 } } };
  const years = (options: Parameters<typeof madeUpTracts>[1]) => trends(madeUpTracts([tract], options), 0).years;

  it('is the census count in the current year’s snapshot, as in the record', () => {
    const expected = { year: 2022, total_population: 12, ...NOTHING, poverty_rate: 20 };
    expect(years({ trendYears: [2022] })).toEqual([expected]);
  });

  it('has a snapshot of its own where the current year has nothing else', () => {
    expect(years({ trendYears: [2022, 2023] })).toEqual([
      { year: 2022, total_population: null, ...NOTHING, poverty_rate: 20 },
      { year: 2023, total_population: 12, ...NOTHING },
    ]);
  });

  it('stays unknown where the record has none either', () => {
    const unknown = { geoid: GEOID, trend: tract.trend };
    const [year] = trends(madeUpTracts([unknown], { trendYears: [2022] }), 0).years;
    expect(year?.total_population).toBeNull();
  });
});

describe('a tract without history', () => {
  const tract = { geoid: GEOID, values: { total_population: 12 } };
  const soleYear = (options: Parameters<typeof madeUpTracts>[1]) => trends(madeUpTracts([tract], options), 0).years;

  it('has the current values alone, in the newest year recorded for its state, and no changes', () => {
    const provenance = [vintage('10', 2021), vintage('10', 2022), vintage('11', 2023)];
    const { years, changes } = trends(madeUpTracts([tract], { trendYears: [2019], provenance }), 0);
    expect(years).toEqual([{ year: 2022, total_population: 12, ...NOTHING }]);
    expect(changes).toHaveLength(6);
    for (const { metric, ...rest } of changes) {
      expect(metric).toBeTypeOf('string');
      expect(new Set(Object.values(rest))).toEqual(new Set([null]));
    }
  });

  it('takes the newest year of the trends where its state has none recorded, then any state’s, then 2020', () => {
    const elsewhere = [vintage('11', 2023)];
    expect(soleYear({ trendYears: [2018, 2019], provenance: elsewhere })[0]?.year).toBe(2019);
    expect(soleYear({ provenance: elsewhere })[0]?.year).toBe(2023);
    expect(soleYear({})[0]?.year).toBe(2020);
  });
});
