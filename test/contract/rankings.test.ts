import { describe, expect, test } from 'vitest';
import { COMPARED_METRICS } from '../../src/core/metrics.js';
import { rankingsSchema } from '../../src/http/schemas/comparisons.js';
import { failure, invalid, shareContract } from '../support/contract.js';
import { NO_TRACT, TRACT } from '../support/contract-values.js';

const contract = shareContract();
const get = (query: string) => contract.call(`/v1/demographics/compare?${query}`);

describe('GET /v1/demographics/compare', () => {
  test('200: ranks and averages seven metrics, with the record’s values', async () => {
    const [answer, record] = await Promise.all([get(`geoid=${TRACT}`), contract.call(`/v1/tracts/${TRACT}`)]);
    const { rankings, averages, ...identity } = rankingsSchema.parse(answer.body);
    const keys = COMPARED_METRICS.map(({ key }) => key);
    expect(rankings.map(({ metric }) => metric)).toEqual(keys);
    expect(averages.map(({ metric }) => metric)).toEqual(keys);
    expect(record.body).toMatchObject({
      ...identity,
      ...Object.fromEntries(rankings.map(({ metric, value }) => [metric, value])),
    });
    expect(averages.map(({ tract_value }) => tract_value)).toEqual(rankings.map(({ value }) => value));
  });

  test('200: the averages are the other side of comparisons', async () => {
    const [ranks, compared] = await Promise.all([
      get(`geoid=${TRACT}`),
      contract.call(`/v1/compare?geoid1=${TRACT}&compare_to=national`),
    ]);
    const { averages } = rankingsSchema.parse(ranks.body);
    const values = Object.fromEntries(averages.map(({ metric, national_avg }) => [metric, national_avg]));
    expect(compared.body).toHaveProperty('b.values', values);
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
