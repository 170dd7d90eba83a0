import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { datasetPrometheus } from '../../../src/http/metrics/dataset-prometheus.js';
import { addLatency, LATENCY_BUCKETS, latencyPercentile } from '../../../src/http/metrics/latency-histogram.js';
import { metricsPrometheus } from '../../../src/http/metrics/prometheus.js';
import { type LiveDataset, metricsJson } from '../../../src/http/metrics/report.js';
import { readRequestCounts } from '../../../src/http/metrics/request-counts.js';
import { createRequestMetrics } from '../../../src/http/metrics/request-metrics.js';
import { createCounters } from '../../../src/tallies/counters.js';
import type { DeliveryCounts } from '../../../src/webhooks/admin/delivery-counts.js';
import { startTestApp } from '../../support/test-app.js';

const LOOKUPS = {
  requests: 6,
  matched: 3,
  no_match: 2,
  failures: 1,
  matches_by_type: { exact: 1, interpolated: 2, street: 0, zip: 0 },
  no_matches_by_reason: { unknown: 1, tie: 1, unplaceable: 0, not_loaded: 0 },
};
const PARTS = {
  uptimeSeconds: 1.5,
  cache: { hits: 3, misses: 1, hit_rate: 0.75, size: 1, max_size: 10 },
  geocoder: { ...LOOKUPS, by_geocoder: { census: LOOKUPS } },
  narrative: { ok: 4, failures: 5 },
  activeKeys: 2,
  occurrences: () => 0,
  standing: { servesPublished: true, expiringKeys: 0 },
  descriptors: [],
  dataset: {
    generation: '0123456789abcdef0123456789abcdef',
    tracts: 84415,
    sources: [
      { source: 'acs', vintage: '2023', fetched: '2026-01-02', ageDays: 367 },
      { source: 'hrsa', vintage: null, fetched: '2026-01-02', ageDays: 1 },
      { source: 'zcta', vintage: null, fetched: null, ageDays: null },
    ],
  },
};

function histogramOf(durations: readonly number[]): Float64Array {
  const counts = new Float64Array(LATENCY_BUCKETS);
  for (const duration of durations) addLatency(counts, duration);
  return counts;
}

test('a percentile is within 2 % of the sorted list’s', () => {
  const durations = fc.array(fc.double({ min: 0.001, max: 600_000, noNaN: true }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(durations, fc.constantFrom(0.01, 0.5, 0.9, 0.95, 0.99, 1), (durations, share) => {
      const counts = histogramOf(durations);
      const sorted = durations.toSorted((one, other) => one - other);
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
      const found = latencyPercentile(counts, share) ?? Number.NaN;
      expect(Math.abs(found - exact) / exact).toBeLessThanOrEqual(0.0200001);
    }),
  );
});

test('durations outside the histogram’s range count in its first or last bucket', () => {
  const counts = histogramOf([0, -1, 1e12, Number.POSITIVE_INFINITY]);
  expect(latencyPercentile(counts, 0.25)).toBeCloseTo(0.001, 4);
  expect((latencyPercentile(counts, 1) ?? 0) / 600_000).toBeCloseTo(1, 1);
});

const UNKNOWN = { p50: null, p90: null, p95: null, p99: null };

test('the JSON has the contract’s layout, with null percentiles before the first request', () => {
  const counters = createCounters();
  createRequestMetrics(counters);
  expect(metricsJson({ ...PARTS, requests: readRequestCounts(counters.sums()) })).toEqual({
    uptime_seconds: 1.5,
    total_requests: 0,
    status_codes: {},
    cache: PARTS.cache,
    geocoder: PARTS.geocoder,
    narrative: PARTS.narrative,
    auth_failures: 0,
    latency_ms: UNKNOWN,
    stages_ms: { queue: UNKNOWN, query: UNKNOWN, write: UNKNOWN },
    rate_limiter: { active_keys: 2 },
    sources: [
      { source: 'acs', vintage: '2023', fetched: '2026-01-02', age_days: 367 },
      { source: 'hrsa', vintage: null, fetched: '2026-01-02', age_days: 1 },
      { source: 'zcta', vintage: null, fetched: null, age_days: null },
    ],
  });
});

test('requests are counted by status, refused ones and failed keys included', () => {
  const counters = createCounters();
  const metrics = createRequestMetrics(counters);
  metrics.count('/a', 'GET', 200, 1);
  metrics.count('/a', 'GET', 404, 1);
  metrics.count('/b', 'POST', 200, 1);
  metrics.countRefusal(431);
  metrics.countAuthFailure();
  expect(metricsJson({ ...PARTS, requests: readRequestCounts(counters.sums()) })).toMatchObject({
    total_requests: 4,
    status_codes: { 200: 2, 404: 1, 431: 1 },
    auth_failures: 1,
  });
});

test('the Prometheus text has each route’s statuses and cumulative latencies', () => {
  const counters = createCounters();
  const metrics = createRequestMetrics(counters);
  metrics.count('/v1/tracts/:geoid', 'GET', 200, 0.4);
  metrics.count('/v1/tracts/:geoid', 'GET', 404, 2);
  metrics.count('/v1/tracts/:geoid', 'PROPFIND', 405, 20_000);
  const text = metricsPrometheus({ ...PARTS, requests: readRequestCounts(counters.sums()) });
  const labels = 'route="/v1/tracts/:geoid",method="GET"';
  for (const line of [
    '# TYPE tract_context_requests_total counter',
    `tract_context_requests_total{${labels},status="200"} 1`,
    `tract_context_requests_total{route="/v1/tracts/:geoid",method="other",status="405"} 1`,
    `tract_context_request_duration_seconds_bucket{${labels},le="0.0005"} 1`,
    `tract_context_request_duration_seconds_bucket{${labels},le="0.0025"} 2`,
    `tract_context_request_duration_seconds_bucket{${labels},le="+Inf"} 2`,
    `tract_context_request_duration_seconds_count{${labels}} 2`,
    'tract_context_geocoder_requests_total{outcome="no_match"} 2',
    'tract_context_geocoder_answers_total{geocoder="census",outcome="matched",kind="interpolated"} 2',
    'tract_context_geocoder_answers_total{geocoder="census",outcome="no_match",kind="tie"} 1',
    'tract_context_geocoder_answers_total{geocoder="census",outcome="failure",kind="unavailable"} 1',
    'tract_context_uptime_seconds 1.5',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
  // Every line is a comment or `name{labels} value`.
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(
      /^(?:# (?:HELP|TYPE) \w+ .+|[a-z_]+(?:\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})? [\d.e+-]+)$/,
    );
  }
});

test('the Prometheus text counts each class of statuses from 0 on, so that no alert misses the first errors', () => {
  const counters = createCounters();
  const metrics = createRequestMetrics(counters);
  const classes = (): string[] => {
    const text = metricsPrometheus({ ...PARTS, requests: readRequestCounts(counters.sums()) });
    return [...text.matchAll(/^tract_context_answers_total(.+)$/gm)].map(([, sample = '']) => sample);
  };
  expect(classes()).toEqual(['{class="2xx"} 0', '{class="3xx"} 0', '{class="4xx"} 0', '{class="5xx"} 0']);
  for (const status of [200, 201, 304, 404, 502, 503, 503]) metrics.count('/a', 'GET', status, 1);
  metrics.count('/b', 'GET', 500, 1);
  metrics.countRefusal(431);
  expect(classes()).toEqual(['{class="2xx"} 2', '{class="3xx"} 1', '{class="4xx"} 2', '{class="5xx"} 4']);
});

test.each([
  [undefined, 'application/json; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
  ['application/json', 'application/json; charset=utf-8'],
  ['text/plain;q=0.5, application/json;q=0.4', 'text/plain; version=0.0.4; charset=utf-8'],
  ['text/plain;q=0.4, application/json', 'application/json; charset=utf-8'],
  ['text/plain', 'text/plain; version=0.0.4; charset=utf-8'],
  [
    'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
    'text/plain; version=0.0.4; charset=utf-8',
  ],
])('GET /metrics needs no key and answers Accept %j as %s', async (accept, type) => {
  const { get } = await startTestApp();
  const response = await get('/metrics', { headers: accept === undefined ? {} : { accept } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
});

test('nothing that a client sent becomes a label', async () => {
  const { get } = await startTestApp();
  for (const path of ['/Marked', '/v1/tracts/Marked', '/v1/context?address=Marked', '/v1/Marked']) await get(path);
  const text = await (await get('/metrics', { headers: { accept: 'text/plain' } })).text();
  expect(text).toContain('route="none"');
  expect(text).not.toContain('Marked');
});

test('Prometheus’ text has the live dataset and the ages of its sources, and of those that nothing is known of none', () => {
  const samplesOf = (dataset: LiveDataset | null): string[] =>
    datasetPrometheus(dataset)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
  expect(samplesOf(null)).toEqual([]);
  expect(samplesOf(PARTS.dataset)).toEqual([
    'tract_context_dataset_tracts{generation="0123456789abcdef0123456789abcdef"} 84415',
    `tract_context_source_age_seconds{source="acs",vintage="2023"} ${367 * 86_400}`,
    `tract_context_source_age_seconds{source="hrsa",vintage="latest"} 86400`,
    `tract_context_source_fetched_timestamp_seconds{source="acs",vintage="2023"} ${Date.UTC(2026, 0, 2) / 1000}`,
    `tract_context_source_fetched_timestamp_seconds{source="hrsa",vintage="latest"} ${Date.UTC(2026, 0, 2) / 1000}`,
  ]);
});

test.each(['/health', '/metrics'])(
  'a client that asks for %s many times at once has it counted up once',
  async (path) => {
    const counted = vi.fn();
    const vitalSigns = () => {
      counted();
      return PARTS;
    };
    const report = () => ({ ...vitalSigns(), requests: readRequestCounts(new Map()) });
    const { url } = await startTestApp({ reporting: { vitalSigns, report, answered: () => {} } });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const answers = text(socket);
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n`;
    socket.write(`${`${request}\r\n`.repeat(20)}${request}Connection: close\r\n\r\n`);
    expect((await answers).match(/uptime_seconds/g)).toHaveLength(21);
    expect(counted).toHaveBeenCalledOnce();
  },
);

test('delivery metrics are formatted once for all requests until they are read again', async () => {
  let written = 0;
  const listOf = (id: number): readonly DeliveryCounts[] => [
    {
      id,
      // Looked at once for the text.
      get deadLetters() {
        written++;
        return 0;
      },
      state: 'active',
      delivered: 1,
      retried: 0,
      failed: 0,
      lagSeconds: 0,
      lastSuccessAt: null,
      lastAttempt: null,
    },
  ];
  let counts = listOf(1);
  const { get } = await startTestApp({ deliveries: () => Promise.resolve(counts) });
  const text = async () => (await get('/metrics', { headers: { accept: 'text/plain' } })).text();
  for (const _ of [1, 2, 3]) expect(await text()).toContain('webhook_dead_letters{subscription="1"} 0\n');
  expect(written).toBe(1);
  counts = listOf(2);
  expect(await text()).toContain('webhook_dead_letters{subscription="2"} 0\n');
  expect(written).toBe(2);
});
