import type { ColumnTally } from '../intake/tally.js';

/** Tells whether a cell's text means "no value" in a product. */
export type MissingRule = (text: string) => boolean;

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

export const emptyIsMissing: MissingRule = (text) => text === '';

/** Parses plain decimal or scientific notation; undefined for anything else, including hex and NaN. −0 is 0. */
export function parseDecimal(text: string): number | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text) + 0;
  return Number.isFinite(value) ? value : undefined;
}

/** A trimmed cell as a number; NaN if it is missing, or if it is no number, which its column's account counts. */
export function readNumber(text: string, isMissing: MissingRule, column: ColumnTally): number {
  if (isMissing(text)) return Number.NaN;
  column.present++;
  const value = parseDecimal(text);
  if (value !== undefined) return value;
  column.misread('value is not a number', text);
  return Number.NaN;
}
