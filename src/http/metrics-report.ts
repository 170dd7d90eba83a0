import type { GeocoderStats } from '../geocode/counting-geocoder.js';
import type { NarratorStats } from '../narrative/narrator.js';
import type { RequestCounts } from './metrics.js';
import type { CacheStats } from './response-cache.js';

/** What the service's parts count, now. */
export interface MetricsReport {
  readonly uptimeSeconds: number;
  readonly requests: RequestCounts;
  readonly cache: CacheStats;
  readonly geocoder: GeocoderStats;
  readonly narrative: NarratorStats;
  readonly activeKeys: number;
}

/** The contract's layout of GET /metrics. Percentiles are milliseconds with three decimals, null before the first request. */
export function metricsJson(report: MetricsReport): Record<string, unknown> {
  const { uptimeSeconds, requests, cache, geocoder, narrative, activeKeys } = report;
  const percentile = (share: number): number | null => {
    const milliseconds = requests.percentile(share);
    return milliseconds === null ? null : Math.round(milliseconds * 1000) / 1000;
  };
  const byStatus = [...requests.statuses].sort(([one], [other]) => one - other);
  return {
    uptime_seconds: uptimeSeconds,
    total_requests: requests.total,
    status_codes: Object.fromEntries(byStatus),
    cache,
    geocoder,
    narrative,
    auth_failures: requests.authFailures,
    latency_ms: { p50: percentile(0.5), p90: percentile(0.9), p95: percentile(0.95), p99: percentile(0.99) },
    rate_limiter: { active_keys: activeKeys },
  };
}
