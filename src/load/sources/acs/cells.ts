import type { ColumnTally } from '../../tally.js';
import { type MissingRule, readNumber } from '../number-cell.js';

const NO_VALUE = new Set(['', '.', '-', '*', '**', '***', 'n', 'na', 'n/a', '(x)', 'null']);

/** The bureau's jam values: a minus sign and one digit nine times over (−666666666, −999999999). */
const JAM_VALUE = /^-(\d)\1{8}(\.0*)?$/;

const THOUSANDS = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/;

/** A median in the highest or lowest open interval: `250,000+`, `2,500-`. */
const OPEN_ENDED = /^(\d[\d,]*)([+-])$/;

/**
 * What ACS writes where it has no estimate, in any of its layouts.
 * https://www.census.gov/data/developers/data-sets/acs-1year/notes-on-acs-estimate-and-annotation-values.html
 */
const isAcsMissing: MissingRule = (text) => NO_VALUE.has(text.toLowerCase()) || JAM_VALUE.test(text);

/** An ACS estimate out of a cell of this column; open-ended medians become the numbers that the coded layouts have: 250001 and 2499. */
export function readEstimate(text: string, column: ColumnTally): number {
  const openEnded = OPEN_ENDED.exec(text);
  if (openEnded) column.present++;
  if (openEnded) return Number((openEnded[1] ?? '').replaceAll(',', '')) + (openEnded[2] === '+' ? 1 : -1);
  return readNumber(THOUSANDS.test(text) ? text.replaceAll(',', '') : text, isAcsMissing, column);
}
