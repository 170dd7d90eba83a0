import { type Geoid, geoidFromNumber, stateFipsOf } from '../core/geoid.js';
import { hasSurveyedPopulation } from '../format/surveyed-population.js';
import type { TractsFile } from '../format/tracts-file.js';
import { type Figure, type FiguredTracts, tractFigures } from './figures.js';
import {
  isNationwide,
  isSviRankedWithinState,
  metricsOfSeveralReleases,
  type SourceFact,
  sourceFacts,
} from './sources.js';

/**
 * Everything that a narrative is written from: what is published about one tract. It contains nothing of the request,
 * neither address nor coordinates, so that nothing of the request can reach a text or a language model's provider.
 */
export interface TractFacts {
  /** The dataset's content hash. */
  readonly generation: string;
  readonly geoid: Geoid;
  readonly name: string;
  /** The names of the county and the state that it lies in, empty if the dataset has none. */
  readonly county: string;
  readonly state: string;
  /** True for demo data, in which no value was measured. */
  readonly synthetic: boolean;
  /** Every metric, in the order of METRICS. */
  readonly figures: readonly Figure[];
  /** The products that the figures come from. */
  readonly sources: readonly SourceFact[];
}

/** The part of an opened dataset that facts are read from. */
export interface FactsDataset {
  readonly generation: string;
  readonly tracts: FiguredTracts &
    Pick<TractsFile, 'geoids' | 'counties' | 'names' | 'description' | 'trendValues' | 'trendYears'>;
}

/** The facts about the tract in a row of the dataset. */
export function tractFacts(dataset: FactsDataset, row: number): TractFacts {
  const { tracts, generation } = dataset;
  const { description } = tracts;
  const geoid = geoidFromNumber(tracts.geoids[row] ?? 0);
  const stateFips = stateFipsOf(geoid);
  const countyAt = tracts.counties[row] ?? -1;
  const stateAt = description.states.findIndex(({ fips }) => fips === stateFips);
  const sviScope = isSviRankedWithinState(description, stateFips) ? 'state' : 'national';
  const areas = { county: countyAt, state: stateAt, national: 0 };
  const [county, state] = [description.counties[countyAt], description.states[stateAt]];
  const whole = isNationwide(description) ? 'nation' : 'dataset';
  const incomparable = metricsOfSeveralReleases(description);
  const figures = tractFigures(tracts, { row, areas, rows: { county, state }, whole, sviScope, incomparable });
  const provenance = description.provenance.filter((entry) => entry.stateFips === stateFips);
  const present = new Set(figures.filter(({ value }) => value !== null).map(({ metric }) => metric));
  return {
    generation,
    geoid,
    name: tracts.names.text(row),
    county: county?.name ?? '',
    state: state?.name ?? '',
    synthetic: description.synthetic,
    figures,
    sources: sourceFacts(provenance, present, hasSurveyedPopulation(tracts, row)),
  };
}
