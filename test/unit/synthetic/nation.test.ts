import { describe, expect, it } from 'vitest';
import type { Geoid } from '../../../src/core/geoid.js';
import { METRICS } from '../../../src/core/metrics.js';
import { valuesOf } from '../../support/layers.js';
import { edgesOfOutline, unmatchedEdges } from './edges.js';
import { newestValues, recordTracts } from './recorder.js';

/** A tenth of the nation: Alaska, and states that border on each other, independent cities among them. */
const SOME_STATES = {
  states: new Set(['02', '09', '10', '11', '24', '25', '33', '44', '50', '51', '54']),
  tracts: 8161,
  counties: 298,
  rimMax: 0.15,
};
const NATION = { states: undefined, tracts: 84_415, counties: 3144, rimMax: 0.1 };
/** The whole of it takes half a minute of processor time, and so is made by `npm run test:long` alone. */
const made = process.env.LONG_TESTS === 'true' ? NATION : SOME_STATES;
const nation = recordTracts({ seed: 1, ...(made.states && { states: made.states }) });
const values = new Map(
  METRICS.filter(({ section }) => section !== 'sdoh_index').map(({ path }) => [path, newestValues(nation, path)]),
);
const of = (path: string): Map<Geoid, number> => values.get(path) ?? new Map();

function correlation(pathA: string, pathB: string): number {
  const [a, b] = [of(pathA), of(pathB)];
  const pairs = [...a].flatMap(([geoid, x]) => (b.has(geoid) ? [[x, b.get(geoid) ?? 0] as const] : []));
  const meanOf = (side: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length;
  const [meanA, meanB] = [meanOf(0), meanOf(1)];
  let [ab, aa, bb] = [0, 0, 0];
  for (const [x, y] of pairs) {
    ab += (x - meanA) * (y - meanB);
    aa += (x - meanA) ** 2;
    bb += (y - meanB) ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}

/** The least and the greatest value that may occur, the range of its median, and its number of decimals. */
const RANGES: Record<
  string,
  [least: number, greatest: number, lowMedian: number, highMedian: number, decimals: number]
> = {
  total_population: [0, 8000, 3500, 4300, 0],
  median_household_income: [2499, 250_001, 60_000, 90_000, 0],
  poverty_rate: [0, 100, 8, 13, 2],
  uninsured_rate: [0, 100, 5, 10, 2],
  unemployment_rate: [0, 100, 3, 7, 2],
  median_age: [19, 75, 36, 42, 1],
  'svi_themes.rpl_themes': [0, 1, 0.45, 0.55, 4],
  'places_measures.diabetes': [1, 50, 9, 14, 1],
  'places_measures.dental': [15, 95, 55, 70, 1],
  'epa_data.pm25': [3, 15, 7, 10, 2],
  'epa_data.ozone': [40, 85, 55, 63, 2],
  'epa_data.air_toxics_cancer_risk': [0, 150, 15, 35, 0],
  'epa_data.lead_paint_pct': [0, 100, 15, 40, 2],
  'epa_data.traffic_proximity': [0, 5000, 30, 130, 2],
};

describe('the synthetic nation', () => {
  it('has the tracts of the 2023 gazetteer in every state, all with an outline', () => {
    expect(nation.tracts.size).toBe(made.tracts);
    expect(nation.outlines.size).toBe(made.tracts);
    expect(new Set([...nation.tracts.keys()].map((geoid) => geoid.slice(0, 2))).size).toBe(made.states?.size ?? 51);
  });

  it('has no two tracts on the same side of an edge, so none overlap across county and state borders', () => {
    const edges = [...nation.outlines.values()].flatMap((outline) => [...edgesOfOutline(outline)]);
    const border = unmatchedEdges(edges);
    expect(border.length).toBeGreaterThan(0);
    expect(border.length / edges.length).toBeLessThan(made.rimMax);
  });

  it('says synthetic in every label and product, for every county', () => {
    for (const { key } of nation.layers) expect(key.label).toMatch(/^Synthetic /);
    for (const { product } of nation.tallies) expect(product).toMatch(/^Synthetic /);
    expect(nation.countyNames.size).toBe(made.counties);
  });

  it('accounts for every row as kept', () => {
    for (const { key, size, tally } of nation.layers.filter(({ key }) => key.source !== 'acs')) {
      expect([key.label, tally.read, tally.kept]).toEqual([key.label, size, size]);
    }
    const acs = nation.tallies.filter(({ source }) => source === 'acs');
    expect(acs.map(({ read, kept }) => [read, kept])).toEqual(Array(10).fill([6 * made.tracts, 6 * made.tracts]));
  });

  it.each(Object.entries(RANGES))(
    'has %s in its range, with its decimals',
    (path, [least, greatest, low, high, decimals]) => {
      const sorted = Float64Array.from(of(path).values()).sort();
      expect(sorted.length / made.tracts).toBeGreaterThan(0.95);
      expect(sorted.at(0)).toBeGreaterThanOrEqual(least);
      expect(sorted.at(-1)).toBeLessThanOrEqual(greatest);
      const median = sorted[sorted.length >> 1] ?? Number.NaN;
      expect(median).toBeGreaterThan(low);
      expect(median).toBeLessThan(high);
      expect(sorted.every((value) => Number(value.toFixed(decimals)) === value)).toBe(true);
    },
  );

  it('has values for every metric but the derived index', () => {
    for (const [path, known] of values) expect([path, known.size / made.tracts > 0.95]).toEqual([path, true]);
  });

  it.each([
    ['poverty_rate', 'median_household_income', -1, -0.6],
    ['poverty_rate', 'svi_themes.rpl_themes', 0.6, 1],
    ['poverty_rate', 'places_measures.diabetes', 0.4, 0.9],
    ['median_age', 'places_measures.chd', 0.3, 0.9],
    ['uninsured_rate', 'places_measures.access2', 0.3, 0.9],
    ['places_measures.dental', 'svi_themes.rpl_theme1', -1, -0.5],
    ['epa_data.traffic_proximity', 'epa_data.diesel_pm', 0.2, 0.8],
  ])('has %s and %s go together as they do in the field', (a, b, least, greatest) => {
    const found = correlation(a, b);
    expect(found).toBeGreaterThan(least);
    expect(found).toBeLessThan(greatest);
  });

  it('has tracts without residents, and no rate, rank or prevalence for them', () => {
    const empty = [...of('total_population')].filter(([, people]) => people === 0).map(([geoid]) => geoid);
    expect(empty.length / made.tracts).toBeGreaterThan(0.0012);
    expect(empty.length / made.tracts).toBeLessThan(0.006);
    for (const geoid of empty) {
      expect(geoid.slice(5)).toMatch(/^98\d\d00$/);
      for (const path of ['poverty_rate', 'median_age', 'svi_themes.rpl_themes', 'places_measures.diabetes']) {
        expect(of(path).has(geoid)).toBe(false);
      }
    }
  });

  it('lacks about one income in a hundred, a few SVI ranks, and PLACES where fewer than 50 people live', () => {
    const inhabited = [...of('total_population')].filter(([, people]) => people > 0);
    const withoutIncome = inhabited.filter(([geoid]) => !of('median_household_income').has(geoid)).length;
    expect(withoutIncome / inhabited.length).toBeGreaterThan(0.005);
    expect(withoutIncome / inhabited.length).toBeLessThan(0.02);
    const withoutSvi = inhabited.filter(([geoid]) => !of('svi_themes.rpl_themes').has(geoid)).length;
    expect(withoutSvi / made.tracts).toBeGreaterThan(0.0006);
    expect(withoutSvi / made.tracts).toBeLessThan(0.006);
    const wrong = inhabited.filter(([geoid, people]) => of('places_measures.diabetes').has(geoid) !== people >= 50);
    expect(wrong).toEqual([]);
  });

  it('lacks fine particles and ozone in Alaska and Hawaii alone', () => {
    for (const path of ['epa_data.pm25', 'epa_data.ozone']) {
      const wrong = [...nation.tracts.keys()].filter((geoid) => of(path).has(geoid) === /^(02|15)/.test(geoid));
      expect(wrong).toEqual([]);
    }
  });

  it('has trends that run smoothly: a year changes a poverty rate by less than a tenth of it', () => {
    const years = nation.layers.filter(({ key }) => key.table === 'B17001').sort((a, b) => a.key.year - b.key.year);
    expect(years.map(({ key }) => key.year)).toEqual([2014, 2015, 2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023]);
    let falling = 0;
    for (const geoid of nation.tracts.keys()) {
      const course = years.map((layer) => valuesOf(layer, geoid)?.[0] ?? Number.NaN);
      for (let i = 1; i < course.length; i++) {
        const [before, after] = [course[i - 1] ?? 0, course[i] ?? 0];
        if (Math.abs(after - before) > before / 10 + 0.02) throw new Error(`${geoid} jumps from ${before} to ${after}`);
      }
      if ((course.at(0) ?? 0) > (course.at(-1) ?? 0)) falling++;
    }
    expect(falling / nation.tracts.size).toBeGreaterThan(0.9);
  });
});
