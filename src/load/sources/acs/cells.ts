import type { ColumnTally } from '../../intake/tally.js';
import { type MissingRule, parseDecimal, readNumber } from '../number-cell.js';

const NO_VALUE = new Set(['', '.', '-', '*', '**', '***', 'n', 'na', 'n/a', '(x)', 'null']);

/**
 * The bureau's jam values are a negative number of nine equal digits (−222222222 to −999999999), which other programs
 * write as −6.66666666e+08, or rounded. No estimate comes near them.
 */
const JAM_VALUES_FROM = -200_000_000;

const THOUSANDS = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/;

/** A median in the highest or lowest open interval: `250,000+`, `2,500-`. */
const OPEN_ENDED = /^(\d[\d,]*)([+-])$/;

/**
 * Recognizes what ACS writes in place of a missing estimate, in any of its layouts.
 * https://www.census.gov/data/developers/data-sets/acs-1year/notes-on-acs-estimate-and-annotation-values.html
 */
const isAcsMissing: MissingRule = (text) =>
  NO_VALUE.has(text.toLowerCase()) || (parseDecimal(text) ?? 0) <= JAM_VALUES_FROM;

/**
 * Reads an ACS estimate from a cell of this column; open-ended medians become the numbers with which the coded layouts
 * represent them: 250001 and 2499.
 */
export function readEstimate(text: string, column: ColumnTally): number {
  const openEnded = OPEN_ENDED.exec(text);
  if (openEnded) column.present++;
  if (openEnded) return Number((openEnded[1] ?? '').replaceAll(',', '')) + (openEnded[2] === '+' ? 1 : -1);
  return readNumber(THOUSANDS.test(text) ? text.replaceAll(',', '') : text, isAcsMissing, column);
}
