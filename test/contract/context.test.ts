import { describe, expect, test } from 'vitest';
import { failure, invalid, shareContract } from '../support/contract.js';
import { ADDRESS, AT_POINT, NO_ADDRESS, POINT, TRACT } from '../support/contract-values.js';
import { TEST_KEY } from '../support/service-process.js';

const contract = shareContract();
const get = (query: string) => contract.call(`/v1/context?${query}`);

describe('GET /v1/context, 200', () => {
  test('gives the tract around a point, without a narrative', async () => {
    const { status, body } = await get(AT_POINT);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      location: { ...POINT, matched_address: `${POINT.lat},${POINT.lng}` },
      tract: { geoid: TRACT, state_fips: '11', county_fips: '001', tract_code: '001704' },
      narrative: null,
    });
  });

  test('gives the same record as the tract by its GEOID', async () => {
    const [context, tract] = await Promise.all([get(AT_POINT), contract.call(`/v1/tracts/${TRACT}`)]);
    expect(context.body).toHaveProperty('tract', tract.body);
  });

  test('gives the tract at an address, in whatever spelling, with the normalized address', async () => {
    for (const address of [ADDRESS, '2581 specimenstone street, north modelport dc 20128']) {
      const { body } = await get(new URLSearchParams({ address }).toString());
      expect(body).toMatchObject({ location: { matched_address: ADDRESS }, tract: { geoid: TRACT } });
    }
  });

  test('lets no cache keep the answer to an address, whose URL contains it', async () => {
    const cacheControlOf = async (query: string) => (await get(query)).headers.get('cache-control');
    const atAddress = new URLSearchParams({ address: ADDRESS }).toString();
    expect(await cacheControlOf(atAddress)).toBe('no-store');
    expect(await cacheControlOf(`${atAddress}&narrative=true`)).toBe('no-store');
    expect(await cacheControlOf(AT_POINT)).toBe('private, no-cache');
  });

  test('lets no cache keep a narrative, which may be another the next time', async () => {
    expect((await get(`${AT_POINT}&narrative=true`)).headers.get('cache-control')).toBe('no-store');
  });

  test('lets the address win over coordinates', async () => {
    const { body } = await get(`${new URLSearchParams({ address: ADDRESS })}&lat=0&lng=0`);
    expect(body).toMatchObject({ location: { matched_address: ADDRESS }, tract: { geoid: TRACT } });
  });

  test.each(['true', '1', 'yes', 'on', 'TRUE'])(
    'writes a narrative that says what it is made of: narrative=%s',
    async (flag) => {
      const { body, headers } = await get(`${AT_POINT}&narrative=${flag}`);
      expect(body).toHaveProperty('narrative', expect.stringMatching(/rule-based summary.* synthetic/));
      expect(headers.get('etag')).toBeNull();
    },
  );

  test.each(['false', '0', 'no', 'off'])('writes none: narrative=%s', async (flag) => {
    expect((await get(`${AT_POINT}&narrative=${flag}`)).body).toHaveProperty('narrative', null);
  });
});

describe('GET /v1/context, 304', () => {
  test.each([AT_POINT, new URLSearchParams({ address: ADDRESS }).toString()])(
    'where the client has the answer: %s',
    async (query) => {
      const first = (await get(query)).headers;
      const tag = first.get('etag') ?? '';
      expect(tag).toMatch(/^W\/"[^"]+"$/);
      const again = await contract.call(`/v1/context?${query}`, {
        headers: { 'X-API-Key': TEST_KEY, 'If-None-Match': tag },
      });
      expect([again.status, again.body]).toEqual([304, '']);
      expect(again.headers.get('cache-control')).toBe(first.get('cache-control'));
    },
  );
});

describe('GET /v1/context, 400', () => {
  test.each(['', 'lat=38.9', 'lng=-77', 'narrative=true', 'lat=38.9&narrative=true'])(
    'without a whole place: %j',
    async (query) => {
      expect(await get(query)).toMatchObject(failure(400, "Provide either 'address' or both 'lat' and 'lng'."));
    },
  );
});

describe('GET /v1/context, 404', () => {
  const nothing = failure(404, 'No census tract found for this location');
  test('for a point outside of the loaded states', async () => {
    expect(await get('lat=0&lng=0')).toMatchObject(nothing);
  });

  test('for an address that nothing matches', async () => {
    expect(await get(new URLSearchParams({ address: NO_ADDRESS }).toString())).toMatchObject(nothing);
  });
});

describe('GET /v1/context, 422', () => {
  test.each([
    ['lat=91&lng=0', 'lat', 'less_than_equal'],
    ['lat=-90.5&lng=0', 'lat', 'greater_than_equal'],
    ['lat=0&lng=181', 'lng', 'less_than_equal'],
    ['lat=x&lng=0', 'lat', 'float_parsing'],
    ['lat=0x10&lng=0', 'lat', 'float_parsing'],
    ['lat=NaN&lng=0', 'lat', 'float_parsing'],
    ['lat=0&lng=Infinity', 'lng', 'float_parsing'],
    ['lat=&lng=0', 'lat', 'float_parsing'],
    ['address=', 'address', 'string_too_short'],
    [`address=${'x'.repeat(501)}`, 'address', 'string_too_long'],
    [`${AT_POINT}&narrative=maybe`, 'narrative', 'bool_parsing'],
    ['lat=1&lat=2&lng=0', 'lat', 'value_error'],
  ])('%s', async (query, name, type) => {
    expect(await get(query)).toMatchObject(invalid(['query', name], type));
  });

  test('comes before the 400, with every issue', async () => {
    const { status, body } = await get('lat=x&narrative=maybe');
    expect(status).toBe(422);
    expect(body).toHaveProperty('detail.length', 2);
  });
});
