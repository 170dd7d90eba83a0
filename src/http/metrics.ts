import { createLatencyHistogram } from './latency-histogram.js';

/** Counts of finished requests. Routes are patterns; nothing that a client sent becomes a label. */
export interface RequestMetrics {
  /** Counts an answered request. */
  count(route: string, method: string, status: number, milliseconds: number): void;
  /** Counts an answer that was given before there was a request to route. */
  countRefusal(status: number): void;
  countAuthFailure(): void;
  read(): RequestCounts;
}

export interface RequestCounts {
  readonly total: number;
  readonly authFailures: number;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly routes: readonly RouteCounts[];
  /** Milliseconds that this share (0–1) of the requests did not exceed; null before the first. */
  percentile(share: number): number | null;
}

export interface RouteCounts {
  readonly route: string;
  readonly method: string;
  readonly statuses: ReadonlyMap<number, number>;
  /** Requests that took at most each of {@link LATENCY_LIMITS_SECONDS} and more than the one before. */
  readonly buckets: Float64Array;
  readonly count: number;
  readonly totalSeconds: number;
}

/** Limits of the latency buckets that are kept for each route. */
export const LATENCY_LIMITS_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE']);
/** The refused requests' place among the routes. */
const UNREADABLE = 'unreadable';

interface Counted extends RouteCounts {
  readonly statuses: Map<number, number>;
  count: number;
  totalSeconds: number;
}

export function createRequestMetrics(): RequestMetrics {
  const latency = createLatencyHistogram();
  const statuses = new Map<number, number>();
  /** By method, by route: without a joined text for each request. */
  const routes = new Map<string, Map<string, Counted>>();
  let total = 0;
  let authFailures = 0;

  const countedOf = (route: string, sent: string): Counted => {
    const method = METHODS.has(sent) ? sent : 'other';
    const ofMethod = obtain(routes, method, () => new Map());
    return obtain(ofMethod, route, () => createCounted(route, method));
  };
  return {
    count: (route, method, status, milliseconds) => {
      total++;
      increment(statuses, status);
      latency.add(milliseconds);
      const counted = countedOf(route, method);
      increment(counted.statuses, status);
      counted.count++;
      counted.totalSeconds += milliseconds / 1000;
      const bucket = bucketOf(milliseconds / 1000);
      counted.buckets[bucket] = (counted.buckets[bucket] ?? 0) + 1;
    },
    countRefusal: (status) => {
      total++;
      increment(statuses, status);
      increment(countedOf(UNREADABLE, 'none').statuses, status);
    },
    countAuthFailure: () => {
      authFailures++;
    },
    read: () => ({
      total,
      authFailures,
      statuses,
      routes: [...routes.values()].flatMap((ofMethod) => [...ofMethod.values()]),
      percentile: latency.percentile,
    }),
  };
}

function createCounted(route: string, method: string): Counted {
  const buckets = new Float64Array(LATENCY_LIMITS_SECONDS.length + 1);
  return { route, method, statuses: new Map(), buckets, count: 0, totalSeconds: 0 };
}

/** What is there for a key, or is made now. */
function obtain<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function increment(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function bucketOf(seconds: number): number {
  let bucket = 0;
  for (const limit of LATENCY_LIMITS_SECONDS) {
    if (seconds <= limit) return bucket;
    bucket++;
  }
  return bucket;
}
