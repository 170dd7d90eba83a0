import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TREND_METRICS } from '../../src/core/metrics.js';
import { trends } from '../../src/query/trends.js';
import { madeUpTracts } from '../support/made-up-tracts.js';

const PATHS = TREND_METRICS.map(({ path }) => path);
const YEARS = [2018, 2019, 2021, 2022, 2023];
/** Of a dataset that records no vintages: the newest. */
const CURRENT = 2023;

const value = fc.option(
  fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100),
  { nil: undefined },
);
const year = fc.tuple(...PATHS.map(() => value)).map((list) => {
  return Object.fromEntries(PATHS.flatMap((path, at) => (list[at] === undefined ? [] : [[path, list[at]]])));
});
const empty = fc.constant<Record<string, number>>({});
const history = fc
  .tuple(...YEARS.map(() => fc.oneof(year, empty)))
  .map(
    (list): Record<number, Record<string, number>> =>
      Object.fromEntries(YEARS.map((year, at) => [year, list[at] ?? {}])),
  );

it('years are those with a value and the current one, ascending, and changes those of a naive computation', () => {
  const property = fc.property(history, history, (first, second) => {
    const file = madeUpTracts(
      [
        { geoid: '10001000100', trend: first },
        { geoid: '10001000200', trend: second },
      ],
      { trendYears: YEARS },
    );
    [first, second].forEach((given, row) => {
      const withValues = YEARS.filter((year) => Object.keys(given[year] ?? {}).length > 0);
      fc.pre(withValues.length > 0);
      const { years, changes } = trends(file, row);
      expect(years).toEqual(
        YEARS.filter((year) => year === CURRENT || withValues.includes(year)).map((year) => ({
          year,
          ...Object.fromEntries(PATHS.map((path) => [path, given[year]?.[path] ?? null])),
        })),
      );
      expect(changes.map(({ metric }) => metric)).toEqual(PATHS);
      for (const change of changes) expectChange(change, given);
    });
  });
  fc.assert(property, { numRuns: 100 });
});

/** A share in hundredths of a percent, half away from zero; the divisor is positive. */
function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const magnitude = (dividend < 0n ? -dividend : dividend) * 10_000n;
  const quotient = (2n * magnitude + divisor) / (2n * divisor);
  return dividend < 0n ? -quotient : quotient;
}

type Change = ReturnType<typeof trends>['changes'][number];

function expectChange(change: Change, given: Record<number, Record<string, number>>): void {
  const known = YEARS.filter((year) => given[year]?.[change.metric] !== undefined);
  const [from, to] = [known[0], known.at(-1)];
  if (from === undefined || to === undefined || known.length < 2) {
    expect(Object.entries(change).filter(([, value]) => value !== null)).toEqual([['metric', change.metric]]);
    return;
  }
  const [earliest, latest] = [given[from]?.[change.metric] ?? 0, given[to]?.[change.metric] ?? 0];
  expect(change).toMatchObject({
    earliest_year: from,
    latest_year: to,
    earliest_value: earliest,
    latest_value: latest,
  });
  // The values are whole hundredths, so that their difference is, too.
  expect(change.absolute_change).toBeCloseTo(Math.round(latest * 100 - earliest * 100) / 100, 10);
  expect(String(change.absolute_change)).toMatch(/^-?\d+(\.\d{1,2})?$/);
  if (earliest === 0) expect(change.percent_change).toBeNull();
  else {
    // In whole numbers, as on paper: hundredths of a percent, half away from zero.
    const [from, to] = [earliest, latest].map((value) => BigInt(Math.round(value * 100)));
    const rounded = divideHalfUp((to ?? 0n) - (from ?? 0n), from ?? 1n);
    expect((change.percent_change ?? Number.NaN) + 0).toBe(Number(rounded) / 100);
    expect(String(change.percent_change)).toMatch(/^-?\d+(\.\d{1,2})?$/);
  }
}
