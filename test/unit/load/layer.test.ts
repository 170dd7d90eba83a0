import { describe, expect, it } from 'vitest';
import { Intake } from '../../../src/load/intake/intake.js';
import { geoidOf, layerOf, rowsOf, valuesOf } from '../../support/layers.js';

const DE = '10001040100';
const DC = '11001000101';
const MISSING = Number.NaN;

/** DP03's three metrics, as an API query split by variable gives them. */
const DP03 = { table: 'DP03', metrics: ['median_household_income', 'unemployment_rate', 'uninsured_rate'] };

describe('two files of one table and year', () => {
  it('with different metrics of the same tracts complete each other, whichever comes first', () => {
    const income = (): ReturnType<typeof layerOf> => layerOf({ [DE]: [70_000, MISSING, MISSING] }, DP03);
    const rates = (): ReturnType<typeof layerOf> => layerOf({ [DE]: [MISSING, 4.5, 0] }, DP03);
    for (const [first, second] of [
      [income(), rates()],
      [rates(), income()],
    ] as const) {
      first.merge(second);
      expect(valuesOf(first, geoidOf(DE))).toEqual([70_000, 4.5, 0]);
      expect(first.tally).toMatchObject({ rejectedRows: 0, leftOutRows: 0 });
      first.leave(geoidOf(DE), 'unwanted');
      expect([first, second].map(({ tally }) => [tally.leftOutRows, tally.kept])).toEqual([
        [1, 0],
        [1, 0],
      ]);
    }
  });

  it('with other columns have the columns of both, and know which state came with which', () => {
    const income = layerOf({ [DE]: [70_000], [DC]: [90_000] }, { table: 'DP03', metrics: ['median_household_income'] });
    income.merge(layerOf({ [DE]: [4.5, 0] }, { table: 'DP03', metrics: ['unemployment_rate', 'uninsured_rate'] }));
    expect(income.key.metrics).toEqual(['median_household_income', 'unemployment_rate', 'uninsured_rate']);
    expect([DE, DC].map((geoid) => valuesOf(income, geoidOf(geoid)))).toEqual([
      [70_000, 4.5, 0],
      [90_000, MISSING, MISSING],
    ]);
    expect(['10', '11', '12'].map((state) => income.holds(state, 'uninsured_rate'))).toEqual([true, false, false]);
    expect(income.holds('11', 'median_household_income')).toBe(true);
    income.merge(
      layerOf({ [DC]: [90_000, 5] }, { table: 'DP03', metrics: ['median_household_income', 'uninsured_rate'] }),
    );
    expect(valuesOf(income, geoidOf(DC))).toEqual([90_000, MISSING, 5]);
    expect(income.tally).toMatchObject({ rejectedRows: 0, leftOutRows: 0 });
  });

  it('of which the second brings more columns hold more rows than a layer is first made for', () => {
    const many = (first: number): Record<string, number[]> =>
      Object.fromEntries(Array.from({ length: 200 }, (_, at) => [String(10001000000 + first + at), [first + at]]));
    const layer = layerOf(many(0));
    layer.merge(layerOf(many(100), { metrics: ['total_population'] }));
    expect(layer.size).toBe(300);
    expect(rowsOf(layer).map(([, values]) => values)).toEqual(
      Array.from({ length: 300 }, (_, at) => [at < 200 ? at : MISSING, at < 100 ? MISSING : at]),
    );
  });

  it('with tracts of their own hold all of them', () => {
    const layer = layerOf({ [DE]: [1] });
    layer.merge(layerOf({ [DC]: [2] }));
    expect(rowsOf(layer).map(([geoid, values]) => [geoid, values[0]])).toEqual([
      [DE, 1],
      [DC, 2],
    ]);
  });

  it('that say the same of a tract keep it once', () => {
    const layer = layerOf({ [DE]: [1, MISSING, 3] }, DP03);
    const others = [[1, MISSING, 3] as const, [MISSING, MISSING, 3] as const].map((row) =>
      layerOf({ [DE]: row }, DP03),
    );
    for (const other of others) {
      layer.merge(other);
      expect(Object.fromEntries(other.tally.leftOut)).toEqual({ 'duplicate row': 1 });
      expect(other.tally.rejectedRows).toBe(0);
    }
    expect(layer.tally).toMatchObject({ rejectedRows: 0, leftOutRows: 0 });
  });

  it('that contradict each other keep the first row whole and reject the second whole', () => {
    const layer = layerOf({ [DE]: [1, MISSING, 3] }, DP03);
    const second = layerOf({ [DE]: [2, 5, 3] }, DP03);
    layer.merge(second);
    expect(valuesOf(layer, geoidOf(DE))).toEqual([1, MISSING, 3]);
    expect(layer.tally.rejectedRows).toBe(0);
    expect(Object.fromEntries(second.tally.rejected)).toEqual({ 'duplicate GEOID with other values': 1 });
  });

  it('of which one ranks within the state is known to do so', () => {
    const other = layerOf({});
    other.stateRanked.add('10');
    const layer = layerOf({});
    layer.merge(other);
    expect([...layer.stateRanked]).toEqual(['10']);
  });
});

describe('one file', () => {
  it('that holds a tract twice with other values, be one of them missing, has the second row rejected', () => {
    for (const [first, second] of [
      [1, 2],
      [1, MISSING],
      [MISSING, 1],
    ] as const) {
      const layer = layerOf({ [DE]: [first] });
      layer.add(geoidOf(DE), [second]);
      expect(Object.fromEntries(layer.tally.rejected)).toEqual({ 'duplicate GEOID with other values': 1 });
      expect(valuesOf(layer, geoidOf(DE))).toEqual([first]);
    }
  });

  it('holds more rows than a layer is first made for', () => {
    const rows = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [String(10001000000 + at), [at]]));
    const layer = layerOf(rows);
    expect(layer.size).toBe(200);
    expect(rowsOf(layer).map(([, values]) => values[0])).toEqual(Array.from({ length: 200 }, (_, at) => at));
  });
});

describe('the intake', () => {
  it('makes one layer of files of one table and year, and keeps other years and tables apart', () => {
    const intake = new Intake({ territories: false });
    intake.addLayer(layerOf({ [DE]: [1] }));
    intake.addLayer(layerOf({ [DC]: [2] }));
    intake.addLayer(layerOf({ [DC]: [3] }, { year: 2021 }));
    intake.addLayer(layerOf({ [DC]: [4] }, { table: 'DP03' }));
    expect([...intake.layers.values()].map((layer) => [layer.key.table, layer.key.year, layer.size])).toEqual([
      ['B19013', 2022, 2],
      ['B19013', 2021, 1],
      ['DP03', 2022, 1],
    ]);
  });
});
