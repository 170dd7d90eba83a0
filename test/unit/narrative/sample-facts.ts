import { parseGeoid } from '../../../src/core/geoid.js';
import { METRICS } from '../../../src/core/metrics.js';
import type { TractFacts } from '../../../src/narrative/facts.js';
import type { Among, ByScope, Figure } from '../../../src/narrative/figures.js';

const NONE: ByScope = { county: null, state: null, national: null };

/** What a test says of a figure; the rest is unremarkable. */
export interface SampleFigure {
  readonly value: number | null;
  readonly percentiles?: Partial<ByScope>;
  readonly averages?: Partial<ByScope>;
  readonly among?: Among;
}

/** Facts of a made-up tract in which every figure is in the middle of the ranks, but for those given by path. */
export function sampleFacts(figures: Readonly<Record<string, SampleFigure>> = {}, more: Partial<TractFacts> = {}) {
  const geoid = parseGeoid('36001000101');
  if (!geoid) throw new Error('the sample has a GEOID of 11 digits');
  const facts: TractFacts = {
    generation: 'a1b2',
    geoid,
    name: 'Census Tract 1.01, Albany County, New York',
    county: 'Albany County',
    state: 'New York',
    synthetic: false,
    sources: [
      { product: 'CDC PLACES', firstYear: 2021, lastYear: 2023 },
      { product: 'EPA EJScreen', firstYear: 2023, lastYear: 2023 },
    ],
    figures: METRICS.map(({ path }, at) => sampleFigure(path, figures[path] ?? { value: at + 10 })),
    ...more,
  };
  return facts;
}

function sampleFigure(metric: string, sample: SampleFigure): Figure {
  const { value, percentiles, averages, among = 'nation' } = sample;
  const middle = value === null ? NONE : { county: 50, state: 50, national: 50 };
  return { metric, value, percentiles: { ...middle, ...percentiles }, averages: { ...NONE, ...averages }, among };
}

/** Facts in which nothing at all is published. */
export function emptyFacts(): TractFacts {
  return sampleFacts(Object.fromEntries(METRICS.map(({ path }) => [path, { value: null }])));
}
