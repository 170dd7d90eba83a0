import type { AgedSource } from '../../core/loaded-source.js';
import type { GeocoderStats } from '../../geocode/counting-geocoder.js';
import type { NarratorStats } from '../../narrative/narrator.js';
import type { Occurrence } from '../../tallies/occurrences.js';
import type { CacheCounts } from '../cache/response-cache.js';
import type { DescriptorCounts } from './descriptors.js';
import type { RequestCounts } from './request-counts.js';

/** The indicators of the service's health, over all of its processes. */
export interface VitalSigns {
  readonly uptimeSeconds: number;
  readonly cache: CacheStats;
  /** The number of keys with a counted request in their rate-limit window. */
  readonly activeKeys: number;
}

export interface CacheStats extends CacheCounts {
  /** The share of hits, 0 to 1, four decimals; 0 before the first request. */
  readonly hit_rate: number;
}

/** The current counts of all parts of the service, over all of its processes. */
export interface MetricsReport extends VitalSigns {
  readonly requests: RequestCounts;
  readonly geocoder: GeocoderStats;
  readonly narrative: NarratorStats;
  /** The dataset that this process answers from. */
  readonly dataset: LiveDataset | null;
  readonly occurrences: (what: Occurrence) => number;
  readonly standing: Standing;
  readonly descriptors: readonly DescriptorCounts[];
}

/** How long before the expiry of a key its replacement should be under way. */
export const KEY_NOTICE_DAYS = 14;

/** How things stand that an operator may have to act on, as this process sees them. */
export interface Standing {
  /** Whether the live dataset is the published one; see `isPublished`. */
  readonly servesPublished: boolean;
  /** The number of active issued keys that expire within {@link KEY_NOTICE_DAYS}. */
  readonly expiringKeys: number;
}

export interface LiveDataset {
  readonly generation: string;
  readonly tracts: number;
  /** The sources that it was compiled from, with their current age. */
  readonly sources: readonly AgedSource[];
}

/**
 * The JSON body of GET /metrics in the contract's layout. Percentiles are milliseconds with three decimals, null before the
 * first request.
 */
export function metricsJson(report: MetricsReport): Record<string, unknown> {
  const { uptimeSeconds, requests, cache, geocoder, narrative, activeKeys, dataset } = report;
  const sources = dataset?.sources ?? [];
  const byStatus = [...requests.statuses].sort(([one], [other]) => one - other);
  return {
    uptime_seconds: uptimeSeconds,
    total_requests: requests.total,
    status_codes: Object.fromEntries(byStatus),
    cache,
    geocoder,
    narrative,
    auth_failures: requests.authFailures,
    latency_ms: percentiles(requests),
    stages_ms: Object.fromEntries(requests.stages.map((counts) => [counts.stage, percentiles(counts)])),
    rate_limiter: { active_keys: activeKeys },
    sources: sources.map(({ ageDays, ...source }) => ({ ...source, age_days: ageDays })),
  };
}

function percentiles({ percentile }: Pick<RequestCounts, 'percentile'>): Record<string, number | null> {
  const rounded = (share: number): number | null => {
    const milliseconds = percentile(share);
    return milliseconds === null ? null : Math.round(milliseconds * 1000) / 1000;
  };
  return { p50: rounded(0.5), p90: rounded(0.9), p95: rounded(0.95), p99: rounded(0.99) };
}
