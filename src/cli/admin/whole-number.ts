import { CliError } from '../cli-error.js';
import { shownText } from './shown-text.js';

export interface WholeNumberRange {
  readonly min: number;
  /** Left out: any number of up to 15 digits. */
  readonly max?: number;
  /** A word that the option takes as well; named in the error. */
  readonly or?: string;
}

/** Reads an option's value as a whole number in the range. Throws `CliError` naming the option. */
export function parseWholeNumber(option: string, text: string, { min, max, or }: WholeNumberRange): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= (max ?? value)) return value;
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  const problem = or === undefined ? `is not a whole number ${range}` : `is neither a whole number ${range} nor ${or}`;
  throw new CliError(`${option}: ${shownText(text)} ${problem}`, 2);
}
