import { describe, expect, test } from 'vitest';
import { PROVIDER_TYPES } from '../../src/core/provider-types.js';
import { providersSchema } from '../../src/http/schemas/providers.js';
import { invalid, shareContract } from '../support/contract.js';
import { AT_POINT, NO_TRACT, TRACT } from '../support/contract-values.js';

const contract = shareContract();
const get = (query: string) => contract.call(`/v1/providers?${query}`);
const page = async (query: string) => providersSchema.parse((await get(query)).body);

describe('GET /v1/providers, 200', () => {
  test('has defaults of 5 miles, 50 providers, from the first', async () => {
    const { total, ...usual } = await page(AT_POINT);
    expect(usual).toMatchObject({ count: 50, offset: 0, limit: 50 });
    const totals = await Promise.all(
      [5, 4.9, 5.1].map(async (radius) => (await page(`${AT_POINT}&radius=${radius}`)).total),
    );
    // The nearest 50 are closer by far: how many there are in all tells the radius.
    expect(totals[0]).toBe(total);
    expect(totals[1]).toBeLessThan(total);
    expect(totals[2]).toBeGreaterThan(total);
  });

  test('comes by distance around a point', async () => {
    const { providers, total, count } = await page(`${AT_POINT}&radius=2&limit=500`);
    expect(total).toBe(count);
    const distances = providers.map(({ distance_miles }) => distance_miles ?? Number.NaN);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
  });

  test('comes by NPI in a tract, without a distance', async () => {
    const { providers } = await page(`tract_fips=${TRACT}`);
    const npis = providers.map(({ npi }) => npi);
    expect(npis.length).toBeGreaterThan(1);
    expect(npis).toEqual([...npis].sort());
    expect(providers.every(({ tract_fips, distance_miles }) => tract_fips === TRACT && distance_miles === null)).toBe(
      true,
    );
  });

  test('lets the point win over the tract', async () => {
    const [both, point] = await Promise.all([page(`${AT_POINT}&tract_fips=${NO_TRACT}`), page(AT_POINT)]);
    expect(both).toEqual(point);
  });

  test('the kinds divide all of them', async () => {
    const totals = await Promise.all(PROVIDER_TYPES.map((type) => page(`${AT_POINT}&provider_type=${type}&limit=500`)));
    totals.forEach(({ providers }, at) => {
      expect(new Set(providers.map(({ provider_type }) => provider_type)).size).toBeLessThanOrEqual(1);
      if (providers[0]) expect(providers[0].provider_type).toBe(PROVIDER_TYPES[at]);
    });
    const all = await page(`${AT_POINT}&provider_type=all`);
    expect(totals.reduce((sum, { total }) => sum + total, 0)).toBe(all.total);
  });

  test('pages join without a gap', async () => {
    const whole = await page(`${AT_POINT}&limit=20`);
    const parts = await Promise.all([page(`${AT_POINT}&limit=10`), page(`${AT_POINT}&limit=10&offset=10`)]);
    expect(parts.flatMap(({ providers }) => providers)).toEqual(whole.providers);
  });

  test('is empty for a tract that is not loaded', async () => {
    expect(await page(`tract_fips=${NO_TRACT}`)).toMatchObject({ count: 0, total: 0, providers: [] });
  });
});

describe('GET /v1/providers, 422', () => {
  test.each([
    ['', ['query'], 'value_error'],
    ['lat=1', ['query', 'lng'], 'missing'],
    ['lng=1', ['query', 'lat'], 'missing'],
    [`lat=1&tract_fips=${TRACT}`, ['query', 'lng'], 'missing'],
    ['tract_fips=12', ['query', 'tract_fips'], 'string_pattern_mismatch'],
    [`${AT_POINT}&radius=0`, ['query', 'radius'], 'greater_than'],
    [`${AT_POINT}&radius=51`, ['query', 'radius'], 'less_than_equal'],
    [`${AT_POINT}&limit=501`, ['query', 'limit'], 'less_than_equal'],
    [`${AT_POINT}&offset=-1`, ['query', 'offset'], 'greater_than_equal'],
    [`${AT_POINT}&provider_type=wizard`, ['query', 'provider_type'], 'enum'],
    [`${AT_POINT}&provider_type=pcp&provider_type=pcp`, ['query', 'provider_type'], 'value_error'],
  ] as const)('%j', async (query, loc, type) => {
    expect(await get(query)).toMatchObject(invalid(loc, type));
  });
});
