/** A house number, split before its last digits: `37-18` is `37-` and 18, `P99` is `P` and 99. */
export interface HouseNumber {
  readonly prefix: string;
  readonly value: number;
  /** As written, without trailing letters and, if it has no prefix, without leading zeros: `117-01`. */
  readonly written: string;
}

/** No house spans more numbers than this: two that are further apart are not its first and last. */
export const LONGEST_HOUSE = 40;

/** The width of the Census Bureau's columns for house numbers. */
const MAX_LENGTH = 12;
/** Larger numbers would not fit into the compiled file. */
const MAX_DIGITS = 9;
const PARTS = /^((?:[A-Z0-9]+-)*(?:[A-Z0-9]*?[A-Z])?)(\d+)(?:-?[A-Z]{1,2})?$/;

/** Parses a house number in upper case; undefined if the text is not one. */
export function parseHouseNumber(text: string): HouseNumber | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [, prefix = '', digits = ''] = PARTS.exec(text) ?? [];
  if (digits === '' || digits.length > MAX_DIGITS) return undefined;
  const value = Number(digits);
  return { prefix, value, written: prefix === '' ? String(value) : prefix + digits };
}

/** House numbers along one side of a street, in the direction of its segment, so that they may descend. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
  /** Whether the side has both odd and even numbers, whatever the parity of its ends. */
  readonly mixed: boolean;
}

/**
 * Whether a range has numbers of a value's parity: if both its ends are odd, or both even, it has only those, unless it
 * is mixed.
 */
export function hasParity(from: number, to: number, mixed: boolean, value: number): boolean {
  return mixed || ((from ^ to) & 1) === 1 || ((from ^ value) & 1) === 0;
}
