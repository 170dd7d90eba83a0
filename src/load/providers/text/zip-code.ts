/** States and territories whose ZIPs begin with a zero, which is lost when a ZIP is re-saved as a number. */
const LEADING_ZERO = new Set('CT MA ME NH NJ PR RI VI VT'.split(' '));
/** Those whose ZIPs begin with two. */
const TWO_LEADING_ZEROS = new Set(['PR', 'VI']);

/** A ZIP read from a cell. */
export interface ZipCode {
  /** Five digits. */
  readonly zip: string;
  /** Whether it had lost its leading zeros. */
  readonly repaired: boolean;
}

/**
 * The five-digit ZIP in a cell: `55401`, `554011234`, `55401-1234`, and, re-saved as a number, `554011234.0` or, in a state
 * (two letters) whose ZIPs begin with one zero or two, `7030` or `926`. Undefined for anything else.
 */
export function readZip(text: string, state: string | null): ZipCode | undefined {
  const digits = text
    .trim()
    .replace(/\.0+$/, '')
    .replace(/^(\d{5})-(\d{4})$/, '$1$2');
  if (/^(\d{5}|\d{9})$/.test(digits)) return { zip: digits.slice(0, 5), repaired: false };
  if (/^(\d{4}|\d{8})$/.test(digits) && LEADING_ZERO.has(state ?? '')) {
    return { zip: `0${digits}`.slice(0, 5), repaired: true };
  }
  const lostTwo = /^(\d{3}|\d{7})$/.test(digits) && TWO_LEADING_ZEROS.has(state ?? '');
  return lostTwo ? { zip: `00${digits}`.slice(0, 5), repaired: true } : undefined;
}
