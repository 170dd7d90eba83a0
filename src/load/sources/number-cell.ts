import type { ColumnTally } from '../tally.js';

/** Says whether a cell's text stands for "no value" in a product. */
export type MissingRule = (text: string) => boolean;

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

export const emptyIsMissing: MissingRule = (text) => text === '';

/** The number that the text is in plain decimal or scientific notation; undefined for anything else, hex and NaN too. */
export function parseDecimal(text: string): number | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** A trimmed cell as a number: NaN where it is missing, and, counted in its column's account, where it is no number. */
export function readNumber(text: string, isMissing: MissingRule, column: ColumnTally): number {
  if (isMissing(text)) return Number.NaN;
  column.present++;
  const value = parseDecimal(text);
  if (value !== undefined) return value;
  column.misread('value is no number', text);
  return Number.NaN;
}
