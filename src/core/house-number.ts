/** A house number: what is before its last figures, and these. `37-18` is `37-` and 18, `P99` is `P` and 99. */
export interface HouseNumber {
  readonly prefix: string;
  readonly value: number;
  /** As it is written, without letters behind it, or zeros before it: `117-01`. */
  readonly written: string;
}

/** As long as the Census Bureau's columns for them. */
const MAX_LENGTH = 12;
/** Larger ones would not fit into the compiled file. */
const MAX_DIGITS = 9;
const PARTS = /^((?:[A-Z0-9]+-)*(?:[A-Z0-9]*?[A-Z])?)(\d+)(?:-?[A-Z]{1,2})?$/;

/** Reads a house number in upper case; undefined for what is none. */
export function parseHouseNumber(text: string): HouseNumber | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [, prefix = '', digits = ''] = PARTS.exec(text) ?? [];
  if (digits === '' || digits.length > MAX_DIGITS) return undefined;
  const value = Number(digits);
  return { prefix, value, written: prefix === '' ? String(value) : prefix + digits };
}

/** House numbers along one side of a street, in the direction of its segment: they may descend. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
  /** Whether the side has odd and even numbers, whatever the ends say. */
  readonly mixed: boolean;
}

/** Whether a number is of a kind, odd or even, that a range has: where its ends share it, only that, unless it is mixed. */
export function hasParity(from: number, to: number, mixed: boolean, value: number): boolean {
  return mixed || ((from ^ to) & 1) === 1 || ((from ^ value) & 1) === 0;
}
