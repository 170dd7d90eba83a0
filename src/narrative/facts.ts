import { type Geoid, geoidFromNumber, stateFipsOf } from '../core/geoid.js';
import { COMPARED_METRICS, METRICS } from '../core/metrics.js';
import { roundTo } from '../core/rounding.js';
import { NO_RANK, SCOPES, type Scope, type TractsFile } from '../format/tracts-file.js';
import type { Distribution, Distributions } from './distributions.js';
import { isNationwide, isSviRankedWithinState, type SourceFact, sourceFacts } from './sources.js';

/** A number for each scope; null where it is not known. */
export type ByScope = Readonly<Record<Scope, number | null>>;

/** One metric of a tract, and where it stands. */
export interface Figure {
  /** Dotted path in the public record, as in METRICS. */
  readonly metric: string;
  /** In the public record's unit; null where nothing is published. */
  readonly value: number | null;
  /**
   * Share of the scope's tracts with a value strictly below, percent with one decimal. SVI ranks stand under `state` where
   * they were taken within the state, else under `national`.
   */
  readonly percentiles: ByScope;
  /** Plain means over the scope's tracts, in the metric's unit. */
  readonly averages: ByScope;
}

/** A county or state that a tract lies in. The name is empty where the dataset holds none. */
export interface AreaFact {
  readonly name: string;
  readonly tractCount: number;
}

/**
 * All that a narrative is written from: what is published of one tract. Nothing of the request is in it, neither an
 * address nor a coordinate, so that nothing of it can reach a text or a provider.
 */
export interface TractFacts {
  /** The dataset's content hash. */
  readonly generation: string;
  readonly geoid: Geoid;
  readonly name: string;
  readonly county: AreaFact;
  readonly state: AreaFact;
  /** True where the dataset covers the 50 states and DC, so that its national ranks are ranks among US tracts. */
  readonly nationwide: boolean;
  /** True for demo data: no value was measured. */
  readonly synthetic: boolean;
  /** Every metric, in the order of METRICS. */
  readonly figures: readonly Figure[];
  /** The products that the figures come from. */
  readonly sources: readonly SourceFact[];
}

/** The part of an opened dataset that facts are read from. */
export interface FactsDataset {
  readonly generation: string;
  readonly tracts: Pick<TractsFile, 'geoids' | 'counties' | 'values' | 'ranks' | 'averages' | 'names' | 'description'>;
}

/** The facts of the tract in a row of the dataset. `distributions` are those of the same dataset. */
export function tractFacts(dataset: FactsDataset, row: number, distributions: Distributions): TractFacts {
  const { tracts, generation } = dataset;
  const { description } = tracts;
  const geoid = geoidFromNumber(tracts.geoids[row] ?? 0);
  const stateFips = stateFipsOf(geoid);
  const countyAt = tracts.counties[row] ?? -1;
  const stateAt = description.states.findIndex(({ fips }) => fips === stateFips);
  const sviScope: Scope = isSviRankedWithinState(description, stateFips) ? 'state' : 'national';
  const figures = METRICS.map((metric, metricAt): Figure => {
    const value = tracts.values[metricAt]?.[row] ?? Number.NaN;
    const comparedAt = COMPARED_METRICS.indexOf(metric);
    const standing =
      comparedAt >= 0
        ? storedStanding(tracts, { row, countyAt, stateAt, comparedAt })
        : metric.section === 'svi_themes'
          ? sviStanding(value, sviScope)
          : standingAmong(distributions.of(metricAt), value);
    return { metric: metric.path, value: known(value), ...standing };
  });
  const present = new Set(figures.filter(({ value }) => value !== null).map(({ metric }) => metric));
  return {
    generation,
    geoid,
    name: tracts.names.text(row),
    county: area(description.counties[countyAt]),
    state: area(description.states[stateAt]),
    nationwide: isNationwide(description),
    synthetic: description.synthetic,
    figures,
    sources: sourceFacts(description.provenance, stateFips, present),
  };
}

const NOWHERE: ByScope = { county: null, state: null, national: null };

type Standing = Pick<Figure, 'percentiles' | 'averages'>;

/** An SVI figure is a percentile rank itself, from 0 to 1. */
function sviStanding(rank0to1: number, scope: Scope): Standing {
  return {
    percentiles: { ...NOWHERE, [scope]: known(Math.round(roundTo(rank0to1, 3) * 1000) / 10) },
    averages: NOWHERE,
  };
}

function standingAmong({ percentileOf, average }: Distribution, value: number): Standing {
  return {
    percentiles: { ...NOWHERE, national: known(percentileOf(value)) },
    averages: { ...NOWHERE, national: known(average) },
  };
}

interface Position {
  readonly row: number;
  readonly countyAt: number;
  readonly stateAt: number;
  readonly comparedAt: number;
}

/** The ranks and averages that the compiled file keeps of a compared metric. */
function storedStanding(
  { ranks, averages }: FactsDataset['tracts'],
  { row, countyAt, stateAt, comparedAt }: Position,
): Standing {
  const width = COMPARED_METRICS.length;
  const percentile = (scope: Scope): number | null => {
    const tenths = ranks[(row * width + comparedAt) * SCOPES.length + SCOPES.indexOf(scope)] ?? NO_RANK;
    return tenths === NO_RANK ? null : tenths / 10;
  };
  const average = (scope: Scope, areaAt: number): number | null =>
    areaAt < 0 ? null : known(averages[scope][areaAt * width + comparedAt] ?? Number.NaN);
  return {
    percentiles: { county: percentile('county'), state: percentile('state'), national: percentile('national') },
    averages: {
      county: average('county', countyAt),
      state: average('state', stateAt),
      national: average('national', 0),
    },
  };
}

function area(found: AreaFact | undefined): AreaFact {
  return { name: found?.name ?? '', tractCount: found?.tractCount ?? 0 };
}

function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
