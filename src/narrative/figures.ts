import { knownOrNull } from '../core/known-or-null.js';
import { COMPARED_METRICS, METRICS, type Metric, UNRANKED_METRICS } from '../core/metrics.js';
import { roundTo } from '../core/rounding.js';
import { SCOPES, type Scope } from '../core/scopes.js';
import { RANK_TENTHS, rankByThresholds, rankInTenthsAmong } from '../core/statistics.js';
import type { Area } from '../format/description.js';
import type { Distributions } from '../format/distributions.js';
import { NO_RANK, type TractsFile } from '../format/tracts-file.js';
import { covers } from './coverage.js';
import { THRESHOLDS } from './thresholds.js';

/** A number for each scope; null if unknown. */
export type ByScope = Readonly<Record<Scope, number | null>>;

/**
 * The tracts that national numbers refer to. `nation`: (nearly) all US tracts have the value. `dataset`: (nearly) all loaded
 * tracts have it. `known`: only some have it, so that the numbers describe no particular area.
 */
export type Among = 'nation' | 'dataset' | 'known';

/** One metric of a tract, with its ranks and the averages to compare it to. */
export interface Figure {
  /** Dotted path in the public record, as in METRICS. */
  readonly metric: string;
  /** In the public record's unit; null if nothing is published. */
  readonly value: number | null;
  /**
   * Percentage of the scope's tracts with a value strictly below, one decimal; known for a county or state only if it has
   * enough tracts and nearly all of them have the value. SVI ranks have two decimals, and are under `state` if they were
   * computed within the state, else under `national`.
   */
  readonly percentiles: ByScope;
  /** Unweighted means over the scope's tracts, in the metric's unit; for counties and states as with percentiles. */
  readonly averages: ByScope;
  /** The tracts that the `national` numbers refer to. */
  readonly among: Among;
}

/** The part of the tracts file that figures are read from. */
export type FiguredTracts = Pick<TractsFile, 'values' | 'ranks' | 'averages' | 'distributions'>;

/** The position of a tract in its dataset. */
export interface TractPlace {
  readonly row: number;
  /** The county's and the state's index in the description, -1 if there is none. */
  readonly areas: Readonly<Record<Scope, number>>;
  /** The rows of its county and of its state; undefined if the dataset does not describe them. */
  readonly rows: Readonly<Record<'county' | 'state', Pick<Area, 'firstRow' | 'tractCount'> | undefined>>;
  /** What all tracts of the dataset are. */
  readonly whole: 'nation' | 'dataset';
  /** The scope within which the SVI ranks of its state were computed. */
  readonly sviScope: 'state' | 'national';
  /** The paths of the metrics whose values differ in definition from state to state, so that they are ranked within it. */
  readonly incomparable: ReadonlySet<string>;
}

/** A tract's figures, in the order of METRICS. */
export function tractFigures(tracts: FiguredTracts, place: TractPlace): Figure[] {
  const distributions = tracts.distributions();
  return METRICS.map((metric, metricAt) => {
    const value = tracts.values[metricAt]?.[place.row] ?? Number.NaN;
    return { metric: metric.path, value: knownOrNull(value), ...standingOf(metric, metricAt, value) };
  });

  function standingOf(metric: Metric, metricAt: number, value: number): Standing {
    if (metric.section === 'svi_themes') return sviStanding(value, place.sviScope);
    if (place.incomparable.has(metric.path)) return standingInState(metricAt, value);
    const comparedAt = COMPARED_METRICS.indexOf(metric);
    const numbers =
      comparedAt >= 0
        ? storedNumbers(tracts, place, comparedAt)
        : numbersAmong(distributions, UNRANKED_METRICS.indexOf(metric), value);
    return asCovered(numbers, distributions, place, metricAt);
  }

  function standingInState(metricAt: number, value: number): Standing {
    const { firstRow = 0, tractCount = 0 } = place.rows.state ?? {};
    const column = tracts.values[metricAt]?.subarray(firstRow, firstRow + tractCount) ?? [];
    const isTold = isComparedWith('state', distributions, place, metricAt);
    const state = isTold ? knownOrNull(rankInTenthsAmong(column, value) / 10) : null;
    return { percentiles: { ...NOWHERE, state }, averages: NOWHERE, among: 'known' };
  }
}

const NOWHERE: ByScope = { county: null, state: null, national: null };

type Standing = Pick<Figure, 'percentiles' | 'averages' | 'among'>;
type Numbers = Pick<Figure, 'percentiles' | 'averages'>;

/** Of an SVI rank in percent: the agency publishes four of the rank from 0 to 1. Fewer would make 89.97 a rank of 90. */
const SVI_DECIMALS = 2;

/** An SVI figure is itself a percentile rank, from 0 to 1, computed by the agency, however many tracts are loaded. */
function sviStanding(rank0to1: number, scope: Scope): Standing {
  return {
    percentiles: { ...NOWHERE, [scope]: knownOrNull(roundTo(rank0to1 * 100, SVI_DECIMALS)) },
    averages: NOWHERE,
    among: 'nation',
  };
}

/** The rank and the average among all tracts of the dataset. */
function numbersAmong({ thresholds, averages }: Distributions, unrankedAt: number, value: number): Numbers {
  const ofMetric = thresholds.subarray(unrankedAt * RANK_TENTHS, (unrankedAt + 1) * RANK_TENTHS);
  return {
    percentiles: { ...NOWHERE, national: knownOrNull(rankByThresholds(ofMetric, value) / 10) },
    averages: { ...NOWHERE, national: knownOrNull(averages[unrankedAt]) },
  };
}

/** The ranks and averages that the compiled file stores for a compared metric. */
function storedNumbers({ ranks, averages }: FiguredTracts, { row, areas }: TractPlace, comparedAt: number): Numbers {
  const width = COMPARED_METRICS.length;
  const percentile = (scope: Scope): number | null => {
    const tenths = ranks[(row * width + comparedAt) * SCOPES.length + SCOPES.indexOf(scope)] ?? NO_RANK;
    return tenths === NO_RANK ? null : tenths / 10;
  };
  const average = (scope: Scope): number | null =>
    areas[scope] < 0 ? null : knownOrNull(averages[scope][areas[scope] * width + comparedAt]);
  return {
    percentiles: { county: percentile('county'), state: percentile('state'), national: percentile('national') },
    averages: { county: average('county'), state: average('state'), national: average('national') },
  };
}

/** Whether the tract is compared with its county or state: that has enough tracts, and nearly all of them the value. */
function isComparedWith(
  scope: 'county' | 'state',
  distributions: Distributions,
  { rows, areas }: TractPlace,
  metricAt: number,
): boolean {
  const { tractCount = 0 } = rows[scope] ?? {};
  return tractCount >= THRESHOLDS.minTractsToCompare && covers(distributions, scope, areas[scope], metricAt);
}

/** Drops the numbers of areas with few tracts, and those of which only a part of the tracts have the value. */
function asCovered(
  { percentiles, averages }: Numbers,
  distributions: Distributions,
  place: TractPlace,
  metricAt: number,
): Standing {
  const county = isComparedWith('county', distributions, place, metricAt);
  const state = isComparedWith('state', distributions, place, metricAt);
  const national = (distributions.known.national[metricAt] ?? 0) >= THRESHOLDS.minTractsToCompare;
  const told = (numbers: ByScope): ByScope => ({
    county: county ? numbers.county : null,
    state: state ? numbers.state : null,
    national: national ? numbers.national : null,
  });
  const among = covers(distributions, 'national', place.areas.national, metricAt) ? place.whole : 'known';
  return { percentiles: told(percentiles), averages: told(averages), among };
}
