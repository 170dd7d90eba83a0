import type { DeliveryCounts } from '../../webhooks/admin/delivery-counts.js';
import { WEBHOOK_STATES } from '../../webhooks/admin/webhook-admin.js';
import { family } from './prometheus.js';

/** Webhook delivery counts in Prometheus' text format. Subscriptions are labeled by number, never by URL or key. */
export function deliveriesPrometheus(counts: readonly DeliveryCounts[]): string {
  const each = (sampleOf: (entry: DeliveryCounts) => readonly string[]): string[] => counts.flatMap(sampleOf);
  const gauge = (name: string, help: string, countOf: (entry: DeliveryCounts) => number): string =>
    family(
      name,
      'gauge',
      help,
      each((entry) => [`{subscription="${entry.id}"} ${countOf(entry)}`]),
    );
  return [
    family(
      'webhook_deliveries_total',
      'counter',
      'Events delivered or given up, and attempts that were retried.',
      each(({ id, delivered, retried, failed }) => [
        `{subscription="${id}",outcome="arrived"} ${delivered}`,
        `{subscription="${id}",outcome="retried"} ${retried}`,
        `{subscription="${id}",outcome="given_up"} ${failed}`,
      ]),
    ),
    family(
      'webhook_state',
      'gauge',
      '1 for the current state of a subscription, 0 for the others.',
      each(({ id, state }) =>
        WEBHOOK_STATES.map((name) => `{subscription="${id}",state="${name}"} ${name === state ? 1 : 0}`),
      ),
    ),
    gauge(
      'webhook_dead_letters',
      'Dead letters: events that were given up and can be replayed.',
      ({ deadLetters }) => deadLetters,
    ),
    gauge(
      'webhook_lag_seconds',
      'Time that the oldest undelivered change has been waiting.',
      ({ lagSeconds }) => lagSeconds,
    ),
    gauge(
      'webhook_last_success_timestamp_seconds',
      'Time of the last delivered event; 0 for never.',
      ({ lastSuccessAt }) => (lastSuccessAt === null ? 0 : Date.parse(lastSuccessAt) / 1000),
    ),
    gauge(
      'webhook_last_attempt_timestamp_seconds',
      'Time of the last recorded attempt; 0 for never.',
      ({ lastAttempt }) => (lastAttempt === null ? 0 : Date.parse(lastAttempt.at) / 1000),
    ),
    gauge(
      'webhook_last_attempt_status',
      'HTTP status of the last recorded attempt; 0 if there was no answer.',
      ({ lastAttempt }) => lastAttempt?.status ?? 0,
    ),
    gauge('webhook_last_attempt_duration_seconds', 'Duration of the last recorded attempt.', ({ lastAttempt }) =>
      lastAttempt === null ? 0 : lastAttempt.durationMs / 1000,
    ),
  ].join('');
}
