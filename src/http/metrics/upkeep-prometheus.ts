import { family, single } from './prometheus.js';
import { KEY_NOTICE_DAYS, type MetricsReport } from './report.js';

/** What may need the attention of whoever runs the service, in Prometheus' text format. */
export function upkeepPrometheus({ occurrences, standing }: Pick<MetricsReport, 'occurrences' | 'standing'>): string {
  return [
    single(
      'dataset_mismatch',
      'gauge',
      '1 if CURRENT names another dataset than the live one or what is not there, or cannot be read; else 0.',
      standing.servesPublished ? 0 : 1,
    ),
    family('reloads_total', 'counter', 'Reloads and rollbacks, by outcome, whoever asked for them.', [
      `{outcome="done"} ${occurrences('reload-done')}`,
      `{outcome="refused"} ${occurrences('reload-refused')}`,
    ]),
    family('restarts_total', 'counter', 'Parts of the service that failed and were started again.', [
      `{part="process"} ${occurrences('process-ended')}`,
      `{part="worker_thread"} ${occurrences('worker-thread-ended')}`,
      `{part="delivery_process"} ${occurrences('delivery-process-ended')}`,
    ]),
    single(
      'keys_expiring',
      'gauge',
      `Issued keys that are active and expire within ${KEY_NOTICE_DAYS} days.`,
      standing.expiringKeys,
    ),
  ].join('');
}
