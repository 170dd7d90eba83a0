import { describeExample } from '../intake/example.js';
import type { ColumnTally, Tally } from '../intake/tally.js';
import type { Refusal } from './refusal.js';

/** The greatest share of a column's values that may be unreadable. */
const MAX_SHARE = 0.05;

/** Fewer unreadable values than this do not condemn a column, unless it is needed and has no readable ones. */
const FEW_CELLS = 5;

/**
 * Columns with too many values that are no number (decimal commas, thousands separators) or out of the metric's range
 * (ranks from 0 to 100, a missing code of another product). Published, these values would silently be null.
 */
export function unreadableColumns(tallies: readonly Tally[]): Refusal[] {
  return tallies.flatMap((tally) => [...tally.columns.values()].filter(isUntrusted).map(describe));
}

function isUntrusted({ present, unreadable, optional }: ColumnTally): boolean {
  if (unreadable < FEW_CELLS) return unreadable > 0 && unreadable === present && !optional;
  return unreadable > present * MAX_SHARE;
}

/** With fewer values than this, it may be true that no prevalence is above 1%. */
const LEAST_VALUES = 20;

/** PLACES files with fractions for percentages: no value is above 1, and all would be served a hundred times too low. */
export function filesOfFractions(tallies: readonly Tally[]): Refusal[] {
  return tallies.flatMap(({ source, file, product, columns }) => {
    if (source !== 'places') return [];
    const accounts = [...columns.values()];
    const count = accounts.reduce((sum, { present, unreadable }) => sum + present - unreadable, 0);
    if (count < LEAST_VALUES || accounts.some(({ greatest }) => greatest > 1)) return [];
    const reason = 'they are fractions, but percentages are expected';
    return [{ what: `${file ?? product} (${product}): none of ${count} prevalences is above 1`, reasons: [reason] }];
  });
}

function describe({ tally: { file, product }, name, present, unreadable, examples }: ColumnTally): Refusal {
  const share = unreadable === present ? 'all of them' : `more than ${MAX_SHARE * 100}%`;
  const values = `${unreadable} of ${present} values are not numbers or out of range, ${share}`;
  return {
    what: `${file === undefined ? product : `${file} (${product})`}, column ${name}: ${values}`,
    reasons: examples.slice(0, 1).map((example) => `the first: ${describeExample(example)}`),
  };
}
