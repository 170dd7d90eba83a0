import { expect, test } from 'vitest';
import { createDescriptorCount, readDescriptorCounts } from '../../../src/http/metrics/descriptors.js';
import { descriptorsPrometheus } from '../../../src/http/metrics/descriptors-prometheus.js';
import { COUNTERS_BYTES, createSharedCounters } from '../../../src/processes/memory/shared-counters.js';
import { createCounters } from '../../../src/tallies/counters.js';

const max = () => 1024;

const samplesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('the only process has its file descriptors without a label, as in the client libraries of Prometheus', () => {
  const counters = createCounters();
  createDescriptorCount(counters, { max, open: () => 23 })();
  const text = descriptorsPrometheus(readDescriptorCounts(counters.sums()));
  expect(samplesOf(text)).toEqual(['process_open_fds 23', 'process_max_fds 1024']);
  expect(text).toContain('# TYPE process_open_fds gauge\n');
  expect(text).toContain('# TYPE process_max_fds gauge\n');
});

test('each of several processes has its own, whichever is asked', () => {
  const buffer = new ArrayBuffer(2 * COUNTERS_BYTES);
  const regions = [0, COUNTERS_BYTES].map((byteOffset) => ({ buffer, byteOffset }));
  const countersOf = (process: number) => createSharedCounters({ regions, process, ageMs: () => 0 });
  const [first, second] = [countersOf(0), countersOf(1)];
  let open = 23;
  const countFirst = createDescriptorCount(first, { max, open: () => open });
  countFirst();
  createDescriptorCount(second, { max, open: () => 900 })();
  for (const counters of [first, second])
    expect(samplesOf(descriptorsPrometheus(readDescriptorCounts(counters.sums())))).toEqual([
      'process_open_fds{process="0"} 23',
      'process_open_fds{process="1"} 900',
      'process_max_fds{process="0"} 1024',
      'process_max_fds{process="1"} 1024',
    ]);
  open = 24;
  countFirst();
  expect(readDescriptorCounts(second.sums())[0]?.open).toBe(24);
});

test('all count as open where none is free to count them with', () => {
  const counters = createCounters();
  const open = () => {
    throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  };
  createDescriptorCount(counters, { max, open })();
  expect(readDescriptorCounts(counters.sums())).toEqual([{ process: '', open: 1024, max: 1024 }]);
});

test('where the system does not tell how many there may be, there is no sample', () => {
  const counters = createCounters();
  createDescriptorCount(counters, { max: () => undefined, open: () => 23 })();
  expect(samplesOf(descriptorsPrometheus(readDescriptorCounts(counters.sums())))).toEqual([]);
});
