import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Answer, sendJson, startFakeServer } from '../support/fake-server.js';
import { censusAnswer, censusOtherRow, nominatimPlace } from '../support/geocoder-answers.js';
import { variants } from '../support/rounds.js';
import { type ServiceProcess, startService, TEST_KEY } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { publishTinyDataset } from '../support/tiny-dataset.js';

/** What stands for a patient: none of it may appear in anything that the service writes. */
const STREET = 'Zyzzogeton';
const LAT = '45.0512347';
const LNG = '-94.9498761';
/** Coordinates also rounded to four decimals; without the point their digits would stand in many a request ID. */
const MARKS = [STREET, '.0512', '.9498', TEST_KEY, 'wrong-key-of-a-client', 'secret-of-a-subscriber'];

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const datasetsDir = temporaryDirectory();
  publishTinyDataset(datasetsDir);
  // One search at a time and next to no waiting, so that some are given up.
  const busy = { LOG_LEVEL: 'debug', WORKER_THREADS: '1', QUEUE_MAX_TASKS: '1' };
  const service = await startService(datasetsDir, { ...busy, ...env });
  onTestFinished(service.kill);
  return service;
}

const PLACE = `address=7+${STREET}+St&lat=${LAT}&lng=${LNG}`;
const AT = `lat=${LAT}&lng=${LNG}`;
const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'X-API-Key': TEST_KEY, 'Content-Type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Every endpoint, and every way to fail that a request can choose, with marked values wherever a value can stand. */
const REQUESTS: readonly (readonly [path: string, init?: RequestInit])[] = [
  [`/v1/context?${PLACE}`],
  [`/v1/context?${PLACE}&narrative=true`],
  [`/v1/context?${AT}&narrative=true`],
  [`/v1/context?${PLACE}&lat=${STREET}`],
  [`/v1/context?address=${STREET.repeat(60)}`],
  [`/v1/context?address=%ff${STREET}`],
  [`/v1/context?${PLACE}`, { headers: {} }],
  [`/v1/context?${PLACE}`, { headers: { 'X-API-Key': 'wrong-key-of-a-client' } }],
  [`/v1/context?${PLACE}`, { method: 'DELETE', headers: { 'X-API-Key': TEST_KEY } }],
  ['/v1/batch', json({ addresses: [`7 ${STREET} St`, `${STREET}`] })],
  ['/v1/batch', json({ addresses: Array(51).fill(STREET) })],
  ['/v1/batch', json({ addresses: [STREET, 7, ''] })],
  ['/v1/batch', json(`{"addresses": ["${STREET}"`)],
  ['/v1/batch', json(`{"addresses": ["${STREET.repeat(30_000)}"]}`)],
  ['/v1/batch', json({ addresses: [STREET] }, { 'Content-Type': STREET })],
  ...Array.from({ length: 8 }, (_, at) => [`/v1/nearby?${AT}&radius=${at + 1}`] as const),
  [`/v1/nearby?${AT}&radius=${STREET}`],
  [`/v1/compare?geoid1=${STREET}&geoid2=${STREET}`],
  [`/v1/compare?geoid1=27001000100&compare_to=${STREET}`],
  [`/v1/trends?geoid=${STREET}`],
  [`/v1/demographics/compare?geoid=${STREET}`],
  [`/v1/dictionary?category=${STREET}`],
  [`/v1/stats?offset=${STREET}`],
  [`/v1/providers?${AT}`],
  [`/v1/providers?${AT}&provider_type=${STREET}`],
  [`/v1/providers/geojson?bbox=${LNG},${LAT},${STREET},46`],
  [`/v1/tracts/geojson?${AT}`],
  [`/v1/tracts/${STREET}`],
  [`/v1/tracts/%ff${STREET}`],
  ['/v1/webhooks', json({ url: `https://${STREET}.example/`, events: [STREET], secret: 'secret-of-a-subscriber' })],
  [
    '/v1/webhooks',
    json({ url: `https://${STREET}.example/`, events: ['data.updated'], secret: 'secret-of-a-subscriber' }),
  ],
  [`/v1/webhooks/${STREET}`],
  [`/v1/${STREET}?${PLACE}`],
  [`/${STREET}?${PLACE}`],
  [`/health?${PLACE}`],
  [`/metrics?${PLACE}`],
  [`/docs?${PLACE}`, { headers: { Referer: `http://x/?${PLACE}`, 'User-Agent': STREET } }],
  ['/health', { headers: { 'X-Request-ID': `7 ${STREET}` } }],
];

/** Requests that `fetch` would not send. */
const BYTES: readonly string[] = [
  `GET http://${STREET}/v1/context?${PLACE} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\nConnection: close\r\n\r\n`,
  `GET /v1/context?address=${STREET}\u0000 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\nConnection: close\r\n\r\n`,
  `${STREET} /v1/context?${PLACE} HTTP/1.1\r\n\r\n`,
  `GET /v1/context?${PLACE} HTTP/1.1\r\nX-API-Key: ${TEST_KEY}\r\nX: ${STREET.repeat(2000)}\r\n\r\n`,
  `POST /v1/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${TEST_KEY}\r\nTransfer-Encoding: chunked\r\n\r\n${STREET}\r\n`,
];

test.each([
  ['as usual', {}, [200, 400, 401, 403, 404, 405, 413, 422], 404],
  ['beyond the rate limit', { RATE_LIMIT_MAX: '1' }, [401, 403, 429], 429],
])(
  'no output contains an address, a coordinate, a key or a secret, and no geocoder gets any that is not configured: %s',
  async (_, env, statuses, unknown) => {
    const upstream = await startFakeServer(upstreamAnswer);
    const elsewhere = { CENSUS_URL: upstream.url, NOMINATIM_URL: upstream.url };
    const { fetch, exchange, logLine, output, signal, exited } = await start({ ...elsewhere, ...env });
    const answers = await Promise.all(
      REQUESTS.map(async ([path, init]) => {
        const response = await fetch(path, init);
        await response.text();
        return response.status;
      }),
    );
    // What was meant to fail has failed, or the test would show little.
    expect(answers).toEqual(expect.arrayContaining(statuses));
    for (const bytes of BYTES) expect(await exchange(bytes)).toMatch(/^HTTP\/1.1 [245]\d\d /);
    // By themselves, so that none is given up.
    const address = `7 ${STREET} St, DE 19901`;
    expect((await fetch(`/v1/context?${new URLSearchParams({ address })}`)).status).toBe(unknown);
    await fetch('/v1/batch', json({ addresses: [`7 ${STREET} St`, `8 ${STREET} St, Farville, DE 19901`] }));
    expect(upstream.requests).toEqual([]);
    await fetch('/health', { headers: { 'X-Request-ID': 'the-last-one' } });
    await logLine({ request_id: 'the-last-one' });
    signal('SIGTERM');
    expect(await exited).toBe(0);
    const written = output();
    expect(written.split('\n').length).toBeGreaterThan(REQUESTS.length);
    for (const mark of MARKS) expect(written).not.toContain(mark);
  },
);

/** How upstream geocoders answer, by what the address says; what they send back holds the address, as in life. */
const upstreamAnswer: Answer = (response, request) => {
  const { method, path = '', body } = request;
  const asked = decodeURIComponent(`${path} ${body}`);
  if (asked.includes('Broken')) return void response.destroy();
  if (asked.includes('Down')) return void response.writeHead(500).end(asked);
  if (asked.includes('Limited')) return void response.writeHead(429, { 'retry-after': '600' }).end(asked);
  if (asked.includes('Page')) return void response.writeHead(200, { 'content-type': 'text/html' }).end(asked);
  if (asked.includes('Slow')) return undefined;
  if (asked.includes('Noise')) return sendJson(response, { result: asked });
  if (asked.includes('Moved')) return void response.writeHead(307, { location: path.replace('/', '/moved/') }).end();
  if (method === 'POST') return void response.end(censusOtherRow(0, 'Tie') + censusOtherRow(1, 'No_Match'));
  const place = { lat: Number(LAT), lng: Number(LNG) };
  if (path.startsWith('/search')) return sendJson(response, [nominatimPlace(place, { road: STREET })]);
  return sendJson(response, censusAnswer([{ ...place, matchedAddress: `7 ${STREET.toUpperCase()} ST` }]));
};

/** Ways to answer, one after the other; a good one keeps the geocoder from being left alone for the failures before it. */
const WAYS = [
  ['Good', 'Page', 'Good', 'Noise', 'Good', 'Moved', 'Good', 'Slow', 'Good', 'Broken'],
  // After these, and after the last one above, it is left alone.
  ['Down'],
  ['Limited'],
];
const [ONE_BY_ONE = [], DOWN = [], LIMITED = []] = WAYS;

test.each(
  variants(
    [
      ['embedded,census', ONE_BY_ONE],
      ['nominatim', ONE_BY_ONE],
      ['nominatim', LIMITED],
    ],
    [
      ['embedded,census', DOWN],
      ['embedded,census', LIMITED],
      ['nominatim', DOWN],
    ],
  ),
)(
  'an address goes to the geocoders of GEOCODER=%s and shows nowhere else, whatever they answer: %j',
  async (geocoder, ways) => {
    const [configured, other] = [await startFakeServer(upstreamAnswer), await startFakeServer(upstreamAnswer)];
    const stateDir = temporaryDirectory();
    const { fetch, output, signal, exited } = await start({
      GEOCODER: geocoder,
      CENSUS_URL: (geocoder.includes('census') ? configured : other).url,
      NOMINATIM_URL: (geocoder.includes('nominatim') ? configured : other).url,
      NOMINATIM_REQUESTS_PER_SECOND: '1000',
      GEOCODER_TIMEOUT_MS: '1000',
      STATE_DIR: stateDir,
    });
    const seen: string[] = [];
    for (const [at, way] of ways.entries()) {
      // Another one each time: what is known is not asked for again.
      const address = `7 ${STREET} ${way} ${at} St, Farville, DE 19901`;
      const context = await fetch(`/v1/context?${new URLSearchParams({ address, narrative: 'true' })}`);
      // A match is told to whoever asked for it, and nothing else is told of an address.
      if (!context.ok) seen.push(await context.text());
      await (await fetch('/v1/batch', json({ addresses: [address, `8${address}`] }))).text();
      expect(configured.requests.some(({ path, body }) => `${path}${body}`.includes(way))).toBe(true);
    }
    for (const accept of ['application/json', 'text/plain']) {
      seen.push(await (await fetch('/metrics', { headers: { accept } })).text());
    }
    seen.push(...contentsOf(stateDir));
    signal('SIGTERM');
    expect(await exited).toBe(0);
    expect(configured.requests.some(({ path }) => path?.startsWith('/moved'))).toBe(false);
    expect(other.requests).toEqual([]);
    const everything = [...seen, output()].join('\n').toLowerCase();
    for (const mark of MARKS) expect(everything).not.toContain(mark.toLowerCase());
  },
);

function contentsOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
}
