import { printable } from '../../core/printable.js';
import { CliError } from '../cli-error.js';

export interface WholeNumberRange {
  readonly min: number;
  /** Left out: any number of up to 15 digits. */
  readonly max?: number;
}

/** Reads an option's value as a whole number in the range. Throws `CliError` naming the option. */
export function parseWholeNumber(option: string, text: string, { min, max }: WholeNumberRange): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= (max ?? value)) return value;
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new CliError(`${option}: ${text === '' ? 'an empty text' : printable(text)} is no whole number ${range}`, 2);
}
