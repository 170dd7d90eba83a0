import { describe, expect, test } from 'vitest';
import type { LatLng } from '../../../src/core/coordinates.js';
import { createGeocoder, type GeocoderOptions } from '../../../src/geocode/create-geocoder.js';
import { NothingToGeocodeByError } from '../../../src/geocode/geocoder.js';
import { createTurns } from '../../../src/outbound/turns.js';
import { sendJson, startFakeServer } from '../../support/fake-server.js';
import { censusAnswer, nominatimPlace } from '../../support/geocoder-answers.js';
import { upstreamSetup } from './upstream/setup.js';

const HOME = { lat: 39.158168, lng: -75.524369, matchedAddress: '7 SAMPLEWOOD AVE, SAMPLETON, DE, 19901' };
const ADDRESS = '7 Samplewood Ave, Sampleton, DE 19901';
/** Where an address is in a request. */
const PARAMETER = { census: 'address', nominatim: 'q' } as const;
/** Tracts without address ranges. */
const TRACTS = { generation: 'one', addresses: undefined, outlines: { locate: () => 0 } };

async function setUp(names: GeocoderOptions['names'], current: GeocoderOptions['current'] = () => TRACTS) {
  const answer: { places: (typeof HOME)[] } = { places: [] };
  const census = await startFakeServer((response) => sendJson(response, censusAnswer(answer.places)));
  const nominatim = await startFakeServer((response) => sendJson(response, [nominatimPlace(HOME, {})]));
  const geocoder = createGeocoder({
    names,
    current,
    matchElsewhere: () => Promise.reject(new NothingToGeocodeByError('no address ranges are loaded')),
    upstream: upstreamSetup().setup,
    cacheMaxEntries: 10,
    censusUrl: census.url,
    nominatimUrl: nominatim.url,
    nominatimRequestsPerSecond: 1000,
    nominatimTurns: createTurns({ nextAt: new BigInt64Array(1), now: () => performance.now() }),
  });
  return { geocoder, answer, census, nominatim };
}

/** The addresses that the Census geocoder was asked for when a text was geocoded. */
async function sentToCensus(text: string): Promise<(string | null)[]> {
  const { geocoder, census } = await setUp(['census']);
  await geocoder.geocode(text);
  return census.requests.map(({ path = '' }) => new URL(path, 'http://x').searchParams.get(PARAMETER.census));
}

describe('the configured geocoder', () => {
  test('asks the named ones in their order, and counts each', async () => {
    const { geocoder, census, nominatim } = await setUp(['embedded', 'census', 'nominatim']);
    expect(await geocoder.geocode(ADDRESS)).toMatchObject({ lat: HOME.lat, matchType: 'exact' });
    expect([census.requests.length, nominatim.requests.length]).toEqual([1, 1]);
    expect(geocoder.stats()).toMatchObject({
      requests: 1,
      matched: 1,
      by_geocoder: { embedded: { failures: 1 }, census: { no_match: 1 }, nominatim: { matched: 1 } },
    });
  });

  test('never asks one that is not named', async () => {
    const { geocoder, census, nominatim } = await setUp(['nominatim']);
    await geocoder.geocode(ADDRESS);
    expect([census.requests.length, nominatim.requests.length]).toEqual([0, 1]);
    expect(Object.keys(geocoder.stats().by_geocoder)).toEqual(['nominatim']);
  });

  test.each(['census', 'nominatim'] as const)('keeps from %s what names no place on the ground', async (name) => {
    const { geocoder, census, nominatim } = await setUp([name]);
    const boxes = ['PO Bx 12, Sampleton, DE 19901', 'Jane Sample P.O. Box 12, DE', 'HC 63 Box 5, Town, DE'];
    const two = `${ADDRESS}; now 151 Demobrook Rd, Sampleton, DE 19902`;
    const others = ['Jane Sample', '(302) 555-0100', '19901', 'Sampleton, DE', two];
    for (const box of boxes) expect(await geocoder.geocode(box)).toEqual({ noMatch: 'cannot be placed' });
    const outcomes = await geocoder.geocodeAll?.([...boxes, ADDRESS, ...others]);
    expect(outcomes?.slice(0, 3)).toEqual(boxes.map(() => ({ noMatch: 'cannot be placed' })));
    expect(outcomes?.slice(4)).toEqual(others.map(() => ({ noMatch: 'no match' })));
    const requests = [...census.requests, ...nominatim.requests];
    expect(requests.map(({ path = '' }) => new URL(path, 'http://x').searchParams.get(PARAMETER[name]))).toEqual([
      ADDRESS,
    ]);
  });

  test.each(['census', 'nominatim'] as const)('keeps a telephone number behind an address from %s', async (name) => {
    const { geocoder, census, nominatim } = await setUp([name]);
    await geocoder.geocode(`${ADDRESS}, Tel. (302) 555-0100`);
    await geocoder.geocodeAll?.(['151 Demobrook Rd; Sampleton, DE 19901 302-555-0100']);
    const requests = [...census.requests, ...nominatim.requests];
    expect(requests.map(({ path = '' }) => new URL(path, 'http://x').searchParams.get(PARAMETER[name]))).toEqual([
      '7 SAMPLEWOOD AVE, SAMPLETON, DE 19901',
      '151 DEMOBROOK RD, SAMPLETON, DE 19901',
    ]);
  });

  test.each([
    `Jane Sample 302-555-0100, ${ADDRESS}`,
    `SSN 123-45-6789, ${ADDRESS}`,
    `PO Box 12, ${ADDRESS}`,
    `c/o Jane Sample, ${ADDRESS}`,
    '7 Samplewood Ave, DOB 01/02/1950, Sampleton, DE 19901',
    '7 Samplewood Ave, jane@example.org, Sampleton, DE 19901',
    '7 Samplewood Ave, Sampleton, DE 19901, call Jane first',
    '7 Samplewood Ave PO Box 12, Sampleton, DE 19901',
    '7 Samplewood Ave P.O. Bx 12, Sampleton, DE 19901',
    '7 Samplewood Ave PMB 12, Sampleton, DE 19901',
    '7 Samplewood Ave^^Sampleton^DE^19901^USA^H^Jane Sample',
    `${ADDRESS}, ${ADDRESS}`,
  ])('sends nothing but the address of %j', async (text) => {
    expect(await sentToCensus(text)).toEqual(['7 SAMPLEWOOD AVE, SAMPLETON, DE 19901']);
  });

  test.each([
    'Jane Sample DE 19901, 7 Samplewood Ave',
    'Sampleton, DE 19901\n7 Samplewood Ave',
    '7 Samplewood Ave, Jane Sample, Sampleton DE 19901',
  ])('sends no city that may be a name: %j', async (text) => {
    expect(await sentToCensus(text)).toEqual(['7 SAMPLEWOOD AVE, DE 19901']);
  });

  test.each([
    ADDRESS,
    '7 Samplewood Ave Apt 4B, Sampleton, DE 19901-1234',
    '7 Samplewood Ave, Unit 4, Sampleton DE',
    '37-18 Sample St, NY 11101',
  ])('sends %j as it was typed', async (text) => {
    expect(await sentToCensus(text)).toEqual([text]);
  });

  test.each([
    '5th Ave & Main St, Sampleton, DE',
    'Jane Sample, 5th Ave & Main St, Sampleton, DE',
    '5th Ave & Main St, Sampleton, DE, 302-555-0100',
    '5th ave at main st, Sampleton, de',
  ])('sends nothing but the two streets of %j', async (text) => {
    expect(await sentToCensus(text)).toEqual(['5TH AVE & MAIN ST, SAMPLETON, DE']);
  });

  test.each([
    'jane@example.org',
    'Jane and John Sample, 123-45-6789',
    'Jane & John Sample, born 01/02/1960',
    'Jane & John Sample PMB 12',
    'Jane & John Sample 123456789',
    'Jane & John Lane PMB 12',
    '5th Ave & Main St, jane@example.org',
    '5th Ave & Main St DOB 01/02/1960, Sampleton, DE',
  ])('sends nothing of %j, which names people', async (text) => {
    const { geocoder, census, nominatim } = await setUp(['census', 'nominatim']);
    expect(await geocoder.geocode(text)).toHaveProperty('noMatch');
    expect(await geocoder.geocodeAll?.([text])).toEqual([expect.objectContaining({ noMatch: expect.any(String) })]);
    expect([...census.requests, ...nominatim.requests]).toEqual([]);
  });

  test('decides again what is a tie when other tracts are live', async () => {
    const tracts = (generation: string, locate: (position: LatLng) => number) => ({
      ...TRACTS,
      generation,
      outlines: { locate },
    });
    // Neither place is in it.
    const state = tracts('one', () => -1);
    const nation = tracts('two', ({ lat }) => Math.floor(lat));
    const [second, third] = [
      { ...HOME, lat: 42 },
      { ...HOME, lat: 43 },
    ];
    let live = state;
    const { geocoder, answer, census } = await setUp(['census'], () => live);
    answer.places = [second, third];
    expect(await geocoder.geocode(ADDRESS)).toMatchObject({ lat: 42 });
    live = nation;
    expect(await geocoder.geocode(ADDRESS)).toEqual({ noMatch: 'tie' });
    live = state;
    expect(await geocoder.geocode(ADDRESS)).toMatchObject({ lat: 42 });
    expect(census.requests).toHaveLength(2);
  });

  test('sends no address anywhere while there are no tracts to find', async () => {
    const { geocoder, census, nominatim } = await setUp(['census', 'nominatim'], () => undefined);
    await expect(geocoder.geocode(ADDRESS)).rejects.toThrow(NothingToGeocodeByError);
    expect([census.requests.length, nominatim.requests.length]).toEqual([0, 0]);
  });
});
