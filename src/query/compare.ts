import { type ByteText, joinByteTexts, toByteText } from '../core/byte-text.js';
import { roundTo } from '../core/rounding.js';
import type { Scope } from '../core/scopes.js';
import { numberJson } from '../format/number-json.js';
import { summaryTexts } from '../format/summaries.js';
import type { TractsFile } from '../format/tracts-file.js';
import { areaAround, averageOf, COMPARED_COLUMNS, comparedValue, countyOf, stateOf } from './areas.js';

/** The parts of the tracts' file that comparisons need. */
export type ComparedTracts = Pick<TractsFile, 'averages' | 'counties' | 'description' | 'summaries' | 'values'>;

/** One side of a comparison (SPEC 2.7). */
interface ComparisonSide {
  readonly json: ByteText;
  /** In the order of the compared metrics; null is unknown. */
  readonly values: readonly (number | null)[];
}

const DIFFERENCE_DECIMALS = 4;

const [TRACT, LABEL, VALUES, BRACE] = [
  toByteText('{"type":"tract","geoid":"'),
  toByteText('","label":'),
  toByteText(',"values":{'),
  toByteText('}'),
];
const [A, B] = [toByteText('{"a":'), toByteText(',"b":')];

/** The body of a comparison (SPEC 4.4) of two tracts, by their rows. */
export function compareTracts(tracts: ComparedTracts, rowA: number, rowB: number): ByteText {
  return comparisonBody(tractSide(tracts, rowA), tractSide(tracts, rowB));
}

/**
 * The body of a comparison (SPEC 4.4) of a tract with its county, its state or the nation: with the unweighted mean of the
 * tracts there that have the value.
 */
export function compareToAverage(tracts: ComparedTracts, row: number, scope: Scope): ByteText {
  return comparisonBody(tractSide(tracts, row), averageSide(tracts, row, scope));
}

/** A tract as one side, cut out of its summary, which has the name and values as JSON. */
function tractSide(tracts: ComparedTracts, row: number): ComparisonSide {
  const { geoid, name, values } = summaryTexts(tracts.summaries, row);
  return {
    json: joinByteTexts(TRACT, geoid, LABEL, name, VALUES, values, BRACE),
    values: COMPARED_COLUMNS.map((_, metricAt) => comparedValue(tracts, row, metricAt)),
  };
}

/** The mean of an area as one side; an area has no GEOID. */
function averageSide(tracts: ComparedTracts, row: number, scope: Scope): ComparisonSide {
  const area = areaAround(tracts, row, scope);
  const label = JSON.stringify(`${areaName(tracts, row, scope)} average`);
  const values = COMPARED_COLUMNS.map((_, metricAt) => averageOf(tracts, scope, area, metricAt));
  return {
    json: toByteText(`{"type":"${scope}_average","geoid":null,"label":${label},"values":${valuesJson(values)}}`),
    values,
  };
}

function areaName(tracts: ComparedTracts, row: number, scope: Scope): string {
  if (scope === 'national') return 'National';
  const area = scope === 'county' ? countyOf(tracts, row) : stateOf(tracts, row);
  // A county has no name if no loaded file contains it.
  return area?.name || `${scope === 'county' ? 'County' : 'State'} ${area?.fips ?? ''}`.trim();
}

function comparisonBody(a: ComparisonSide, b: ComparisonSide): ByteText {
  const differences = a.values.map((value, at) => difference(value, b.values[at] ?? null));
  return joinByteTexts(A, a.json, B, b.json, toByteText(`,"differences":${valuesJson(differences)}}`));
}

/** a − b; null where either is unknown. */
function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : roundTo(a - b, DIFFERENCE_DECIMALS);
}

function valuesJson(values: ComparisonSide['values']): string {
  return `{${COMPARED_COLUMNS.map(({ key }, at) => `"${key}":${numberJson(values[at])}`).join()}}`;
}
