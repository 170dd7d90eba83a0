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
export function metricGaps(section: Section, joined: JoinedTracts): MetricGap[] {
  const states = joined.tracts.map(({ geoid }) => stateFipsOf(geoid));
  return gapsAmong(knownOf(section, joined, states), states).map((gap) => ({ section, ...gap }));
}

/** Complete releases have every metric of at least five in six of a state's tracts, or of none. */
export const MOST_SHARE = 0.75;
/** Less than this share of fewer tracts may be chance. */
const FEW_TRACTS = 20;

/** The section's metrics that the same states have of some tracts, but not of most: a file may have ended early. */
export function metricsInPart(section: Section, joined: JoinedTracts): MetricGap[] {
  const states = joined.tracts.map(({ geoid }) => stateFipsOf(geoid));
  const totals = countByState(states);
  const isInPart = (count: number, total: number): boolean => total >= FEW_TRACTS && count < total * MOST_SHARE;
  const lacking = knownOf(section, joined, states).map(({ key, tracts }) => {
    const inPart = [...totals].filter(([fips, total]) => isInPart(tracts.get(fips) ?? total, total));
    return { key, states: inPart.map(([fips]) => fips) };
  });
  return groupByStates(lacking).map((gap) => ({ section, ...gap }));
}

/** For each metric of a section, how many tracts have a value of it; `states` are the tracts'. */
function knownOf(section: Section, { values }: JoinedTracts, states: readonly string[]): KnownIn[] {
  return metricsOf(section).map(({ key, path }) => {
    const column = values[metricIndex(path)];
    return { key, tracts: countByState(states.filter((_, row) => !Number.isNaN(column?.[row] ?? Number.NaN))) };
  });
}

/** The metrics that are missing in a year of the trends; all of them in states of which nothing of that year is loaded. */
export function trendGaps({ tracts, trendYears, trendValues }: JoinedTracts): TrendGap[] {
  const states = tracts.map(({ geoid }) => stateFipsOf(geoid));
  const width = TREND_METRICS.length;
  return trendYears.flatMap((year, yearAt) => {
    const known = TREND_METRICS.map(({ key }, metricAt): KnownIn => {
      const isKnown = (row: number): boolean =>
        !Number.isNaN(trendValues[(row * trendYears.length + yearAt) * width + metricAt] ?? Number.NaN);
      return { key, tracts: countByState(states.filter((_, row) => isKnown(row))) };
    });
    const nothingIn = [...new Set(states)].filter((fips) => !known.some(({ tracts }) => tracts.has(fips)));
    const whole = { metrics: known.map(({ key }) => key), states: nothingIn.map(abbreviationOf) };
    return [...(nothingIn.length > 0 ? [whole] : []), ...gapsAmong(known, states)].map((gap) => ({ year, ...gap }));
  });
}

/** A metric, and by state (two-digit FIPS) the number of tracts with a value of it; none in states without. */
interface KnownIn {
  readonly key: string;
  readonly tracts: ReadonlyMap<string, number>;
}

function countByState(states: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const fips of states) counts.set(fips, (counts.get(fips) ?? 0) + 1);
  return counts;
}

/** Of `states`, those without a metric are told only if they have another. */
function gapsAmong(known: readonly KnownIn[], states: readonly string[]): Gap[] {
  const withAny = [...new Set(states)].filter((fips) => known.some(({ tracts }) => tracts.has(fips)));
  return groupByStates(known.map(({ key, tracts }) => ({ key, states: withAny.filter((fips) => !tracts.has(fips)) })));
}

/** Metrics that are lacking in the same states together; those that are lacking in none are left out. */
function groupByStates(lacking: readonly { readonly key: string; readonly states: readonly string[] }[]): Gap[] {
  const gaps = new Map<string, { metrics: string[]; states: readonly string[] }>();
  for (const { key, states } of lacking) {
    if (states.length === 0) continue;
    obtain(gaps, states.join(), () => ({ metrics: [], states: states.map(abbreviationOf) })).metrics.push(key);
  }
  return [...gaps.values()];
}
