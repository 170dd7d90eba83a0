import { type ByteText, toByteText } from '../core/byte-text.js';
import { geoidFromNumber } from '../core/geoid.js';
import { roundTo } from '../core/rounding.js';
import type { Scope } from '../format/tracts-file.js';
import {
  areaAround,
  averageOf,
  COMPARED_COLUMNS,
  comparedValue,
  countyOf,
  stateOf,
  type TractsWithAverages,
} from './areas.js';

/** One side of a comparison (SPEC 2.7): a tract, or the average of an area, which has no GEOID. */
interface ComparisonSide {
  readonly type: 'tract' | `${Scope}_average`;
  readonly geoid: string | null;
  readonly label: string;
  readonly values: MetricValues;
}

/** In the order of the compared metrics; null is unknown. */
type MetricValues = readonly (number | null)[];

const DIFFERENCE_DECIMALS = 4;

/** The body of a comparison (SPEC 4.4) of two tracts, by their rows. */
export function compareTracts(tracts: TractsWithAverages, rowA: number, rowB: number): ByteText {
  return comparisonBody(tractSide(tracts, rowA), tractSide(tracts, rowB));
}

/**
 * The body of a comparison (SPEC 4.4) of a tract with the plain mean of the tracts of its county, its state or the nation
 * that have the value.
 */
export function compareToAverage(tracts: TractsWithAverages, row: number, scope: Scope): ByteText {
  const area = areaAround(tracts, row, scope);
  return comparisonBody(tractSide(tracts, row), {
    type: `${scope}_average`,
    geoid: null,
    label: `${areaName(tracts, row, scope)} average`,
    values: COMPARED_COLUMNS.map((_, metricAt) => averageOf(tracts, scope, area, metricAt)),
  });
}

function tractSide(tracts: TractsWithAverages, row: number): ComparisonSide {
  return {
    type: 'tract',
    geoid: geoidFromNumber(tracts.geoids[row] ?? Number.NaN),
    label: tracts.names.text(row),
    values: COMPARED_COLUMNS.map((_, metricAt) => comparedValue(tracts, row, metricAt)),
  };
}

function areaName(tracts: TractsWithAverages, row: number, scope: Scope): string {
  if (scope === 'national') return 'National';
  const area = scope === 'county' ? countyOf(tracts, row) : stateOf(tracts, row);
  // A county has no name where no loaded file holds it.
  return area?.name || `${scope === 'county' ? 'County' : 'State'} ${area?.fips ?? ''}`.trim();
}

/** As text at once: with objects and `JSON.stringify`, a request took a fifth longer. */
function comparisonBody(a: ComparisonSide, b: ComparisonSide): ByteText {
  const differences = a.values.map((value, at) => difference(value, b.values[at] ?? null));
  return toByteText(`{"a":${sideJson(a)},"b":${sideJson(b)},"differences":${valuesJson(differences)}}`);
}

/** a − b; null where either is unknown. */
function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : roundTo(a - b, DIFFERENCE_DECIMALS);
}

function sideJson({ type, geoid, label, values }: ComparisonSide): string {
  const id = geoid === null ? 'null' : `"${geoid}"`;
  return `{"type":"${type}","geoid":${id},"label":${JSON.stringify(label)},"values":${valuesJson(values)}}`;
}

function valuesJson(values: MetricValues): string {
  // A finite number's text is its JSON, and so is that of null.
  return `{${COMPARED_COLUMNS.map(({ key }, at) => `"${key}":${values[at] ?? null}`).join()}}`;
}
