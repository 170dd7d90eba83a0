import { describe, expect, test } from 'vitest';
import { TREND_METRICS } from '../../src/core/metrics.js';
import { trendsSchema } from '../../src/http/schemas/comparisons.js';
import { failure, invalid, shareContract } from '../support/contract.js';
import { NO_TRACT, TRACT } from '../support/contract-values.js';

const contract = shareContract();
const get = (query: string) => contract.call(`/v1/trends?${query}`);

describe('GET /v1/trends', () => {
  test('200: gives the years ascending, and for each of six metrics the change between its first and last value', async () => {
    const { years, changes } = trendsSchema.parse((await get(`geoid=${TRACT}`)).body);
    const order = years.map(({ year }) => year);
    expect(order).toEqual([...new Set(order)].sort());
    expect(changes.map(({ metric }) => metric)).toEqual(TREND_METRICS.map(({ key }) => key));
    for (const change of changes) {
      const known = years.flatMap((entry) => {
        const value: unknown = Reflect.get(entry, change.metric);
        return typeof value === 'number' ? [{ year: entry.year, value }] : [];
      });
      const [first, last] = [known[0], known.at(-1)];
      expect(change).toMatchObject({ earliest_year: first?.year, latest_year: last?.year });
      expect(change.absolute_change).toBeCloseTo((last?.value ?? 0) - (first?.value ?? 0), 4);
      expect(change.percent_change).toBeCloseTo(
        (((last?.value ?? 0) - (first?.value ?? 0)) / (first?.value ?? 0)) * 100,
        1,
      );
    }
  });

  test('200: the last year is the record’s', async () => {
    const [trends, record] = await Promise.all([get(`geoid=${TRACT}`), contract.call(`/v1/tracts/${TRACT}`)]);
    const { year: _, ...latest } = trendsSchema.parse(trends.body).years.at(-1) ?? { year: 0 };
    expect(record.body).toMatchObject(latest);
  });

  test('404: a tract that is not loaded', async () => {
    expect(await get(`geoid=${NO_TRACT}`)).toMatchObject(failure(404, `Tract ${NO_TRACT} not found.`));
  });

  test.each([
    ['', 'missing'],
    ['geoid=1', 'string_pattern_mismatch'],
    [`geoid=${TRACT}&geoid=${TRACT}`, 'value_error'],
  ])('422: %j', async (query, type) => {
    expect(await get(query)).toMatchObject(invalid(['query', 'geoid'], type));
  });
});
