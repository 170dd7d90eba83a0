import { describe, expect, test, vi } from 'vitest';
import { type GeocodeResult, type Geocoder, GeocoderUnavailableError } from '../../../src/geocode/geocoder.js';
import { APP_KEY, liveWith, startTestApp } from '../../support/test-app.js';
import { TINY_TRACTS } from '../../support/tiny-dataset.js';

const noPool = () => Promise.reject(new Error('no search was asked for'));

/** The app over the tiny dataset, with a geocoder that knows these. */
async function appWith(results: Readonly<Record<string, GeocodeResult | Error>>) {
  const geocode = vi.fn<Geocoder['geocode']>((address) => {
    const result = results[address];
    if (result instanceof Error) return Promise.reject(result);
    return Promise.resolve(result ?? { noMatch: 'no match' });
  });
  const app = await startTestApp({ current: liveWith(noPool), geocoder: { geocode } });
  const post = async (addresses: readonly string[]) => {
    const response = await app.get('/v1/batch', {
      method: 'POST',
      headers: { 'X-API-Key': APP_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ addresses }),
    });
    const body: unknown = await response.json();
    return { status: response.status, body };
  };
  return { app, post, geocode };
}

const [tract] = TINY_TRACTS;
const home = { lat: tract?.lat ?? 0, lng: tract?.lng ?? 0, matchedAddress: '1 HOME ST' };
const away = { lat: 0, lng: 0, matchedAddress: '1 AWAY ST' };
const entry = (address: string, location: unknown, error: string) => ({
  address,
  status: 'error',
  location,
  tract: null,
  error,
});

describe('a batch', () => {
  test('asks for each address once, however often it is in it', async () => {
    const { post, geocode } = await appWith({ home });
    const { body } = await post(['home', 'home', 'other', 'home']);
    expect(geocode.mock.calls.map(([address]) => address)).toEqual(['home', 'other']);
    expect(body).toMatchObject({ total: 4, succeeded: 3, failed: 1 });
  });

  test('asks for no address that is empty or too long', async () => {
    const { post, geocode } = await appWith({ home });
    const { body } = await post(['', ' ', 'x'.repeat(501), 'home']);
    expect(geocode.mock.calls.map(([address]) => address)).toEqual(['home']);
    expect(body).toMatchObject({ total: 4, succeeded: 1, failed: 3 });
  });

  test('keeps the location of an address outside of the loaded tracts', async () => {
    const { post } = await appWith({ away });
    const location = { lat: 0, lng: 0, matched_address: '1 AWAY ST' };
    const { body } = await post(['away']);
    expect(body).toHaveProperty('results', [entry('away', location, 'No census tract found for this location')]);
  });

  test('says of a tie that it is one', async () => {
    const { post } = await appWith({ twice: { noMatch: 'tie' } });
    const { body } = await post(['twice']);
    expect(body).toHaveProperty('results', [entry('twice', null, expect.stringContaining('ambiguous'))]);
  });

  test('says of a post office box that it is no place', async () => {
    const { post } = await appWith({ box: { noMatch: 'cannot be placed' } });
    const { body } = await post(['box']);
    expect(body).toHaveProperty('results', [entry('box', null, expect.stringContaining('post office box'))]);
  });

  test('is answered where the geocoder fails, each address with why, the others as ever', async () => {
    const { post } = await appWith({ home, broken: new GeocoderUnavailableError('secret host unreachable') });
    const { status, body } = await post(['broken', 'home']);
    expect(status).toBe(200);
    expect(body).toHaveProperty('results.0', entry('broken', null, 'Geocoder unavailable.'));
    expect(body).toMatchObject({ results: [{}, { status: 'ok', tract: { geoid: tract?.geoid } }] });
  });

  test('is a 500 that says nothing, where the geocoder has a bug', async () => {
    const { post } = await appWith({ bug: new TypeError('of 12 Secret Street') });
    const { status, body } = await post(['bug']);
    expect(status).toBe(500);
    expect(body).toEqual({ error: true, status_code: 500, detail: 'Internal server error.' });
  });
});

test('a tie is a 404 for one address alone, as no match is', async () => {
  const { app } = await appWith({ twice: { noMatch: 'tie' } });
  const response = await app.get('/v1/context?address=twice');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ detail: 'No census tract found for this location' });
});
