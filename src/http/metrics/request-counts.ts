import { obtain } from '../../core/obtain.js';
import type { Sums } from '../../tallies/counters.js';
import type { DurationCounts } from './durations.js';
import { latencyPercentile } from './latency-histogram.js';
import { COUNTER_NAMES, ROUTE_DURATIONS } from './request-metrics.js';
import { readStageCounts, type StageCounts } from './stages.js';

/** Counts of finished requests, over all processes. */
export interface RequestCounts {
  readonly total: number;
  readonly authFailures: number;
  /** The number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly routes: readonly RouteCounts[];
  readonly stages: readonly StageCounts[];
  /** The duration in milliseconds that a share (0–1) of the requests did not exceed; null before the first request. */
  percentile(share: number): number | null;
}

/** The requests of a route and method, with their durations. */
export interface RouteCounts extends DurationCounts {
  readonly route: string;
  readonly method: string;
  readonly statuses: ReadonlyMap<number, number>;
}

interface Gathered {
  readonly route: string;
  readonly method: string;
  readonly statuses: Map<number, number>;
  durations: Float64Array;
}

/** Extracts the counts of `createRequestMetrics` from the sums. */
export function readRequestCounts(sums: Sums): RequestCounts {
  const routes = gatherRoutes(sums);
  const statuses = new Map<number, number>();
  let total = 0;
  for (const route of routes) {
    for (const [status, count] of route.statuses) {
      statuses.set(status, (statuses.get(status) ?? 0) + count);
      total += count;
    }
  }
  const latency = sums.get(COUNTER_NAMES.latency) ?? new Float64Array();
  return {
    total,
    authFailures: sums.get(COUNTER_NAMES.authFailures)?.[0] ?? 0,
    statuses,
    routes: routes.map(({ durations, ...route }) => ({ ...route, ...ROUTE_DURATIONS.read(durations) })),
    stages: readStageCounts(sums),
    percentile: (share) => latencyPercentile(latency, share),
  };
}

function gatherRoutes(sums: Sums): Gathered[] {
  const routes = new Map<string, Gathered>();
  for (const [name, numbers] of sums) {
    const [kind, method = '', route = '', status] = name.split(' ');
    if (kind !== COUNTER_NAMES.status && kind !== COUNTER_NAMES.duration) continue;
    const none = () => ({ route, method, statuses: new Map(), durations: new Float64Array() });
    const gathered = obtain(routes, `${method} ${route}`, none);
    if (kind === COUNTER_NAMES.status) gathered.statuses.set(Number(status), numbers[0] ?? 0);
    else gathered.durations = numbers;
  }
  return [...routes.values()];
}
