import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { metricsSchema } from '../../src/http/schemas/system.js';
import { batchSchema } from '../../src/http/schemas/tract.js';
import { failure } from '../support/contract.js';
import { ADDRESS, NO_ADDRESS, POINT, TRACT } from '../support/contract-values.js';
import { demoDataset } from '../support/demo-dataset.js';
import { type Answer, sendJson, startFakeServer } from '../support/fake-server.js';
import {
  censusAnswer,
  censusMatchRow,
  censusOtherRow,
  nominatimPlace,
  uploadedRows,
} from '../support/geocoder-answers.js';
import type { AtEnd } from '../support/listen-locally.js';
import { startService, TEST_KEY } from '../support/service-process.js';

/** Known to the upstream geocoders alone, and in the same tract as the demo's address. */
const UPSTREAM_ADDRESS = '7 Faraway Ln, Farville, DC 20001';
const IN_DC = {
  road: 'Faraway Lane',
  town: 'Farville',
  state: 'District of Columbia',
  'ISO3166-2-lvl4': 'US-DC',
  postcode: '20001',
};
const MATCH = { ...POINT, matchedAddress: '7 FARAWAY LN, FARVILLE, DC, 20001' };

/**
 * The service on the demo states with an upstream geocoder in place of the Census Bureau's and of Nominatim, until the test
 * is finished if nothing else is given.
 */
async function start(
  geocoder: string,
  answer: Answer,
  env: Record<string, string> = {},
  atEnd: AtEnd = onTestFinished,
) {
  const upstream = await startFakeServer(answer, atEnd);
  const service = await startService(await demoDataset(), {
    GEOCODER: geocoder,
    CENSUS_URL: `${upstream.url}/geocoder`,
    NOMINATIM_URL: upstream.url,
    NOMINATIM_REQUESTS_PER_SECOND: '1000',
    ...env,
  });
  atEnd(async () => {
    service.signal('SIGTERM');
    await service.exited;
  });
  const batch = async (addresses: readonly string[]) => {
    const response = await service.fetch('/v1/batch', {
      method: 'POST',
      headers: { 'X-API-Key': TEST_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ addresses }),
    });
    expect(response.status).toBe(200);
    return batchSchema.parse(await response.json());
  };
  const context = async (address: string) => {
    const response = await service.fetch(`/v1/context?${new URLSearchParams({ address })}`);
    const body: unknown = await response.json();
    return { status: response.status, body };
  };
  return { upstream, service, batch, context };
}

/** One service for the tests around it, none of which may end it. */
function startOnce(...what: Parameters<typeof start>) {
  const ends: Parameters<AtEnd>[0][] = [];
  let started: Awaited<ReturnType<typeof start>> | undefined;
  beforeAll(async () => {
    const [geocoder, answer, env] = what;
    started = await start(geocoder, answer, env, (end) => void ends.push(end));
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  return () => {
    if (!started) throw new Error('the service has not been started');
    return started;
  };
}

/** What the Census geocoder answers that knows one address. */
const census: Answer = (response, { method, body }) => {
  if (method === 'GET') return sendJson(response, censusAnswer([MATCH]));
  const rows = uploadedRows(body).map((row) => {
    const id = row.split(',')[0] ?? '';
    return row.includes('Faraway') ? censusMatchRow(id, MATCH) : censusOtherRow(id, 'No_Match');
  });
  response.writeHead(200, { 'content-type': 'text/csv' }).end(rows.reverse().join(''));
};

describe('with the Census geocoder', () => {
  const shared = startOnce('embedded,census', census);

  test('a batch of 50 goes upstream as one file, without repeats and without what this machine has matched', async () => {
    const { upstream, batch } = shared();
    const before = upstream.requests.length;
    const addresses = Array.from(
      { length: 50 },
      (_, at) => [UPSTREAM_ADDRESS, ADDRESS, NO_ADDRESS, `${at} Nowhere Rd, X, DE`][at % 4] ?? '',
    );
    const { results, succeeded } = await batch(addresses);
    expect(results.map(({ address }) => address)).toEqual(addresses);
    expect(succeeded).toBe(26);
    expect(results.slice(0, 4)).toMatchObject([
      { status: 'ok', location: { ...POINT, matched_address: MATCH.matchedAddress }, tract: { geoid: TRACT } },
      { status: 'ok', location: { matched_address: ADDRESS } },
      { status: 'error', error: 'Address could not be matched.' },
      { status: 'error', error: 'Address could not be matched.' },
    ]);
    const sent = upstream.requests.slice(before);
    expect(sent).toHaveLength(1);
    const rows = uploadedRows(sent[0]?.body ?? '');
    expect(rows).toHaveLength(1 + 1 + 12);
    expect(rows.join()).not.toContain(ADDRESS.split(',')[0]);
  });

  test('one address goes upstream where this machine does not know it, and the tract is found here', async () => {
    const { context, upstream, service } = shared();
    const counted = async () => {
      const { geocoder } = metricsSchema.parse(await (await service.fetch('/metrics')).json());
      const { embedded, census } = geocoder.by_geocoder;
      return [
        geocoder.requests,
        geocoder.matched,
        embedded?.no_matches_by_reason.unknown ?? 0,
        census?.matches_by_type.interpolated ?? 0,
        embedded?.requests ?? 0,
        census?.requests ?? 0,
      ];
    };
    const [sentBefore, countedBefore] = [upstream.requests.length, await counted()];
    for (let time = 0; time < 2; time++) {
      expect(await context('7 Lonely Ln, Farville, DC 20001')).toMatchObject({
        status: 200,
        body: { location: { matched_address: MATCH.matchedAddress }, tract: { geoid: TRACT } },
      });
    }
    expect(upstream.requests).toHaveLength(sentBefore + 1);
    const added = (await counted()).map((count, at) => count - (countedBefore[at] ?? 0));
    expect(added).toEqual([2, 2, 2, 2, 2, 2]);
  });

  test('an address that geocoders elsewhere may place otherwise tomorrow has no ETag; a point has', async () => {
    const { service, upstream } = shared();
    const before = upstream.requests.length;
    const ask = (query: Record<string, string>) =>
      service.fetch(`/v1/context?${new URLSearchParams(query)}`, {
        headers: { 'X-API-Key': TEST_KEY, 'If-None-Match': '*' },
      });
    const placed = await ask({ address: '7 Outlying Ln, Farville, DC 20001' });
    expect([placed.status, placed.headers.get('etag')]).toEqual([200, null]);
    expect(upstream.requests.length).toBeGreaterThan(before);
    expect((await ask({ lat: String(POINT.lat), lng: String(POINT.lng) })).status).toBe(304);
  });
});

test('while the upstream geocoder is down, what this machine matches is answered, the rest says so', async () => {
  const { batch, context } = await start('embedded,census', (response) => void response.writeHead(500).end('oops'));
  const { results } = await batch([UPSTREAM_ADDRESS, ADDRESS, NO_ADDRESS]);
  expect(results).toMatchObject([
    { status: 'error', location: null, tract: null, error: 'Geocoder unavailable.' },
    { status: 'ok', error: null },
    { status: 'error', error: 'Geocoder unavailable.' },
  ]);
  expect(await context(UPSTREAM_ADDRESS)).toEqual(failure(502, 'Geocoder unavailable.'));
  expect(await context(ADDRESS)).toMatchObject({ status: 200 });
});

test('of a batch that Nominatim cannot be asked for in time, some are answered and none disturbs another', async () => {
  const { batch, upstream } = await start(
    'nominatim',
    (response) => sendJson(response, [nominatimPlace(POINT, IN_DC)]),
    {
      NOMINATIM_REQUESTS_PER_SECOND: '4',
      GEOCODER_TIMEOUT_MS: '1500',
    },
  );
  const addresses = Array.from({ length: 20 }, (_, at) => `7 Faraway Ln Apt ${at}, Farville, DC 20001`);
  const { total, succeeded, results } = await batch(addresses);
  expect(total).toBe(20);
  // One every 250 ms, the first at once.
  expect(succeeded).toBeGreaterThanOrEqual(1);
  expect(succeeded).toBeLessThanOrEqual(7);
  expect(upstream.requests.length).toBeLessThanOrEqual(7);
  const failed = results.filter(({ status }) => status === 'error');
  expect(failed.every(({ error }) => error === 'Geocoder unavailable.')).toBe(true);
});

test('with Nominatim no match is a 404, houses in two tracts are a tie, and a stop does not wait for what waits for its turn', async () => {
  const house = nominatimPlace(POINT, IN_DC);
  const elsewhere = nominatimPlace({ lat: 39.7, lng: -75.6 }, IN_DC);
  const { context, batch, upstream, service } = await start(
    'nominatim',
    (response, { path }) => sendJson(response, path?.includes('Faraway') ? [house, elsewhere] : []),
    { NOMINATIM_REQUESTS_PER_SECOND: '1', SHUTDOWN_TIMEOUT_MS: '100' },
  );
  expect(await context(NO_ADDRESS)).toEqual(failure(404, 'No census tract found for this location'));
  const { results } = await batch([UPSTREAM_ADDRESS, NO_ADDRESS]);
  expect(results).toMatchObject([
    { status: 'error', error: expect.stringContaining('ambiguous') },
    { status: 'error', error: 'Address could not be matched.' },
  ]);

  const before = upstream.requests.length;
  const cutOff = Array.from({ length: 14 }, (_, at) => context(`${at} Street, X, DE`).catch(() => undefined));
  await upstream.received(before + 1);
  const startedAtMs = performance.now();
  service.signal('SIGTERM');
  expect(await service.exited).toBe(0);
  // One a second, they would take longer.
  expect(performance.now() - startedAtMs).toBeLessThan(10_000);
  await Promise.all(cutOff);
});
