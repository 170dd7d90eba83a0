import type { CountingGeocoder } from '../../geocode/counting-geocoder.js';
import type { Narrator } from '../../narrative/narrator.js';
import type { Counters, Sums } from '../../tallies/counters.js';
import { readOccurrences } from '../../tallies/occurrences.js';
import type { RateLimiter } from '../access/rate-limit.js';
import type { ResponseCache } from '../cache/response-cache.js';
import { createDescriptorCount, readDescriptorCounts } from './descriptors.js';
import { createMirror } from './mirror.js';
import type { LiveDataset, MetricsReport, Standing, VitalSigns } from './report.js';
import { readRequestCounts } from './request-counts.js';
import { reused } from './reused.js';

/** Gathers the counts of all parts of the service over all of its processes. */
export interface Reporting {
  /** All current counts. */
  report(): MetricsReport;
  /** The few counts that /health shows: cheaper than `report`, since load balancers ask for them all the time. */
  vitalSigns(): VitalSigns;
  /** Call after each answered request: if several processes serve, it publishes the changed counts to the others. */
  answered(): void;
}

export interface ReportingDeps {
  readonly counters: Counters;
  readonly cache: ResponseCache;
  readonly geocoder: CountingGeocoder;
  readonly narrator: Narrator;
  readonly limiter: RateLimiter;
  readonly dataset: () => LiveDataset | null;
  /** Called once a second at most. */
  readonly standing: () => Standing;
}

/** The delay until changes are published. Publishing takes some 20 µs, too much to do for every request. */
const PUBLISH_DELAY_MS = 10;
/** A process without a free file descriptor may have nothing to answer, and has to tell of itself all the same. */
const COUNT_DESCRIPTORS_EVERY_MS = 5000;
/** The name of the cache's counters. */
const CACHE = 'cache';
const CACHE_GAUGES: ReadonlySet<string> = new Set(['size', 'max_size']);

export function createReporting(deps: ReportingDeps): Reporting {
  const { counters, cache, geocoder, narrator, limiter, dataset } = deps;
  const caches = createMirror({ counters, name: CACHE, read: cache.stats, gauges: CACHE_GAUGES });
  const lookups = createMirror({ counters, name: 'geocoder', read: geocoder.stats });
  const narratives = createMirror({ counters, name: 'narrative', read: narrator.stats });
  const standing = reused(deps.standing, counters.ageMs);
  const countDescriptors = reused(createDescriptorCount(counters), counters.ageMs);
  const isOneOfSeveral = counters.process !== undefined;
  let scheduled = false;

  const publish = (): void => {
    scheduled = false;
    caches.publish();
    lookups.publish();
    narratives.publish();
  };
  const readVitalSigns = (sums: Sums): VitalSigns => {
    const { hits, misses, size, max_size } = caches.total(sums);
    return {
      uptimeSeconds: Math.round(counters.ageMs()) / 1000,
      cache: { hits, misses, hit_rate: hitRate(hits, misses), size, max_size },
      activeKeys: limiter.activeKeys(),
    };
  };
  // Lets the other processes see this process's counts from the start.
  publish();
  countDescriptors();
  if (isOneOfSeveral) setInterval(countDescriptors, COUNT_DESCRIPTORS_EVERY_MS).unref();
  return {
    report: () => {
      publish();
      countDescriptors();
      const sums = counters.sums();
      return {
        ...readVitalSigns(sums),
        requests: readRequestCounts(sums),
        geocoder: lookups.total(sums),
        narrative: narratives.total(sums),
        dataset: dataset(),
        occurrences: readOccurrences(sums),
        standing: standing(),
        descriptors: readDescriptorCounts(sums),
      };
    },
    vitalSigns: () => {
      caches.publish();
      return readVitalSigns(counters.sums(CACHE));
    },
    answered: () => {
      if (!isOneOfSeveral || scheduled) return;
      scheduled = true;
      setTimeout(publish, PUBLISH_DELAY_MS);
    },
  };
}

function hitRate(hits: number, misses: number): number {
  return hits === 0 ? 0 : Math.round((hits / (hits + misses)) * 1e4) / 1e4;
}
