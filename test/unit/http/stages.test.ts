import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { deferred } from '../../../src/core/deferred.js';
import { createStageCount, readStageCounts, STAGE_DURATIONS, serverTiming } from '../../../src/http/metrics/stages.js';
import { metricsSchema } from '../../../src/http/schemas/system.js';
import type { QueryPool } from '../../../src/pool/pool.js';
import type { Reply } from '../../../src/pool/request.js';
import { createCounters } from '../../../src/tallies/counters.js';
import { eventually } from '../../support/eventually.js';
import { liveWith, startTestApp } from '../../support/test-app.js';
import { TINY_TRACTS } from '../../support/tiny-dataset.js';

const TIMES = { queueMs: 7, queryMs: 3 };
const NEARBY = '/v1/nearby?lat=45&lng=-95';
const TRACT = `/v1/tracts/${TINY_TRACTS[0]?.geoid}`;
/** The milliseconds of the stages, and some for the clocks of timers. */
const ALL_MS = TIMES.queueMs + TIMES.queryMs + 2;
const reply = (times = TIMES): Reply => ({ ok: true, body: Buffer.from('{}'), times });
const answering = () => liveWith(vi.fn<QueryPool['run']>(() => delay(ALL_MS, reply())));

test('stages are counted by their limits, with sums and percentiles', () => {
  const counters = createCounters();
  const count = createStageCount(counters);
  count({ queueMs: 0, queryMs: 0.02, writeMs: 1 });
  count({ queueMs: 4, queryMs: 0.02, writeMs: 9999 });
  const [queue, query, write] = readStageCounts(counters.sums());
  expect([queue, query, write]).toMatchObject([
    { stage: 'queue', count: 2, totalSeconds: 0.004 },
    { stage: 'query', count: 2, totalSeconds: 0.00004 },
    { stage: 'write', count: 2, totalSeconds: 10 },
  ]);
  const limits = STAGE_DURATIONS.limitsSeconds;
  const bucketOf = (limit: number): number => limits.indexOf(limit);
  expect([queue?.buckets[0], queue?.buckets[bucketOf(0.005)]]).toEqual([1, 1]);
  expect(query?.buckets[bucketOf(0.000025)]).toBe(2);
  expect(write?.buckets[limits.length]).toBe(1);
  expect(query?.percentile(0.99)).toBeCloseTo(0.02, 3);
});

test('a stage without counted answers has no percentiles', () => {
  expect(readStageCounts(new Map()).map(({ percentile }) => percentile(0.5))).toEqual([null, null, null]);
});

test('the header names each stage with its milliseconds', () => {
  expect(serverTiming({ queueMs: 1, queryMs: 0.0204, writeMs: 12.3456 })).toBe(
    'queue;dur=1.000, query;dur=0.020, write;dur=12.346',
  );
});

test('answers have a Server-Timing header only if it is switched on', async () => {
  const silent = await startTestApp({ current: answering() });
  expect((await silent.get(NEARBY)).headers.get('server-timing')).toBeNull();
  const { get } = await startTestApp({ current: answering(), serverTiming: true });
  expect((await get(NEARBY)).headers.get('server-timing')).toMatch(
    /^queue;dur=7\.000, query;dur=3\.000, write;dur=\d+\.\d{3}$/,
  );
  for (const path of [NEARBY, TRACT, '/health']) {
    expect((await get(path)).headers.get('server-timing')).toMatch(/^queue;dur=0\.000, query;dur=\d+\.\d{3}, write;/);
  }
});

test('who shares an answer that another has waited for longer is told of no more than their own time', async () => {
  const shared = deferred<Reply>();
  const run = vi.fn<QueryPool['run']>(() => shared.promise);
  const { get } = await startTestApp({ current: liveWith(run), serverTiming: true });
  const first = get(NEARBY);
  await eventually(() => expect(run).toHaveBeenCalled());
  const askedAtMs = performance.now();
  const second = get(NEARBY);
  await eventually(async () => expect(await (await get('/metrics')).json()).toMatchObject({ cache: { hits: 1 } }));
  shared.resolve(reply({ queueMs: 60_000, queryMs: 0.5 }));
  const [, queueMs, queryMs] =
    /^queue;dur=([\d.]+), query;dur=([\d.]+),/.exec((await second).headers.get('server-timing') ?? '') ?? [];
  expect(Number(queryMs)).toBe(0.5);
  expect(Number(queueMs)).toBeLessThan(performance.now() - askedAtMs);
  await first;
});

test('answers that are refused before their query have no Server-Timing header', async () => {
  const { get } = await startTestApp({ current: answering(), serverTiming: true });
  const refused = await get(NEARBY, { headers: {} });
  expect([refused.status, refused.headers.get('server-timing')]).toEqual([401, null]);
});

test('/metrics shows the stages of answered requests, as JSON and for Prometheus', async () => {
  const { get } = await startTestApp({ current: answering() });
  await get(NEARBY);
  const { stages_ms: stages } = metricsSchema.parse(await (await get('/metrics')).json());
  expect(stages.queue.p99).toBeCloseTo(7, 0);
  expect(stages.query.p99).toBeCloseTo(3, 0);
  const text = await (await get('/metrics', { headers: { accept: 'text/plain' } })).text();
  // The metrics before were answered, too, and needed no thread.
  expect(text).toContain('tract_context_stage_duration_seconds_bucket{stage="queue",le="0.005"} 1\n');
  expect(text).toContain('tract_context_stage_duration_seconds_bucket{stage="queue",le="0.01"} 2\n');
  expect(text).toContain('tract_context_stage_duration_seconds_count{stage="write"} 2\n');
});
