import { describeExample } from './example.js';
import type { Refusal } from './refusal.js';
import type { ColumnTally, Tally } from './tally.js';

/** The share of a column's values that may be unreadable. */
const MAX_SHARE = 0.05;

/** So few unreadable values say nothing of a column, unless it has no other. */
const FEW_CELLS = 5;

/**
 * The columns of which a file's values are not to be trusted: no numbers (decimal commas, thousands separators) or out of
 * the metric's range (ranks from 0 to 100, a missing code of another product). They would turn to null without a word.
 */
export function unreadableColumns(tallies: readonly Tally[]): Refusal[] {
  return tallies.flatMap((tally) => [...tally.columns.values()].filter(isUntrusted).map(describe));
}

function isUntrusted({ present, unreadable }: ColumnTally): boolean {
  if (unreadable === 0) return false;
  return unreadable === present || (unreadable >= FEW_CELLS && unreadable > present * MAX_SHARE);
}

/** Of fewer values some tracts may really have no more than 1% of anything. */
const LEAST_VALUES = 20;

/** PLACES files whose percentages are fractions: none is more than 1, and all would be served a hundred times too low. */
export function filesOfFractions(tallies: readonly Tally[]): Refusal[] {
  return tallies.flatMap(({ source, file, product, columns }) => {
    if (source !== 'places') return [];
    const accounts = [...columns.values()];
    const count = accounts.reduce((sum, { present, unreadable }) => sum + present - unreadable, 0);
    if (count < LEAST_VALUES || accounts.some(({ greatest }) => greatest > 1)) return [];
    const reason = 'they are fractions, where percentages are wanted';
    return [
      { what: `${file ?? product} (${product}): none of ${count} prevalences is more than 1`, reasons: [reason] },
    ];
  });
}

function describe({ tally: { file, product }, name, present, unreadable, examples }: ColumnTally): Refusal {
  const share = unreadable === present ? 'all of them' : `more than ${MAX_SHARE * 100}%`;
  const values = `${unreadable} of ${present} values are no number or out of range, ${share}`;
  return {
    what: `${file === undefined ? product : `${file} (${product})`}, column ${name}: ${values}`,
    reasons: examples.slice(0, 1).map((example) => `the first: ${describeExample(example)}`),
  };
}
