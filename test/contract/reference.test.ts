import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/core/dictionary.js';
import { METRICS } from '../../src/core/metrics.js';
import { coverageSchema, dictionarySchema } from '../../src/http/schemas/reference.js';
import { failure, invalid, shareContract } from '../support/contract.js';

const contract = shareContract();

describe('GET /v1/dictionary', () => {
  const get = (query: string) => contract.call(`/v1/dictionary?${query}`);

  test('200: describes every field of a record, each once', async () => {
    const { total_fields, categories } = dictionarySchema.parse((await get('')).body);
    const names = categories.flatMap(({ fields }) => fields.map(({ name }) => name));
    const identity = ['geoid', 'state_fips', 'county_fips', 'tract_code', 'name', 'epa_data._source'];
    expect([...names].sort()).toEqual([...identity, ...METRICS.map(({ path }) => path)].sort());
    expect(total_fields).toBe(names.length);
    expect(categories.map(({ category }) => category)).toEqual(CATEGORIES);
  });

  test.each(CATEGORIES)('200: gives the fields of one category alone: %s', async (category) => {
    const answer = dictionarySchema.parse((await get(`category=${category}`)).body);
    expect(answer.categories.map((entry) => entry.category)).toEqual([category]);
    expect(answer.total_fields).toBe(answer.categories[0]?.fields.length);
  });

  test.each(['economy', '', 'Identity', "x' OR '1", '<b>'])('400: %j', async (category) => {
    const { status, body } = await get(new URLSearchParams({ category }).toString());
    expect({ status, body }).toEqual(
      failure(
        400,
        `Invalid category '${category}'. Valid: demographics, vulnerability, health_outcomes, environmental, composite, identity`,
      ),
    );
  });

  test('422: a category given twice', async () => {
    expect(await get('category=identity&category=identity')).toMatchObject(
      invalid(['query', 'category'], 'value_error'),
    );
  });
});

describe('GET /v1/stats', () => {
  const get = (query: string) => contract.call(`/v1/stats?${query}`);
  const states = [
    { state_fips: '10', tract_count: 262 },
    { state_fips: '11', tract_count: 206 },
    { state_fips: '44', tract_count: 250 },
  ];

  test('200: counts the loaded states and tracts, by FIPS', async () => {
    expect((await get('')).body).toEqual({ total_states: 3, total_tracts: 718, offset: 0, limit: 60, states });
  });

  test('200: a page of them keeps the totals', async () => {
    const page = coverageSchema.parse((await get('offset=1&limit=1')).body);
    expect(page).toEqual({ total_states: 3, total_tracts: 718, offset: 1, limit: 1, states: states.slice(1, 2) });
    expect((await get('offset=3')).body).toHaveProperty('states', []);
  });

  test.each([
    ['limit=0', 'limit', 'greater_than_equal'],
    ['limit=201', 'limit', 'less_than_equal'],
    ['offset=-1', 'offset', 'greater_than_equal'],
    ['offset=x', 'offset', 'int_parsing'],
  ])('422: %s', async (query, name, type) => {
    expect(await get(query)).toMatchObject(invalid(['query', name], type));
  });
});
