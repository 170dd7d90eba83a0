import fc from 'fast-check';
import { expect, it } from 'vitest';
import { COMPARED_METRICS } from '../../src/core/metrics.js';
import { SCOPES, type Scope } from '../../src/core/scopes.js';
import { rankingsSchema } from '../../src/http/schemas/comparisons.js';
import { compareToAverage, compareTracts } from '../../src/query/compare.js';
import { createRankings } from '../../src/query/rankings.js';
import { readComparison } from '../support/comparison.js';
import { givenValue, type MadeUpTract, madeUpTracts } from '../support/made-up-tracts.js';

const PATHS = COMPARED_METRICS.map(({ path }) => path);

/** Few distinct values, so that ties are many, and some missing. */
const value = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 9 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 10_000_000 }).map((cents) => cents / 100) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const values = fc
  .tuple(...PATHS.map(() => value))
  .map(
    (list): Record<string, number> =>
      Object.fromEntries(PATHS.flatMap((path, at) => (list[at] === undefined ? [] : [[path, list[at]]]))),
  );
const nation = fc
  .array(fc.record({ county: fc.constantFrom('10001', '10003', '11001', '51001', '51003'), values }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((list): MadeUpTract[] =>
    list
      .map(({ county, values }, at) => ({ geoid: `${county}${String(at + 1).padStart(6, '0')}`, values }))
      .sort((a, b) => (a.geoid < b.geoid ? -1 : 1)),
  );

const DIGITS: Record<Scope, number> = { county: 5, state: 2, national: 0 };

/** The known values of a metric in the area around a tract, by looking at every tract. */
function around(tracts: readonly MadeUpTract[], tract: MadeUpTract, scope: Scope, path: string): number[] {
  return tracts
    .filter(({ geoid }) => geoid.startsWith(tract.geoid.slice(0, DIGITS[scope])))
    .flatMap(({ values }) => values?.[path] ?? []);
}

/** The mean of decimals with up to four places as on paper: whole ten-thousandths, halves away from zero. */
function naiveAverage(known: readonly number[]): number | null {
  if (known.length === 0) return null;
  const count = BigInt(known.length);
  const sum = known.reduce((total, one) => total + BigInt(Math.round(one * 10_000)), 0n);
  const magnitude = sum < 0n ? -sum : sum;
  const rounded = Number((2n * magnitude + count) / (2n * count)) / 10_000;
  return sum < 0n ? -rounded : rounded;
}

function naivePercentile(known: readonly number[], own: number | null): number | null {
  if (own === null) return null;
  // Whole numbers until the last division, so that halves are exact.
  return Math.round((known.filter((one) => one < own).length * 1000) / known.length) / 10;
}

it('ranks and averages are those of a naive scan over all tracts', () => {
  const property = fc.property(nation, (tracts) => {
    const file = madeUpTracts(tracts);
    const write = createRankings(file);
    tracts.forEach((tract, row) => {
      const answer = rankingsSchema.parse(JSON.parse(Buffer.from(write(row)).toString()));
      expect(answer.rankings.map(({ metric }) => metric)).toEqual(PATHS);
      expect(answer.averages.map(({ metric }) => metric)).toEqual(PATHS);
      PATHS.forEach((path, at) => {
        const own = givenValue(tract, path);
        const known = (scope: Scope): number[] => around(tracts, tract, scope, path);
        expect(answer.rankings[at]).toEqual({
          metric: path,
          value: own,
          county_percentile: naivePercentile(known('county'), own),
          state_percentile: naivePercentile(known('state'), own),
          national_percentile: naivePercentile(known('national'), own),
        });
        expect(answer.averages[at]).toEqual({
          metric: path,
          tract_value: own,
          county_avg: naiveAverage(known('county')),
          state_avg: naiveAverage(known('state')),
          national_avg: naiveAverage(known('national')),
        });
      });
    });
  });
  fc.assert(property, { numRuns: 50 });
});

it('differences are a − b to four decimals, and null exactly where a side is', () => {
  const property = fc.property(nation, fc.nat(), fc.nat(), (tracts, pickA, pickB) => {
    const file = madeUpTracts(tracts);
    const [rowA, rowB] = [pickA % tracts.length, pickB % tracts.length];
    const ofTracts = readComparison(compareTracts(file, rowA, rowB));
    for (const path of PATHS) {
      const own = givenValue(tracts[rowA], path);
      const other = givenValue(tracts[rowB], path);
      expect([ofTracts.a.values[path], ofTracts.b.values[path]]).toEqual([own, other]);
      expectDifference(ofTracts.differences[path], own, other);
    }
    for (const scope of SCOPES) {
      const { b, differences } = readComparison(compareToAverage(file, rowA, scope));
      for (const path of PATHS) {
        const tract = tracts[rowA] ?? { geoid: '' };
        const average = naiveAverage(around(tracts, tract, scope, path));
        expect(b.values[path]).toBe(average);
        expectDifference(differences[path], givenValue(tract, path), average);
      }
    }
  });
  fc.assert(property, { numRuns: 50 });
});

function expectDifference(shown: number | null | undefined, a: number | null, b: number | null): void {
  if (a === null || b === null || typeof shown !== 'number') {
    expect(shown).toBeNull();
    expect(a === null || b === null).toBe(true);
    return;
  }
  expect(Math.abs(shown - (a - b))).toBeLessThanOrEqual(0.00005 + 1e-9);
  expect(String(shown)).toMatch(/^-?\d+(\.\d{1,4})?$/);
}
