import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMPARED_METRICS, METRICS, metricIndex } from '../../src/core/metrics.js';
import { SCOPES } from '../../src/core/scopes.js';
import { NO_RANK } from '../../src/format/tracts-file.js';
import { deriveAverages, deriveRanks, deriveSdohIndex, type ScopeAreas } from '../../src/load/write/derive.js';

/** Values as the sources have them: two decimals, many equal, some missing. */
const percentage = fc.oneof(
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100) },
  { weight: 3, arbitrary: fc.constantFrom(0, 5, 12.5, 100) },
);
const rank = fc.oneof(
  fc.constant(Number.NaN),
  fc.integer({ min: 0, max: 10_000 }).map((value) => value / 10_000),
);

/** Columns of up to 60 tracts, cut into counties and these into states. */
const dataset = fc.integer({ min: 1, max: 60 }).chain((rows) =>
  fc.record({
    columns: fc.tuple(
      ...METRICS.map((metric) =>
        fc.array(metric.section === 'svi_themes' ? rank : percentage, { minLength: rows, maxLength: rows }),
      ),
    ),
    countyEnds: fc.uniqueArray(fc.integer({ min: 1, max: rows }), { maxLength: 5 }),
  }),
);

function areasOf(rows: number, countyEnds: readonly number[]): ScopeAreas {
  const ends = [...new Set([...countyEnds, rows])].sort((a, b) => a - b);
  const county = ends.map((end, index) => ({
    firstRow: ends[index - 1] ?? 0,
    tractCount: end - (ends[index - 1] ?? 0),
  }));
  const split = county[county.length >> 1]?.firstRow ?? 0;
  const state =
    split === 0
      ? [{ firstRow: 0, tractCount: rows }]
      : [
          { firstRow: 0, tractCount: split },
          { firstRow: split, tractCount: rows - split },
        ];
  return { county, state, national: [{ firstRow: 0, tractCount: rows }] };
}

const known = (values: readonly number[]): number[] => values.filter((value) => !Number.isNaN(value));

/** How many of the known values are strictly below, and how many there are, by counting. */
const fractionBelow = (all: readonly number[], value: number): readonly [below: number, all: number] => [
  known(all).filter((other) => other < value).length,
  known(all).length,
];

/** The mean of fractions of whole numbers, exact, and rounded half up to four decimals. */
function meanOnPaper(fractions: readonly (readonly [numerator: number, denominator: number])[]): number {
  const product = fractions.reduce((all, [, denominator]) => all * BigInt(denominator), 1n);
  const sum = fractions.reduce((all, [part, whole]) => all + (BigInt(part) * product) / BigInt(whole), 0n);
  const whole = product * BigInt(fractions.length);
  return Number((2n * sum * 10_000n + whole) / (2n * whole)) / 10_000;
}

/** Off by no more than half of the last decimal. */
const isRounded = (actual: number, exact: number, decimals: number): boolean =>
  Math.abs(actual - exact) <= 0.5 * 10 ** -decimals + 1e-9 &&
  Math.abs(actual * 10 ** decimals - Math.round(actual * 10 ** decimals)) < 1e-6;

describe('derived values, against counting and adding by hand', () => {
  it('sdoh_index is the mean of the two to four components that a tract has, four decimals, else missing', () => {
    const property = fc.property(dataset, ({ columns }) => {
      const values = columns.map((column) => Float64Array.from(column));
      values[metricIndex('sdoh_index')]?.fill(Number.NaN);
      deriveSdohIndex(values);
      const of = (path: string): readonly number[] => columns[metricIndex(path)] ?? [];
      values[metricIndex('sdoh_index')]?.forEach((index, row) => {
        const ranks = ['poverty_rate', 'uninsured_rate', 'unemployment_rate']
          .filter((path) => !Number.isNaN(of(path)[row]))
          .map((path) => fractionBelow(of(path), of(path)[row] ?? Number.NaN));
        const overall = known([of('svi_themes.rpl_themes')[row] ?? Number.NaN]);
        const components = [...ranks, ...overall.map((rank) => [Math.round(rank * 10_000), 10_000] as const)];
        expect(index).toBe(components.length < 2 ? Number.NaN : meanOnPaper(components));
      });
    });
    fc.assert(property, { numRuns: 60 });
  });

  it('sdoh_index is rounded as on paper where a double falls short of the half', () => {
    const values = METRICS.map(() => new Float64Array(880).fill(Number.NaN));
    const set = (path: string, column: Float64Array<ArrayBuffer>): void =>
      void values.splice(metricIndex(path), 1, column);
    // The tract in question is the last one; the others only decide its ranks.
    const lastAbove = (below: number): Float64Array<ArrayBuffer> =>
      Float64Array.from({ length: 880 }, (_, at) => (at === 879 ? 50 : at < below ? 0 : 100));
    set('poverty_rate', lastAbove(469));
    set('uninsured_rate', lastAbove(226));
    set('unemployment_rate', lastAbove(482));
    set('svi_themes.rpl_themes', new Float64Array(880).fill(0.4467));
    deriveSdohIndex(values);
    expect(values[metricIndex('sdoh_index')]?.[879]).toBe(0.4461);
  });

  it('a rank in the middle between two tenths is rounded up, as on paper: 203 of 400 is 50.75%', () => {
    const column = Float64Array.from({ length: 400 }, (_, row) => row);
    const values = METRICS.map(() => column);
    const ranks = deriveRanks(values, areasOf(400, [400]));
    expect(ranks[203 * COMPARED_METRICS.length * SCOPES.length]).toBe(508);
  });

  it('ranks are the share strictly below, within county, state and nation, in tenths of a percent', () => {
    const property = fc.property(dataset, ({ columns, countyEnds }) => {
      const rows = columns[0]?.length ?? 0;
      const areas = areasOf(rows, countyEnds);
      const ranks = deriveRanks(
        columns.map((column) => Float64Array.from(column)),
        areas,
      );
      expect(ranks).toHaveLength(rows * COMPARED_METRICS.length * SCOPES.length);
      const wrong: string[] = [];
      COMPARED_METRICS.forEach((metric, metricAt) => {
        const column = columns[metricIndex(metric.path)] ?? [];
        SCOPES.forEach((scope, scopeAt) => {
          for (const { firstRow, tractCount } of areas[scope]) {
            const peers = column.slice(firstRow, firstRow + tractCount);
            peers.forEach((value, index) => {
              const found =
                ranks[((firstRow + index) * COMPARED_METRICS.length + metricAt) * SCOPES.length + scopeAt] ?? -1;
              const [below, all] = fractionBelow(peers, value);
              const right = Number.isNaN(value) ? found === NO_RANK : isRounded(found / 10, (below / all) * 100, 1);
              if (!right) wrong.push(`${metric.path} in ${scope}, row ${firstRow + index}: ${found}`);
            });
          }
        });
      });
      expect(wrong).toEqual([]);
    });
    fc.assert(property, { numRuns: 60 });
  });

  it('averages are plain means of the known values to four decimals, missing where there is none', () => {
    const property = fc.property(dataset, ({ columns, countyEnds }) => {
      const areas = areasOf(columns[0]?.length ?? 0, countyEnds);
      const averages = deriveAverages(
        columns.map((column) => Float64Array.from(column)),
        areas,
      );
      for (const scope of SCOPES) {
        expect(averages[scope]).toHaveLength(areas[scope].length * COMPARED_METRICS.length);
        areas[scope].forEach(({ firstRow, tractCount }, area) => {
          COMPARED_METRICS.forEach((metric, metricAt) => {
            const peers = known((columns[metricIndex(metric.path)] ?? []).slice(firstRow, firstRow + tractCount));
            const found = averages[scope][area * COMPARED_METRICS.length + metricAt] ?? Number.NaN;
            const mean = peers.reduce((sum, value) => sum + value, 0) / peers.length;
            expect(peers.length === 0 ? Number.isNaN(found) : isRounded(found, mean, 4)).toBe(true);
          });
        });
      }
    });
    fc.assert(property, { numRuns: 60 });
  });
});
