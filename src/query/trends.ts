import { geoidFromNumber } from '../core/geoid.js';
import { knownOrNull } from '../core/known-or-null.js';
import { metricIndex, TREND_METRICS } from '../core/metrics.js';
import { roundTo } from '../core/rounding.js';
import { hasSurveyedPopulation, POPULATION } from '../format/surveyed-population.js';
import type { TractsFile } from '../format/tracts-file.js';
import { stateOf } from './areas.js';

/** The parts of the tracts' file that trends need. */
export type TractsWithTrends = Pick<
  TractsFile,
  'description' | 'geoids' | 'names' | 'trendValues' | 'trendYears' | 'values'
>;

/** A tract's six demographics in one year (SPEC 2.8); null is unknown. */
export interface TrendYear {
  readonly year: number;
  readonly [metric: string]: number | null;
}

/**
 * A metric's change between the earliest and the latest year that have a value; if fewer than two years do, all members
 * but the name are null.
 */
export interface TrendChange {
  readonly metric: string;
  readonly earliest_year: number | null;
  readonly latest_year: number | null;
  readonly earliest_value: number | null;
  readonly latest_value: number | null;
  /** Latest − earliest, at most four decimals. */
  readonly absolute_change: number | null;
  /** Percent of the earliest value, two decimals; null if the earliest value is 0. */
  readonly percent_change: number | null;
}

/** The body of a trends answer (SPEC 4.5). */
export interface TrendsAnswer {
  readonly geoid: string;
  readonly name: string;
  /** Ascending. */
  readonly years: readonly TrendYear[];
  /** One record for each of the six metrics, in their order. */
  readonly changes: readonly TrendChange[];
}

/** Values have at most two decimals; further decimals of a difference are noise of binary fractions. */
const ABSOLUTE_DECIMALS = 4;
const VALUE_UNITS = 100;
const PERCENT_UNITS = 100;

/** The year of the tracts' delineation, for a snapshot whose year no source gives. */
const DELINEATION_YEAR = 2020;

/**
 * A tract's demographics by year: each loaded year in which the tract has any value, and always the current year (see
 * {@link currentYear}).
 */
export function trends(tracts: TractsWithTrends, row: number): TrendsAnswer {
  const history = yearsWithValues(tracts, row);
  const current = currentSnapshot(tracts, row, history);
  const years = [...history.filter(({ year }) => year !== current.year), current].toSorted((a, b) => a.year - b.year);
  return {
    geoid: geoidFromNumber(tracts.geoids[row] ?? Number.NaN),
    name: tracts.names.text(row),
    years,
    changes: TREND_METRICS.map(({ key }) => changeOf(key, years)),
  };
}

function yearsWithValues(tracts: TractsWithTrends, row: number): TrendYear[] {
  const { trendYears, trendValues } = tracts;
  const width = TREND_METRICS.length;
  return Array.from(trendYears, (year, yearAt) => {
    const first = (row * trendYears.length + yearAt) * width;
    return snapshot(year, (metricAt) => trendValues[first + metricAt]);
  }).filter((entry) => TREND_METRICS.some(({ key }) => entry[key] !== null));
}

/** The snapshot of the current year: the survey's values, and the census count as population if the record uses it, too. */
function currentSnapshot(tracts: TractsWithTrends, row: number, history: readonly TrendYear[]): TrendYear {
  const year = currentYear(tracts, row);
  const surveyed = history.find((entry) => entry.year === year) ?? snapshot(year, () => undefined);
  if (hasSurveyedPopulation(tracts, row)) return surveyed;
  const recorded = tracts.values[metricIndex(POPULATION)]?.[row];
  return { ...surveyed, [POPULATION]: surveyed[POPULATION] ?? knownOrNull(recorded) };
}

/**
 * The vintage of a tract's current demographics: the newest one recorded for its state, else the newest year of the
 * trends, else the newest vintage of any state's demographics, else the year of the tracts' delineation.
 */
function currentYear(tracts: TractsWithTrends, row: number): number {
  const vintages = tracts.description.provenance.filter(({ section }) => section === 'demographics');
  const fips = stateOf(tracts, row)?.fips;
  const ofState = vintages.filter(({ stateFips }) => stateFips === fips);
  const candidates = [ofState.map(({ year }) => year), [...tracts.trendYears], vintages.map(({ year }) => year)];
  return Math.max(...(candidates.find((years) => years.length > 0) ?? [DELINEATION_YEAR]));
}

function snapshot(year: number, pick: (metricAt: number) => number | undefined): TrendYear {
  const entry: Record<string, number | null> & { year: number } = { year };
  TREND_METRICS.forEach(({ key }, metricAt) => {
    entry[key] = knownOrNull(pick(metricAt));
  });
  return entry;
}

function changeOf(metric: string, years: readonly TrendYear[]): TrendChange {
  const has = (entry: TrendYear): boolean => entry[metric] !== null;
  const earliest = years.find(has);
  const latest = years.findLast(has);
  if (!earliest || !latest || earliest === latest) return unknownChange(metric);
  const [before, after] = [earliest[metric] ?? 0, latest[metric] ?? 0];
  const change = after - before;
  return {
    metric,
    earliest_year: earliest.year,
    latest_year: latest.year,
    earliest_value: before,
    latest_value: after,
    absolute_change: roundTo(change, ABSOLUTE_DECIMALS),
    percent_change: before === 0 ? null : percentChange(before, after),
  };
}

/**
 * The change in percent, rounded half away from zero as on paper: from 40 to 40.01 it is 0.025%, shown as 0.03, although
 * 0.01 divided by 40 in doubles is a little less. Therefore computes with whole units of the values' last decimal, whose
 * sums and products doubles represent exactly.
 */
function percentChange(before: number, after: number): number {
  const from = Math.round(before * VALUE_UNITS);
  const to = Math.round(after * VALUE_UNITS);
  const change = ((to - from) * 100 * PERCENT_UNITS) / from;
  return (Math.sign(change) * Math.round(Math.abs(change))) / PERCENT_UNITS;
}

function unknownChange(metric: string): TrendChange {
  return {
    metric,
    earliest_year: null,
    latest_year: null,
    earliest_value: null,
    latest_value: null,
    absolute_change: null,
    percent_change: null,
  };
}
