/** States and territories whose ZIPs begin with a zero, which is lost when a ZIP is re-saved as a number. */
const LEADING_ZERO = new Set('CT MA ME NH NJ PR RI VI VT'.split(' '));

/** A ZIP read from a cell. */
export interface ZipCode {
  /** Five digits. */
  readonly zip: string;
  /** Whether it had lost its leading zero. */
  readonly repaired: boolean;
}

/**
 * The five-digit ZIP in a cell: `55401`, `554011234`, `55401-1234`, and, re-saved as a number, `554011234.0` or, in a state
 * (two letters) whose ZIPs begin with a zero, `7030`. Undefined for anything else.
 */
export function readZip(text: string, state: string | null): ZipCode | undefined {
  const digits = text
    .trim()
    .replace(/\.0+$/, '')
    .replace(/^(\d{5})-(\d{4})$/, '$1$2');
  if (/^(\d{5}|\d{9})$/.test(digits)) return { zip: digits.slice(0, 5), repaired: false };
  const lostZero = /^(\d{4}|\d{8})$/.test(digits) && LEADING_ZERO.has(state ?? '');
  return lostZero ? { zip: `0${digits}`.slice(0, 5), repaired: true } : undefined;
}
