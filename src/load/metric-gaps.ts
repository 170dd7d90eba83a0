import { stateFipsOf } from '../core/geoid.js';
import { metricIndex, metricsOf, type Section, TREND_METRICS } from '../core/metrics.js';
import { obtain } from '../core/obtain.js';
import { abbreviationOf } from '../core/states.js';
import type { JoinedTracts } from './join.js';

/** Metrics that some states, by postal abbreviation, have no value of. */
interface Gap {
  readonly metrics: readonly string[];
  readonly states: readonly string[];
}

/** Metrics of a section, of which the states have others. */
export interface MetricGap extends Gap {
  readonly section: Section;
}

/** Metrics of a year of the trends. */
export interface TrendGap extends Gap {
  readonly year: number;
}

/** The section's metrics that are missing in the same states together, in their order. */
export function metricGaps(section: Section, { tracts, values }: JoinedTracts): MetricGap[] {
  const states = tracts.map(({ geoid }) => stateFipsOf(geoid));
  const known = metricsOf(section).map(({ key, path }): KnownIn => {
    const column = values[metricIndex(path)];
    return { key, states: new Set(states.filter((_, row) => !Number.isNaN(column?.[row] ?? Number.NaN))) };
  });
  return gapsAmong(known, states).map((gap) => ({ section, ...gap }));
}

/** The metrics that are missing in a year of the trends; all of them in states of which nothing of that year is loaded. */
export function trendGaps({ tracts, trendYears, trendValues }: JoinedTracts): TrendGap[] {
  const states = tracts.map(({ geoid }) => stateFipsOf(geoid));
  const width = TREND_METRICS.length;
  return trendYears.flatMap((year, yearAt) => {
    const known = TREND_METRICS.map(({ key }, metricAt): KnownIn => {
      const isKnown = (row: number): boolean =>
        !Number.isNaN(trendValues[(row * trendYears.length + yearAt) * width + metricAt] ?? Number.NaN);
      return { key, states: new Set(states.filter((_, row) => isKnown(row))) };
    });
    const nothingIn = [...new Set(states)].filter((fips) => !known.some((metric) => metric.states.has(fips)));
    const whole = { metrics: known.map(({ key }) => key), states: nothingIn.map(abbreviationOf) };
    return [...(nothingIn.length > 0 ? [whole] : []), ...gapsAmong(known, states)].map((gap) => ({ year, ...gap }));
  });
}

/** A metric, and the states (two-digit FIPS) that have a value of it. */
interface KnownIn {
  readonly key: string;
  readonly states: ReadonlySet<string>;
}

/** Of `states`, those without a metric are told only if they have another. */
function gapsAmong(known: readonly KnownIn[], states: readonly string[]): Gap[] {
  const withAny = [...new Set(states)].filter((fips) => known.some((metric) => metric.states.has(fips)));
  const gaps = new Map<string, { metrics: string[]; states: readonly string[] }>();
  for (const metric of known) {
    const without = withAny.filter((fips) => !metric.states.has(fips)).map(abbreviationOf);
    if (without.length > 0)
      obtain(gaps, without.join(), () => ({ metrics: [], states: without })).metrics.push(metric.key);
  }
  return [...gaps.values()];
}
