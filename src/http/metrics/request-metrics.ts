import { obtain } from '../../core/obtain.js';
import type { Counters } from '../../tallies/counters.js';
import { defineDurations } from './durations.js';
import { addLatency, LATENCY_BUCKETS } from './latency-histogram.js';
import { type CountStages, createStageCount } from './stages.js';

/** Counts finished requests. Routes are given as patterns, so that nothing a client sends becomes a label. */
export interface RequestMetrics {
  /** Counts an answered request. */
  count(route: string, method: string, status: number, milliseconds: number): void;
  /** Counts the time that an answer spent in each stage. */
  readonly countStages: CountStages;
  /** Counts the answer to a request that could not be read, so that it never reached the router. */
  countRefusal(status: number): void;
  countAuthFailure(): void;
}

/** The durations of each route's requests. */
export const ROUTE_DURATIONS = defineDurations([
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]);
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE']);
/** Stands in for any other method, and for that of a request that could not be read. */
const OTHER = 'other';
/** Stands in for the route of requests that could not be read. */
const UNREADABLE = 'unreadable';

/** Names of the counters. For a route, method, pattern and (for `status`) the status follow; no pattern holds a blank. */
export const COUNTER_NAMES = {
  latency: 'latency',
  authFailures: 'auth failures',
  status: 'status',
  duration: 'duration',
} as const;

/** The counters of a route and method, cached so that their names need not be concatenated for each request. */
interface Counted {
  readonly label: string;
  readonly statuses: Map<number, Float64Array>;
  durations: Float64Array | undefined;
}

export function createRequestMetrics(counters: Counters): RequestMetrics {
  const latency = counters.own(COUNTER_NAMES.latency, LATENCY_BUCKETS);
  const authFailures = counters.own(COUNTER_NAMES.authFailures, 1);
  /** By method, then by route. */
  const routes = new Map<string, Map<string, Counted>>();

  const countedOf = (route: string, sent: string): Counted => {
    const method = METHODS.has(sent) ? sent : OTHER;
    const ofMethod = obtain(routes, method, () => new Map());
    return obtain(ofMethod, route, () => ({
      label: `${method} ${route}`,
      statuses: new Map(),
      durations: undefined,
    }));
  };
  const countStatus = ({ label, statuses }: Counted, status: number): void => {
    increment(obtain(statuses, status, () => counters.own(`${COUNTER_NAMES.status} ${label} ${status}`, 1)));
  };
  return {
    count: (route, method, status, milliseconds) => {
      addLatency(latency, milliseconds);
      const counted = countedOf(route, method);
      countStatus(counted, status);
      counted.durations ??= counters.own(`${COUNTER_NAMES.duration} ${counted.label}`, ROUTE_DURATIONS.length);
      ROUTE_DURATIONS.add(counted.durations, milliseconds);
    },
    countStages: createStageCount(counters),
    countRefusal: (status) => countStatus(countedOf(UNREADABLE, OTHER), status),
    countAuthFailure: () => increment(authFailures),
  };
}

function increment(count: Float64Array): void {
  count[0] = (count[0] ?? 0) + 1;
}
