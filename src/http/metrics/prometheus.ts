import type { GeocoderCounts } from '../../geocode/counting-geocoder.js';
import type { DurationCounts, Durations } from './durations.js';
import type { MetricsReport } from './report.js';
import type { RouteCounts } from './request-counts.js';
import { ROUTE_DURATIONS } from './request-metrics.js';
import { STAGE_DURATIONS, type StageCounts } from './stages.js';

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const REQUESTS_HELP =
  'Answered requests. Of the route "none": refused before routing, for example without a valid key, or of no such path; ' +
  'of the route "unreadable": not valid as HTTP.';
const DURATION_HELP = 'Time to answer a request that could be read, refusals (4xx, 503) included.';
/** The classes of statuses that are answered with. */
const CLASSES = [2, 3, 4, 5];

/** The counts of `metricsJson` in Prometheus' text format, with statuses and latencies for each route. */
export function metricsPrometheus(report: MetricsReport): string {
  const { uptimeSeconds, requests, cache, geocoder, narrative, activeKeys } = report;
  const answered = requests.routes.filter(({ count }) => count > 0);
  return [
    family('requests_total', 'counter', REQUESTS_HELP, requests.routes.flatMap(statusSamples)),
    family('answers_total', 'counter', 'Answered requests, by class of their status.', classSamples(requests.statuses)),
    family('request_duration_seconds', 'histogram', DURATION_HELP, answered.flatMap(latencySamples)),
    family(
      'stage_duration_seconds',
      'histogram',
      'Time that answers spent in each stage.',
      requests.stages.flatMap(stageSamples),
    ),
    single('auth_failures_total', 'counter', 'Requests without a valid key.', requests.authFailures),
    single('cache_hits_total', 'counter', 'Answers served from the cache.', cache.hits),
    single('cache_misses_total', 'counter', 'Answers that were not in the cache.', cache.misses),
    single('cache_entries', 'gauge', 'Answers in the cache.', cache.size),
    single('cache_max_entries', 'gauge', 'Maximum number of answers in the cache.', cache.max_size),
    family('geocoder_requests_total', 'counter', 'Addresses looked up, by outcome.', [
      `{outcome="matched"} ${geocoder.matched}`,
      `{outcome="no_match"} ${geocoder.no_match}`,
      `{outcome="failure"} ${geocoder.failures}`,
    ]),
    family(
      'geocoder_answers_total',
      'counter',
      'Answers of each geocoder.',
      Object.entries(geocoder.by_geocoder).flatMap(([name, counts]) => geocoderSamples(name, counts)),
    ),
    family('narratives_total', 'counter', 'Narratives, by outcome.', [
      `{outcome="ok"} ${narrative.ok}`,
      `{outcome="failure"} ${narrative.failures}`,
    ]),
    single('rate_limiter_active_keys', 'gauge', 'Keys with a request in the current rate-limit window.', activeKeys),
    single('uptime_seconds', 'gauge', 'Time since the service started.', uptimeSeconds),
  ].join('');
}

type FamilyType = 'counter' | 'gauge' | 'histogram';

/** A metric family of one sample without labels. */
export function single(name: string, type: FamilyType, help: string, value: number): string {
  return family(name, type, help, [` ${value}`]);
}

/** A metric family. Each sample is the part of its line after the family's name: suffix, labels and value. */
export function family(name: string, type: FamilyType, help: string, samples: readonly string[]): string {
  return commonFamily(`tract_context_${name}`, type, help, samples);
}

/** The same under a name that other programs use, too. */
export function commonFamily(name: string, type: FamilyType, help: string, samples: readonly string[]): string {
  const lines = samples.map((sample) => `${name}${sample}\n`).join('');
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`;
}

/** Route patterns and methods come from this service's own fixed sets and need no escaping. */
const labelsOf = ({ route, method }: RouteCounts): string => `route="${route}",method="${method}"`;

function geocoderSamples(name: string, counts: GeocoderCounts): string[] {
  const sample = (outcome: string, kind: string, count: number): string =>
    `{geocoder="${name}",outcome="${outcome}",kind="${kind}"} ${count}`;
  return [
    ...Object.entries(counts.matches_by_type).map(([type, count]) => sample('matched', type, count)),
    ...Object.entries(counts.no_matches_by_reason).map(([reason, count]) => sample('no_match', reason, count)),
    sample('failure', 'unavailable', counts.failures),
  ];
}

function statusSamples(counts: RouteCounts): string[] {
  return [...counts.statuses].map(([status, count]) => `{${labelsOf(counts)},status="${status}"} ${count}`);
}

/**
 * All classes, from the start on: how much a count has grown is known to Prometheus only from the second sample, so that of
 * `requests_total` it misses the first errors of a route.
 */
function classSamples(statuses: ReadonlyMap<number, number>): string[] {
  return CLASSES.map((first) => {
    const counts = [...statuses].map(([status, count]) => (Math.floor(status / 100) === first ? count : 0));
    return `{class="${first}xx"} ${counts.reduce((sum, count) => sum + count, 0)}`;
  });
}

function latencySamples(counts: RouteCounts): string[] {
  return histogramSamples(labelsOf(counts), ROUTE_DURATIONS, counts);
}

function stageSamples(counts: StageCounts): string[] {
  return histogramSamples(`stage="${counts.stage}"`, STAGE_DURATIONS, counts);
}

function histogramSamples(labels: string, { limitsSeconds }: Durations, counts: DurationCounts): string[] {
  let atMost = 0;
  const buckets = limitsSeconds.map((limit, bucket) => {
    atMost += counts.buckets[bucket] ?? 0;
    return `_bucket{${labels},le="${limit}"} ${atMost}`;
  });
  return [
    ...buckets,
    `_bucket{${labels},le="+Inf"} ${counts.count}`,
    `_sum{${labels}} ${counts.totalSeconds}`,
    `_count{${labels}} ${counts.count}`,
  ];
}
