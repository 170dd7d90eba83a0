import { describe, expect, test } from 'vitest';
import { GeocoderUnavailableError } from '../../../../src/geocode/geocoder.js';
import { createUpstreamCall } from '../../../../src/geocode/upstream/caller.js';
import { CENSUS_RULES, createCensusGeocoder } from '../../../../src/geocode/upstream/census.js';
import { type Answer, type ReceivedRequest, sendJson, startFakeServer } from '../../../support/fake-server.js';
import { censusAnswer, censusMatchRow, censusOtherRow, uploadedRows } from '../../../support/geocoder-answers.js';
import { upstreamSetup } from './setup.js';

const HOME = { lat: 39.158168, lng: -75.524369, matchedAddress: '7 SAMPLEWOOD AVE, SAMPLETON, DE, 19901' };
const AWAY = { lat: 44.5, lng: -93.5, matchedAddress: '7 SAMPLEWOOD AVE, ELSEWHERE, MN, 55001' };
const MATCHED = { ...HOME, matchType: 'interpolated' };

/** The geocoder over a server; a tract is a degree of latitude. */
async function setUp(answer: Answer) {
  const fake = await startFakeServer(answer);
  const { setup, reasons } = upstreamSetup();
  const call = createUpstreamCall('census', setup, { ...CENSUS_RULES, minIntervalMs: 0 });
  const baseUrl = `${fake.url}/geocoder`;
  const geocoder = createCensusGeocoder({ call, baseUrl, tractAt: ({ lat }) => Math.floor(lat) });
  return { geocoder, fake, reasons };
}

const csv =
  (body: string): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'text/csv;charset=UTF-8' }).end(body);
const asked = ({ path }: ReceivedRequest): URL => new URL(path ?? '', 'http://x');

describe('one address', () => {
  test('is asked for on one line, for the current address ranges, and its match is a position', async () => {
    const { geocoder, fake } = await setUp((response) => sendJson(response, censusAnswer([HOME])));
    expect(await geocoder.geocode('7 Samplewood Ave #2 & rear, Sampleton')).toEqual(MATCHED);
    const [request] = fake.requests;
    expect(request).toMatchObject({
      method: 'GET',
      headers: { 'user-agent': expect.stringContaining('tract-context/') },
    });
    const url = asked(request ?? { method: '', path: '', headers: {}, body: '' });
    expect(url.pathname).toBe('/geocoder/locations/onelineaddress');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      address: '7 Samplewood Ave #2 & rear, Sampleton',
      benchmark: 'Public_AR_Current',
      format: 'json',
    });
  });

  test('without a match has none', async () => {
    const { geocoder } = await setUp((response) => sendJson(response, censusAnswer([])));
    expect(await geocoder.geocode('nowhere')).toEqual({ noMatch: 'no match' });
  });

  test('in two places of one tract is the first; of two tracts, a tie', async () => {
    const near = { ...HOME, lat: HOME.lat + 0.001 };
    const { geocoder } = await setUp((response, { path }) =>
      sendJson(response, censusAnswer([HOME, path?.includes('far') ? AWAY : near])),
    );
    expect(await geocoder.geocode('near')).toEqual(MATCHED);
    expect(await geocoder.geocode('far')).toEqual({ noMatch: 'tie' });
  });

  test('that the geocoder refuses has no match, and is not asked for again', async () => {
    const refusal = { errors: ['Address cannot be empty and cannot exceed 100 characters'], status: '400' };
    const { geocoder, fake } = await setUp((response) => sendJson(response, refusal, 400));
    expect(await geocoder.geocode('x'.repeat(300))).toEqual({ noMatch: 'no match' });
    expect(fake.requests).toHaveLength(1);
  });
});

describe('several addresses', () => {
  const ADDRESSES = [
    '7 Samplewood Ave, Sampleton, DE 19901',
    '8 "Q" St, Apt 2, Sampleton, Delaware',
    '9 Elm St, X, MN',
  ];

  test('are asked for one by one if the geocoder refuses their file: one may be at fault', async () => {
    const { geocoder, fake } = await setUp((response, { path = '' }) => {
      if (path.endsWith('/addressbatch')) return sendJson(response, { errors: ['a bad row'], status: '400' }, 400);
      return path.includes('Elm') ? sendJson(response, {}, 400) : sendJson(response, censusAnswer([HOME]));
    });
    const outcomes = await geocoder.geocodeAll?.(ADDRESSES);
    expect(outcomes).toEqual([MATCHED, MATCHED, { noMatch: 'no match' }]);
    expect(fake.requests).toHaveLength(1 + ADDRESSES.length);
  });

  test('go as one file, and each gets its own row of the answer, in whatever order the rows come', async () => {
    const { geocoder, fake } = await setUp(
      csv(censusOtherRow(2, 'No_Match') + censusMatchRow(1, HOME, 'Non_Exact') + censusMatchRow(0, AWAY)),
    );
    const outcomes = await geocoder.geocodeAll?.(ADDRESSES);
    expect(outcomes).toEqual([{ ...AWAY, matchType: 'interpolated' }, MATCHED, { noMatch: 'no match' }]);
    const [request, ...others] = fake.requests;
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', path: '/geocoder/locations/addressbatch' });
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(request?.body).toMatch(/name="benchmark"\r\n\r\nPublic_AR_Current\r\n/);
    expect(uploadedRows(request?.body ?? '')).toEqual([
      '0,7 Samplewood Ave,Sampleton,DE,19901',
      '1,"8 ""Q"" St Apt 2",Sampleton,Delaware,',
      '2,9 Elm St,X,MN,',
    ]);
  });

  test('are asked for alone where they cannot be told apart, or tie', async () => {
    const { geocoder, fake } = await setUp((response, request) => {
      if (request.method === 'GET') return sendJson(response, censusAnswer([HOME]));
      return csv(censusOtherRow(0, 'Tie') + censusOtherRow(2, 'No_Match'))(response, request);
    });
    const outcomes = await geocoder.geocodeAll?.([ADDRESSES[0] ?? '', '7 Samplewood Sampleton', ADDRESSES[2] ?? '']);
    expect(outcomes).toEqual([MATCHED, MATCHED, { noMatch: 'no match' }]);
    expect(fake.requests.map(({ method }) => method).sort()).toEqual(['GET', 'GET', 'POST']);
  });

  test('that are missing or unreadable in the answer fail alone', async () => {
    const broken =
      '"1","x","Match","Exact","7 A ST","not,numbers","1","L"\n"99","x","No_Match"\n"2","x","Perhaps"\nnoise\n';
    const { geocoder } = await setUp(csv(censusMatchRow(0, HOME) + broken));
    const [first, second, third] = (await geocoder.geocodeAll?.(ADDRESSES)) ?? [];
    expect(first).toEqual(MATCHED);
    expect([second, third]).toEqual([expect.any(GeocoderUnavailableError), expect.any(GeocoderUnavailableError)]);
  });

  test.each([
    ['JSON', '{"errors":["the file is empty"]}'],
    ['an empty body', ''],
    ['a page', '<html>busy</html>'],
  ])('all fail where the answer is no table but %s', async (_, body) => {
    const { geocoder, reasons } = await setUp(csv(body));
    const outcomes = await geocoder.geocodeAll?.(ADDRESSES);
    expect(outcomes).toEqual(ADDRESSES.map(() => expect.any(GeocoderUnavailableError)));
    expect(reasons).toEqual(['unexpected-answer']);
  });
});
