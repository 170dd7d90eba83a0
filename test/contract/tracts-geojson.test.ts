import { describe, expect, test } from 'vitest';
import { invalid, shareContract } from '../support/contract.js';
import { AT_POINT, TRACT } from '../support/contract-values.js';
import { featuresOf } from '../support/features.js';

const contract = shareContract();
const get = (query: string) => contract.call(`/v1/tracts/geojson?${query}`);

describe('GET /v1/tracts/geojson, 200', () => {
  test('gives a state’s outlines by GEOID', async () => {
    const { headers, body } = await get('state_fips=11&simplify=0.001');
    expect(headers.get('content-type')).toMatch(/^application\/geo\+json/);
    const geoids = featuresOf(body).map(({ properties }) => String(properties.geoid));
    expect(geoids).toHaveLength(206);
    expect(geoids).toEqual([...geoids].sort());
    expect(body).not.toHaveProperty('truncated');
  });

  test('gives the tracts around a point, the record’s values as flat properties', async () => {
    const [map, record] = await Promise.all([get(`${AT_POINT}&radius=1`), contract.call(`/v1/tracts/${TRACT}`)]);
    const found = featuresOf(map.body).find(({ properties }) => properties.geoid === TRACT);
    for (const [path, value] of Object.entries(found?.properties ?? {}))
      expect(record.body).toHaveProperty(path, value);
    expect(found?.geometry?.type).toMatch(/Polygon$/);
  });

  test('has a default of 10 miles around a point', async () => {
    const inProvidence = async (more: string): Promise<number> =>
      featuresOf((await get(`lat=41.824&lng=-71.4128&simplify=0.01${more}`)).body).length;
    const usual = await inProvidence('');
    expect(await inProvidence('&radius=10')).toBe(usual);
    expect(await inProvidence('&radius=9.5')).toBeLessThan(usual);
    expect(await inProvidence('&radius=10.5')).toBeGreaterThan(usual);
  });

  test('lets the point win over the state', async () => {
    const [both, point] = await Promise.all([get(`${AT_POINT}&radius=1&state_fips=44`), get(`${AT_POINT}&radius=1`)]);
    expect(both.body).toEqual(point.body);
  });

  test('says where the limit cuts', async () => {
    const { body } = await get('state_fips=11&limit=2');
    expect(body).toHaveProperty('truncated', true);
    expect(featuresOf(body)).toHaveLength(2);
  });

  test('simplified outlines are smaller', async () => {
    const [whole, thin] = await Promise.all([get('state_fips=11'), get('state_fips=11&simplify=0.01')]);
    expect(JSON.stringify(thin.body).length).toBeLessThan(JSON.stringify(whole.body).length);
  });

  test('is empty for a state that is not loaded', async () => {
    expect((await get('state_fips=99')).body).toEqual({ type: 'FeatureCollection', features: [] });
  });
});

describe('GET /v1/tracts/geojson, 422', () => {
  test.each([
    ['', ['query'], 'value_error'],
    ['radius=3', ['query'], 'value_error'],
    ['lat=1', ['query', 'lng'], 'missing'],
    ['state_fips=1', ['query', 'state_fips'], 'string_pattern_mismatch'],
    [`${AT_POINT}&radius=51`, ['query', 'radius'], 'less_than_equal'],
    ['state_fips=11&simplify=0.010001', ['query', 'simplify'], 'less_than_equal'],
    ['state_fips=11&simplify=-1', ['query', 'simplify'], 'greater_than_equal'],
    ['state_fips=11&limit=2001', ['query', 'limit'], 'less_than_equal'],
  ] as const)('%j', async (query, loc, type) => {
    expect(await get(query)).toMatchObject(invalid(loc, type));
  });
});
