import { expect, test, vi } from 'vitest';
import { reused } from '../../../src/http/metrics/reused.js';
import { upkeepPrometheus } from '../../../src/http/metrics/upkeep-prometheus.js';
import { createCounters } from '../../../src/tallies/counters.js';
import { createOccurrenceCount, readOccurrences } from '../../../src/tallies/occurrences.js';
import { startTestApp } from '../../support/test-app.js';

const FINE = { servesPublished: true, expiringKeys: 0 };

const samplesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('what has not happened is there with 0, so that a rate is known from the first time on', () => {
  const occurrences = readOccurrences(createCounters().sums());
  const text = upkeepPrometheus({ occurrences, standing: FINE });
  expect(samplesOf(text)).toEqual([
    'tract_context_dataset_mismatch 0',
    'tract_context_reloads_total{outcome="done"} 0',
    'tract_context_reloads_total{outcome="refused"} 0',
    'tract_context_restarts_total{part="process"} 0',
    'tract_context_restarts_total{part="worker_thread"} 0',
    'tract_context_restarts_total{part="delivery_process"} 0',
    'tract_context_keys_expiring 0',
  ]);
  for (const [name, type] of [
    ['dataset_mismatch', 'gauge'],
    ['reloads_total', 'counter'],
    ['restarts_total', 'counter'],
    ['keys_expiring', 'gauge'],
  ])
    expect(text).toMatch(new RegExp(`^# HELP tract_context_${name} .+\n# TYPE tract_context_${name} ${type}$`, 'm'));
});

test('each occurrence is counted in its own sample', () => {
  const counters = createCounters();
  const count = createOccurrenceCount(counters);
  const times = {
    'reload-done': 1,
    'reload-refused': 2,
    'process-ended': 3,
    'worker-thread-ended': 4,
    'delivery-process-ended': 5,
  } as const;
  for (const what of Object.keys(times) as (keyof typeof times)[])
    for (let time = 0; time < times[what]; time++) count(what);
  const standing = { servesPublished: false, expiringKeys: 6 };
  const text = upkeepPrometheus({ occurrences: readOccurrences(counters.sums()), standing });
  expect(samplesOf(text).map((line) => line.split(' ')[1])).toEqual(['1', '1', '2', '3', '4', '5', '6']);
});

test('a value is computed anew once it is a second old', () => {
  let nowMs = 5;
  const make = vi.fn(() => nowMs);
  const value = reused(make, () => nowMs);
  expect([value(), value()]).toEqual([5, 5]);
  nowMs = 1004;
  expect(value()).toBe(5);
  nowMs = 1005;
  expect(value()).toBe(1005);
  expect(make).toHaveBeenCalledTimes(2);
});

test('Prometheus’ text has them, and the JSON of /metrics has not', async () => {
  const { get } = await startTestApp();
  const text = await (await get('/metrics', { headers: { accept: 'text/plain' } })).text();
  expect(text).toContain('\ntract_context_dataset_mismatch 0\n');
  expect(text).toContain('\ntract_context_keys_expiring 0\n');
  expect(Object.keys(JSON.parse(await (await get('/metrics')).text()))).toEqual([
    'uptime_seconds',
    'total_requests',
    'status_codes',
    'cache',
    'geocoder',
    'narrative',
    'auth_failures',
    'latency_ms',
    'stages_ms',
    'rate_limiter',
    'sources',
  ]);
});
