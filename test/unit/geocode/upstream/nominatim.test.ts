import { describe, expect, test } from 'vitest';
import { createUpstreamCall } from '../../../../src/geocode/upstream/caller.js';
import { createNominatimGeocoder, nominatimRules } from '../../../../src/geocode/upstream/nominatim.js';
import { type Answer, sendJson, startFakeServer } from '../../../support/fake-server.js';
import { nominatimPlace } from '../../../support/geocoder-answers.js';
import { upstreamSetup } from './setup.js';

const HOME = { lat: 39.158168, lng: -75.524369 };
const AWAY = { lat: 44.5, lng: -93.5 };
const ASKED = '7 Samplewood Ave, Sampleton, DE 19901';
const MATCHED = { ...HOME, matchedAddress: '7 Samplewood Avenue, Sampleton, DE 19901', matchType: 'exact' };

/** The geocoder over a server; a tract is a degree of latitude. */
async function setUp(answer: Answer) {
  const fake = await startFakeServer(answer);
  const { setup } = upstreamSetup();
  const call = createUpstreamCall('nominatim', setup, nominatimRules(1000, 10_000));
  const geocoder = createNominatimGeocoder({ call, baseUrl: fake.url, tractAt: ({ lat }) => Math.floor(lat) });
  return { geocoder, fake };
}
const answering =
  (...places: unknown[]): Answer =>
  (response) =>
    sendJson(response, places);

test('asks the search for the United States, and says who asks', async () => {
  const { geocoder, fake } = await setUp(answering(nominatimPlace(HOME, {})));
  expect(await geocoder.geocode(ASKED)).toEqual(MATCHED);
  const [request] = fake.requests;
  const url = new URL(request?.path ?? '', fake.url);
  expect(url.pathname).toBe('/search');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    q: ASKED,
    format: 'jsonv2',
    addressdetails: '1',
    countrycodes: 'us',
    limit: '5',
  });
  expect(request?.headers['user-agent']).toBe('tract-context/0.0.0 (someone@example.org)');
});

test.each([
  ['7 Samplewood Ave Apt 4B, Sampleton, DE 19901', '7 SAMPLEWOOD AVE, SAMPLETON, DE 19901'],
  ['7 Samplewood Ave, # 4, Sampleton, DE 19901', '7 SAMPLEWOOD AVE, SAMPLETON, DE 19901'],
  ['7 Samplewood Ave, Suite 200 Sampleton, Delaware', '7 SAMPLEWOOD AVE, SAMPLETON, DE'],
  ['7 Samplewood Ave 2nd Floor Sampleton DE 19901', '7 SAMPLEWOOD AVE, SAMPLETON, DE 19901'],
  ['Apt 4 7 Samplewood Ave, Sampleton, DE 19901', '7 SAMPLEWOOD AVE, SAMPLETON, DE 19901'],
])('asks for the house of an apartment, which Nominatim does not know: %s', async (address, question) => {
  const { geocoder, fake } = await setUp(answering(nominatimPlace(HOME, {})));
  expect(await geocoder.geocode(address)).toEqual(MATCHED);
  expect(new URL(fake.requests[0]?.path ?? '', fake.url).searchParams.get('q')).toBe(question);
});

test('a number that Nominatim computed along a street is interpolated', async () => {
  const { geocoder } = await setUp(answering(nominatimPlace(HOME, {}, { osm_type: 'way' })));
  expect(await geocoder.geocode(ASKED)).toEqual({ ...MATCHED, matchType: 'interpolated' });
});

test('the number of a street is not taken for that of a house', async () => {
  const { geocoder } = await setUp(answering(nominatimPlace(HOME, { house_number: '7', road: 'Highway 7' })));
  expect(await geocoder.geocode('70 Highway 7, Sampleton, DE')).toEqual({ noMatch: 'no match' });
  expect(await geocoder.geocode('7 Highway 7, Sampleton, Delaware')).toMatchObject(HOME);
});

test.each([
  ['7 Samplewood Av Sampleton DE 19901', 'its words without commas', {}],
  ['7 samplewood, sampleton, delaware', 'no kind of street and no ZIP', {}],
  ['7 Samplewod Ave, Sampleton, DE 19901', 'a slip of the pen', {}],
  ['7 Samplewood Ave, Sampleton, DE 19904', 'a neighbouring ZIP', {}],
  ['7 Samplewood Ave, Otherville, DE 19901', 'another name of the town', {}],
  ['7 Samplewood Ave Rear, Sampleton, DE 19901', 'a part of the building', {}],
  ['7 and 9 Samplewood Ave, Sampleton, DE 19901', 'a second number', {}],
  ['7 Sample Wood Ave, Sampleton, DE', 'other spacing', { town: undefined, city: 'Sampleton' }],
  ['7 Samplewood Ave, DE', 'no place but the state', { postcode: undefined }],
])('%s, with %s, is the house that is found', async (address, _, more) => {
  const { geocoder } = await setUp(answering(nominatimPlace(HOME, more)));
  expect(await geocoder.geocode(address)).toMatchObject(HOME);
});

test('a road in one direction is not taken for that in the other', async () => {
  const { geocoder } = await setUp(answering(nominatimPlace(HOME, { road: 'South Samplewood Avenue' })));
  expect(await geocoder.geocode('7 N Samplewood Ave, Sampleton, DE 19901')).toEqual({ noMatch: 'no match' });
  expect(await geocoder.geocode(ASKED)).toMatchObject(HOME);
});

test.each(['Samplewood Ave, Sampleton, DE', '5th Ave & Main St, Sampleton, DE', 'Jane Sample', '19901'])(
  '%j, in which no house is named, is not sent',
  async (address) => {
    const { geocoder, fake } = await setUp(answering(nominatimPlace(HOME, {})));
    expect(await geocoder.geocode(address)).toEqual({ noMatch: 'no match' });
    expect(fake.requests).toEqual([]);
  },
);

test.each([undefined, 'DE 19901', '19901;19904'])('without a readable ZIP (%j), the city decides', async (postcode) => {
  const { geocoder } = await setUp(answering(nominatimPlace(HOME, { postcode })));
  expect(await geocoder.geocode(ASKED)).toMatchObject(HOME);
  // The house may be anywhere.
  for (const address of [
    '7 Samplewood Ave, 19702',
    '7 Samplewood Ave, DE 19702',
    '7 Samplewood Ave, Otherville, DE 19702',
  ])
    expect(await geocoder.geocode(address)).toEqual({ noMatch: 'no match' });
});

test('names as long as OpenStreetMap allows do not spoil the answer', async () => {
  const long = nominatimPlace(AWAY, { house_number: '1;'.repeat(127), road: '路'.repeat(255) });
  const { geocoder } = await setUp(answering(nominatimPlace(HOME, {}), long));
  expect(await geocoder.geocode(ASKED)).toEqual(MATCHED);
});

test('a building with several numbers has each of them', async () => {
  const building = nominatimPlace(HOME, { house_number: '5;7;9' }, { category: 'building', type: 'yes' });
  const { geocoder } = await setUp(answering(building));
  expect(await geocoder.geocode(ASKED)).toMatchObject(HOME);
});

describe('no match is', () => {
  test.each([
    ['nothing', []],
    [
      'a street alone',
      [nominatimPlace(HOME, { house_number: undefined }, { category: 'highway', type: 'residential' })],
    ],
    ['a postcode alone', [nominatimPlace(HOME, { house_number: undefined, road: undefined }, { type: 'postcode' })]],
    ['a town alone', [nominatimPlace(HOME, { house_number: undefined, road: undefined }, { type: 'town' })]],
    ['another number', [nominatimPlace(HOME, { house_number: '70' })]],
    ['another road', [nominatimPlace(HOME, { road: 'Elm Street' })]],
    ['a road of the same beginning', [nominatimPlace(HOME, { road: 'Samplewood Hills Avenue' })]],
    ['another kind of road with a direction', [nominatimPlace(HOME, { road: 'North Samplewood Court' })]],
    ['another town’s, far away', [nominatimPlace(HOME, { town: 'Otherville', postcode: '19702' })]],
    ['a road that has a number', [nominatimPlace(HOME, {}, { category: 'highway', type: 'residential' })]],
    ['a town that has a number', [nominatimPlace(HOME, {}, { type: 'town', addresstype: 'town', place_rank: 18 })]],
    ['a postcode that has a number', [nominatimPlace(HOME, {}, { addresstype: 'postcode', place_rank: 21 })]],
    ['another state', [nominatimPlace(HOME, { 'ISO3166-2-lvl4': 'US-MD' })]],
  ])('%s', async (_, places) => {
    const { geocoder } = await setUp((response) => sendJson(response, places));
    expect(await geocoder.geocode(ASKED)).toEqual({ noMatch: 'no match' });
  });

  test('what the server refuses', async () => {
    const { geocoder } = await setUp((response) => sendJson(response, { error: { code: 400, message: 'x' } }, 400));
    expect(await geocoder.geocode(ASKED)).toEqual({ noMatch: 'no match' });
  });
});

test('houses in two tracts are a tie; in one, the first is the match', async () => {
  const far = await setUp(answering(nominatimPlace(HOME, {}), nominatimPlace(AWAY, {})));
  expect(await far.geocoder.geocode(ASKED)).toEqual({ noMatch: 'tie' });
  const near = await setUp(answering(nominatimPlace(HOME, {}), nominatimPlace({ ...HOME, lng: 1 }, {})));
  expect(await near.geocoder.geocode(ASKED)).toEqual(MATCHED);
});

test('by its rules, one is asked at a time and a second apart, and no more wait than can have their turn', () => {
  expect(nominatimRules(1, 15_000)).toEqual({ maxConcurrent: 1, minIntervalMs: 1000, maxWaiting: 7 });
});
