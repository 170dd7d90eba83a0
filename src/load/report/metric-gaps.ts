import { countEach } from '../../core/count-each.js';
import { stateFipsOf } from '../../core/geoid.js';
import { metricIndex, metricsOf, type Section, TREND_METRICS } from '../../core/metrics.js';
import { obtain } from '../../core/obtain.js';
import { abbreviationOf } from '../../core/states.js';
import type { JoinedTracts } from '../join/join.js';

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

/** What a section lacks, in the order of its metrics. */
export interface SectionGaps {
  /** The metrics that are missing in the same states together. */
  readonly without: readonly MetricGap[];
  /** The metrics that the same states have of some tracts, but not of most: a file may have ended early. */
  readonly inPart: readonly MetricGap[];
}

/** Complete releases have every metric of at least five in six of a state's tracts, or of none. */
export const MOST_SHARE = 0.75;
/** Less than this share of fewer tracts may be chance. */
export const FEW_TRACTS = 20;

/** The gaps in a section. States that have nothing of it are not among them: how far the section reaches tells of those. */
export function sectionGaps(section: Section, { tracts, values }: JoinedTracts): SectionGaps {
  const states = tracts.map(({ geoid }) => stateFipsOf(geoid));
  const totals = countEach(states);
  const known = metricsOf(section).map(({ key, path }): KnownIn => {
    const column = values[metricIndex(path)];
    return { key, tracts: countEach(states.filter((_, row) => !Number.isNaN(column?.[row] ?? Number.NaN))) };
  });
  const inPart = known.map(({ key, tracts: counts }) => ({
    key,
    states: [...totals.keys()].filter((fips) => isInPart(counts.get(fips), totals.get(fips) ?? 0)),
  }));
  const ofSection = (gaps: readonly Gap[]): MetricGap[] => gaps.map((gap) => ({ section, ...gap }));
  return { without: ofSection(gapsAmong(known, states)), inPart: ofSection(groupByStates(inPart)) };
}

/** Whether this number of a state's tracts is some of all, but not most. */
export const isInPart = (count: number | undefined, total: number): boolean =>
  count !== undefined && total >= FEW_TRACTS && count < total * MOST_SHARE;

/** The metrics that are missing in a year of the trends; all of them in states of which nothing of that year is loaded. */
export function trendGaps({ tracts, trendYears, trendValues }: JoinedTracts): TrendGap[] {
  const states = tracts.map(({ geoid }) => stateFipsOf(geoid));
  const width = TREND_METRICS.length;
  return trendYears.flatMap((year, yearAt) => {
    const known = TREND_METRICS.map(({ key }, metricAt): KnownIn => {
      const isKnown = (row: number): boolean =>
        !Number.isNaN(trendValues[(row * trendYears.length + yearAt) * width + metricAt] ?? Number.NaN);
      return { key, tracts: countEach(states.filter((_, row) => isKnown(row))) };
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
