import { describe, expect, test } from 'vitest';
import { nearbySchema } from '../../src/http/schemas/tract.js';
import { invalid, shareContract } from '../support/contract.js';
import { AT_POINT, POINT, TRACT } from '../support/contract-values.js';

const contract = shareContract();
const get = (query: string) => contract.call(`/v1/nearby?${query}`);
const page = async (query: string) => nearbySchema.parse((await get(query)).body);

describe('GET /v1/nearby, 200', () => {
  test('has defaults of 5 miles, 25 tracts, from the first', async () => {
    expect(await page(AT_POINT)).toMatchObject({ center: POINT, radius_miles: 5, offset: 0, limit: 25, count: 25 });
  });

  test('comes nearest first, with distances within the radius of two decimals', async () => {
    const { tracts } = await page(`${AT_POINT}&radius=3&limit=100`);
    const distances = tracts.map(({ distance_miles }) => distance_miles);
    expect(tracts[0]?.geoid).toBe(TRACT);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    expect(Math.max(...distances)).toBeLessThanOrEqual(3);
    expect(distances.every((distance) => Math.round(distance * 100) / 100 === distance)).toBe(true);
  });

  test('pages join without a gap, and the total does not depend on them', async () => {
    const whole = await page(`${AT_POINT}&radius=3&limit=100`);
    const parts = await Promise.all([0, 7, 14].map((offset) => page(`${AT_POINT}&radius=3&limit=7&offset=${offset}`)));
    expect(parts.map(({ total }) => total)).toEqual([whole.total, whole.total, whole.total]);
    expect(parts.flatMap(({ tracts }) => tracts)).toEqual(whole.tracts.slice(0, 21));
  });

  test('is empty behind the last page and far from every tract', async () => {
    expect(await page(`${AT_POINT}&offset=1000000`)).toMatchObject({ count: 0, tracts: [] });
    expect(await page('lat=0&lng=0')).toMatchObject({ count: 0, total: 0, tracts: [] });
  });

  test('gives the summary’s values as the record has them', async () => {
    const [{ tracts }, record] = await Promise.all([page(`${AT_POINT}&limit=1`), contract.call(`/v1/tracts/${TRACT}`)]);
    const { distance_miles: _, ...summary } = tracts[0] ?? { distance_miles: 0 };
    expect(record.body).toMatchObject(summary);
  });
});

describe('GET /v1/nearby, 422', () => {
  test.each([
    ['lng=0', 'lat', 'missing'],
    ['lat=0', 'lng', 'missing'],
    ['lat=0&lng=0&radius=0', 'radius', 'greater_than'],
    ['lat=0&lng=0&radius=50.01', 'radius', 'less_than_equal'],
    ['lat=0&lng=0&radius=-1', 'radius', 'greater_than'],
    ['lat=0&lng=0&limit=0', 'limit', 'greater_than_equal'],
    ['lat=0&lng=0&limit=101', 'limit', 'less_than_equal'],
    ['lat=0&lng=0&limit=2.5', 'limit', 'int_parsing'],
    ['lat=0&lng=0&offset=-1', 'offset', 'greater_than_equal'],
    ['lat=0&lng=0&offset=1000001', 'offset', 'less_than_equal'],
    ['lat=0&lng=0&offset=1&offset=2', 'offset', 'value_error'],
  ])('%s', async (query, name, type) => {
    expect(await get(query)).toMatchObject(invalid(['query', name], type));
  });
});
