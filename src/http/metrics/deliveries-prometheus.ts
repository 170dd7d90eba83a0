import type { DeliveryCounts } from '../../webhooks/delivery-counts.js';
import { family } from './prometheus.js';

const STATES: readonly DeliveryCounts['state'][] = ['active', 'paused', 'silenced'];

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
      'Events that arrived or were given up, and attempts that were repeated.',
      each(({ id, delivered, retried, failed }) => [
        `{subscription="${id}",outcome="arrived"} ${delivered}`,
        `{subscription="${id}",outcome="retried"} ${retried}`,
        `{subscription="${id}",outcome="given_up"} ${failed}`,
      ]),
    ),
    family(
      'webhook_state',
      'gauge',
      '1 for the state that a subscription is in.',
      each(({ id, state }) => STATES.map((name) => `{subscription="${id}",state="${name}"} ${name === state ? 1 : 0}`)),
    ),
    gauge('webhook_dead_letters', 'Events that were given up and are kept.', ({ deadLetters }) => deadLetters),
    gauge('webhook_lag_seconds', 'How long the oldest change has been waiting.', ({ lagSeconds }) => lagSeconds),
    gauge('webhook_last_success_timestamp_seconds', 'When an event arrived last; 0 for never.', ({ lastSuccessAt }) =>
      lastSuccessAt === null ? 0 : Date.parse(lastSuccessAt) / 1000,
    ),
    gauge(
      'webhook_last_attempt_timestamp_seconds',
      'When an attempt was noted last; 0 for never.',
      ({ lastAttempt }) => (lastAttempt === null ? 0 : Date.parse(lastAttempt.at) / 1000),
    ),
    gauge(
      'webhook_last_attempt_status',
      'The HTTP status of that attempt; 0 where there was no answer.',
      ({ lastAttempt }) => lastAttempt?.status ?? 0,
    ),
    gauge('webhook_last_attempt_duration_seconds', 'How long that attempt took.', ({ lastAttempt }) =>
      lastAttempt === null ? 0 : lastAttempt.durationMs / 1000,
    ),
  ].join('');
}
