import fc from 'fast-check';
import { expect, test } from 'vitest';
import { METRICS, metricIndex } from '../../../src/core/metrics.js';
import { STATES } from '../../../src/core/states.js';
import type { Area, DatasetDescription } from '../../../src/format/description.js';
import { computeDistributions } from '../../../src/format/distributions.js';
import { covers } from '../../../src/narrative/coverage.js';
import { isNationwide } from '../../../src/narrative/sources.js';

const POVERTY = metricIndex('poverty_rate');
const area = (fips: string, firstRow: number, tractCount: number): Area => ({ fips, name: '', firstRow, tractCount });
const DESCRIPTION: DatasetDescription = {
  ...{ synthetic: false, states: [], counties: [], metrics: [], comparedMetrics: [], trendMetrics: [] },
  ...{ provenance: [], loadedSources: [], namesEdition: 0 },
};

/** Tracts of one state with so many residents each, and poverty rates; NaN is missing. */
function measure(residents: readonly number[], rates: readonly number[], more: Partial<DatasetDescription> = {}) {
  const values = METRICS.map((_, at) => Float64Array.from(at === 0 ? residents : rates));
  const description = { ...DESCRIPTION, states: [area('27', 0, rates.length)], ...more };
  return computeDistributions({ values, description });
}

const rates = (known: number, missing: number): number[] => [
  ...Array.from({ length: known }, (_, at) => at),
  ...Array.from({ length: missing }, () => Number.NaN),
];
const inhabited = (tracts: number): number[] => Array.from({ length: tracts }, () => 4000);

test.each([
  [20, 0, true],
  [19, 1, true],
  [18, 2, false],
  [0, 20, false],
])('an area of which %d tracts have a value and %d lack it is covered: %s', (known, missing, isCovered) => {
  const coverage = measure(inhabited(20), rates(known, missing));
  expect(covers(coverage, 'state', 0, POVERTY)).toBe(isCovered);
  expect(covers(coverage, 'national', 0, POVERTY)).toBe(isCovered);
});

test('tracts without residents need no value; tracts of which that is not known do', () => {
  const [empty, unknown] = [0, Number.NaN].map((residents) => [...inhabited(10), residents, residents]);
  expect(covers(measure(empty ?? [], rates(10, 2)), 'state', 0, POVERTY)).toBe(true);
  expect(covers(measure(unknown ?? [], rates(10, 2)), 'state', 0, POVERTY)).toBe(false);
});

test('a dataset is the nation where the 50 states and DC are loaded', () => {
  const states = STATES.filter(({ territory }) => !territory).map(({ fips }) => area(fips, 0, 20));
  const isNation = (loaded: readonly Area[]) => isNationwide({ ...DESCRIPTION, states: loaded });
  expect([isNation(states), isNation(states.slice(1))]).toEqual([true, false]);
});

test('an area that does not exist is not covered', () => {
  expect(covers(measure(inhabited(20), rates(20, 0)), 'county', -1, POVERTY)).toBe(false);
});

test('each county is measured by its own tracts, and all inhabited ones that have a value are counted', () => {
  const tract = fc.record({ residents: fc.constantFrom(0, 1, Number.NaN), rate: fc.constantFrom(1, 2, 3, Number.NaN) });
  fc.assert(
    fc.property(fc.array(fc.array(tract, { minLength: 1, maxLength: 40 }), { maxLength: 5 }), (counties) => {
      const all = counties.flat();
      let firstRow = 0;
      const areas = counties.map((tracts, at) => {
        const county = area(String(at), firstRow, tracts.length);
        firstRow += tracts.length;
        return county;
      });
      const residents = all.map((each) => each.residents);
      const coverage = measure(
        residents,
        all.map(({ rate }) => rate),
        { counties: areas },
      );
      counties.forEach((tracts, at) => {
        const expected = tracts.filter((each) => each.residents !== 0);
        const known = expected.filter(({ rate }) => !Number.isNaN(rate));
        expect(covers(coverage, 'county', at, POVERTY)).toBe(known.length * 20 >= expected.length * 19);
      });
      const known = all.filter((each) => each.residents !== 0 && !Number.isNaN(each.rate));
      expect(coverage.known.national[POVERTY]).toBe(known.length);
    }),
  );
});
