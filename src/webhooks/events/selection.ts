import { METRICS } from '../../core/metrics.js';
import type { EventName, SubscriptionFilters, Threshold } from '../subscription.js';

/** A threshold on a metric; `metric` is its position in METRICS. */
export interface WatchedMetric extends Threshold {
  readonly metric: number;
  readonly path: string;
}

/** The events that a subscription asks for, compiled from its settings. */
export interface Selection {
  /** Whether it gets a `data.updated` for each changed tract. */
  readonly updates: boolean;
  /** In the order of METRICS; empty if it does not ask for `threshold.exceeded`. */
  readonly watched: readonly WatchedMetric[];
  /** Whether a tract, given its GEOID as a number, passes the state and tract filters. */
  includes(geoid: number): boolean;
}

/** A tract GEOID is the two-digit state FIPS code followed by nine digits. */
const TRACTS_A_STATE = 1e9;

/** Compiles a subscription's events and filters. An empty list filters nothing; a tract must pass every filter given. */
export function compileSelection(events: readonly EventName[], filters: SubscriptionFilters): Selection {
  const states = setOf(filters.state_fips?.map(Number));
  const geoids = setOf(filters.geoids?.map(Number));
  const thresholds = filters.thresholds ?? {};
  const watched = METRICS.flatMap(({ path }, metric) => {
    const threshold = Object.hasOwn(thresholds, path) ? thresholds[path] : undefined;
    return threshold ? [{ ...threshold, metric, path }] : [];
  });
  return {
    updates: events.includes('data.updated'),
    watched: events.includes('threshold.exceeded') ? watched : [],
    includes: (geoid) =>
      (geoids === undefined || geoids.has(geoid)) &&
      (states === undefined || states.has(Math.floor(geoid / TRACTS_A_STATE))),
  };
}

/** Whether a value meets a condition; a missing value (NaN) never does. */
export function meets(value: number, { operator, value: bound }: Threshold): boolean {
  switch (operator) {
    case '>':
      return value > bound;
    case '>=':
      return value >= bound;
    case '<':
      return value < bound;
    case '<=':
      return value <= bound;
  }
}

function setOf<T>(list: readonly T[] | undefined): ReadonlySet<T> | undefined {
  return list && list.length > 0 ? new Set(list) : undefined;
}
