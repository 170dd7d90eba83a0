import { describe, expect, test } from 'vitest';
import { invalid, shareContract } from '../support/contract.js';
import { featuresOf } from '../support/features.js';
import { TEST_KEY } from '../support/service-process.js';

const contract = shareContract();
const get = (query: string) => contract.call(`/v1/providers/geojson?${query}`);
const DC = 'bbox=-77.1,38.8,-76.9,39';

describe('GET /v1/providers/geojson, 200', () => {
  test('is GeoJSON with the providers of the rectangle, by NPI', async () => {
    const { headers, body } = await get(`${DC}&limit=2000`);
    expect(headers.get('content-type')).toMatch(/^application\/geo\+json/);
    const features = featuresOf(body);
    const npis = features.map(({ properties }) => String(properties.npi));
    expect(npis.length).toBeGreaterThan(100);
    expect(npis).toEqual([...npis].sort());
    for (const { geometry } of features) {
      const [lng, lat] = geometry?.coordinates ?? [];
      expect(Number(lng) >= -77.1 && Number(lng) <= -76.9 && Number(lat) >= 38.8 && Number(lat) <= 39).toBe(true);
    }
  });

  test('says where the limit cuts, and gives the same ones each time', async () => {
    const [cut, again, whole] = await Promise.all([
      get(`${DC}&limit=3`),
      get(`${DC}&limit=3`),
      get(`${DC}&limit=2000`),
    ]);
    expect(cut.body).toHaveProperty('truncated', true);
    expect(cut.body).toEqual(again.body);
    expect(featuresOf(cut.body)).toEqual(featuresOf(whole.body).slice(0, 3));
    expect(whole.body).not.toHaveProperty('truncated');
  });

  test('gives 500 unless told', async () => {
    expect(featuresOf((await get('bbox=-180,-90,180,90')).body)).toHaveLength(500);
  });

  test('serves a rectangle across the antimeridian', async () => {
    // From 100° E eastward to 76.5° W: Delaware and Rhode Island lie behind it.
    const states = featuresOf((await get('bbox=100,30,-76.5,50&limit=2000')).body).map(
      ({ properties }) => properties.practice_state,
    );
    expect(new Set(states)).toEqual(new Set(['DC']));
  });

  test('answers that are made at the same time, plain and compressed, are each their own', async () => {
    const places = Array.from({ length: 8 }, (_, index) => (-77.1 + index / 200).toFixed(3));
    // The last digit changes nothing but that no cache knows the request.
    const ask = async (west: string, turn: number, coding = 'identity'): Promise<string> => {
      const headers = { 'X-API-Key': TEST_KEY, 'Accept-Encoding': coding };
      const path = `/v1/providers/geojson?bbox=${west}0000${turn},38.8,-76.9,39&limit=2000`;
      return (await contract.service.fetch(path, { headers })).text();
    };
    const together = await Promise.all(
      places.map((west) => Promise.all([ask(west, 1), ask(west, 2, 'br'), ask(west, 3), ask(west, 4, 'gzip')])),
    );
    for (const [index, west] of places.entries()) {
      const alone = await ask(west, 5);
      expect(featuresOf(JSON.parse(alone)).length).toBeGreaterThan(100);
      expect(new Set(together[index])).toEqual(new Set([alone]));
    }
  });

  test('is empty where nobody is', async () => {
    expect((await get('bbox=0,0,1,1')).body).toEqual({ type: 'FeatureCollection', features: [] });
  });
});

describe('GET /v1/providers/geojson, 422', () => {
  test.each([
    ['', 'bbox', 'missing'],
    ['bbox=', 'bbox', 'value_error'],
    ['bbox=1,2,3', 'bbox', 'value_error'],
    ['bbox=1,2,3,4,5', 'bbox', 'value_error'],
    ['bbox=a,2,3,4', 'bbox', 'value_error'],
    ['bbox=1,2,3,NaN', 'bbox', 'value_error'],
    ['bbox=-181,2,3,4', 'bbox', 'value_error'],
    ['bbox=1,2,181,4', 'bbox', 'value_error'],
    ['bbox=1,-91,3,4', 'bbox', 'value_error'],
    ['bbox=1,2,3,91', 'bbox', 'value_error'],
    ['bbox=1,4,3,2', 'bbox', 'value_error'],
    ['bbox=1,2,3,2', 'bbox', 'value_error'],
    ['bbox=1,2,1,4', 'bbox', 'value_error'],
    [`${DC}&limit=0`, 'limit', 'greater_than_equal'],
    [`${DC}&limit=2001`, 'limit', 'less_than_equal'],
    [`${DC}&provider_type=`, 'provider_type', 'enum'],
  ])('%s', async (query, name, type) => {
    expect(await get(query)).toMatchObject(invalid(['query', name], type));
  });
});
