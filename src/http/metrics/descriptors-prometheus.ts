import type { DescriptorCounts } from './descriptors.js';
import { commonFamily } from './prometheus.js';

/** File descriptors in Prometheus' text format, under the names that its client libraries use. */
export function descriptorsPrometheus(counts: readonly DescriptorCounts[]): string {
  const gauge = (name: string, help: string, countOf: (counts: DescriptorCounts) => number): string =>
    commonFamily(
      name,
      'gauge',
      help,
      counts.map((one) => `${one.process === '' ? '' : `{process="${one.process}"}`} ${countOf(one)}`),
    );
  return [
    gauge('process_open_fds', 'Number of open file descriptors.', ({ open }) => open),
    gauge('process_max_fds', 'Maximum number of open file descriptors.', ({ max }) => max),
  ].join('');
}
