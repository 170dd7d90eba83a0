import { roundTo } from '../core/coordinates.js';
import { geoidFromNumber } from '../core/geoid.js';
import type { Scope } from '../format/tracts-file.js';
import { averageAround, COMPARED_COLUMNS, comparedValue, countyOf, stateOf, type TractsWithAverages } from './areas.js';

/** Values by metric, in the order of the compared metrics; null is unknown. */
export type ComparedValues = Readonly<Record<string, number | null>>;

/** One side of a comparison (SPEC 2.7): a tract, or the average of an area, which has no GEOID. */
export interface ComparisonSide {
  readonly type: 'tract' | `${Scope}_average`;
  readonly geoid: string | null;
  readonly label: string;
  readonly values: ComparedValues;
}

/** The body of a comparison (SPEC 4.4). */
export interface ComparisonAnswer {
  readonly a: ComparisonSide;
  readonly b: ComparisonSide;
  /** a − b, four decimals; null where either is unknown. */
  readonly differences: ComparedValues;
}

const DIFFERENCE_DECIMALS = 4;

/** Two tracts, by their rows. */
export function compareTracts(tracts: TractsWithAverages, rowA: number, rowB: number): ComparisonAnswer {
  return compareSides(tractSide(tracts, rowA), tractSide(tracts, rowB));
}

/** A tract with the plain mean of the tracts of its county, its state or the nation that have the value. */
export function compareToAverage(tracts: TractsWithAverages, row: number, scope: Scope): ComparisonAnswer {
  return compareSides(tractSide(tracts, row), {
    type: `${scope}_average`,
    geoid: null,
    label: `${areaName(tracts, row, scope)} average`,
    values: byMetric((metricAt) => averageAround(tracts, row, scope, metricAt)),
  });
}

function compareSides(a: ComparisonSide, b: ComparisonSide): ComparisonAnswer {
  const difference = (key: string): number | null => {
    const [ofA, ofB] = [a.values[key] ?? null, b.values[key] ?? null];
    return ofA === null || ofB === null ? null : roundTo(ofA - ofB, DIFFERENCE_DECIMALS);
  };
  return { a, b, differences: byMetric((_, key) => difference(key)) };
}

function tractSide(tracts: TractsWithAverages, row: number): ComparisonSide {
  return {
    type: 'tract',
    geoid: geoidFromNumber(tracts.geoids[row] ?? Number.NaN),
    label: tracts.names.text(row),
    values: byMetric((metricAt) => comparedValue(tracts, row, metricAt)),
  };
}

function areaName(tracts: TractsWithAverages, row: number, scope: Scope): string {
  if (scope === 'national') return 'National';
  const area = scope === 'county' ? countyOf(tracts, row) : stateOf(tracts, row);
  // A county has no name where no loaded file holds it.
  return area?.name || `${scope === 'county' ? 'County' : 'State'} ${area?.fips ?? ''}`.trim();
}

function byMetric(pick: (metricAt: number, key: string) => number | null): ComparedValues {
  return Object.fromEntries(COMPARED_COLUMNS.map(({ key }, metricAt) => [key, pick(metricAt, key)]));
}
