import { isDigitAt } from '../../core/digits.js';
import { isState, stateFipsOf } from './state-names.js';
import type { Tokens } from './tokens.js';

export const ZIP_LENGTH = 5;
/** `02118`, `02118-1234`, `021181234` */
const ZIP = /^\d{5}(?:-?\d{4})?$/;

/** Whether a token looks like a ZIP, with its four further digits or without. It may as well be a house number. */
export const isZip = (token: string): boolean => token.length >= ZIP_LENGTH && isDigitAt(token, 0) && ZIP.test(token);

/** The five digits of a ZIP, given as a number. */
export const zipText = (zip: number): string => String(zip).padStart(ZIP_LENGTH, '0');

/** The states whose ZIPs begin with 0, with 1, and so on, but for a few ZIPs that belong to a neighbouring state. */
const STATES_BY_FIRST_FIGURE =
  `CT MA ME NH NJ PR RI VI VT|DE NY PA|DC MD NC SC VA WV|AL FL GA MS TN|IN KY MI OH|IA MN MT ND SD WI|IL KS MO NE
AR LA OK TX|AZ CO ID NM NV UT WY|AK AS CA GU HI MP OR WA`
    .split(/[|\n]/)
    .map((states) => new Set(states.split(' ').map(stateFipsOf)));

/** Whether a ZIP may be one of a state. */
export const isZipOf = (zip: string, stateFips: string): boolean =>
  STATES_BY_FIRST_FIGURE[Number(zip.charAt(0))]?.has(stateFips) ?? false;

const PLUS_FOUR = /^\d{4}$/;

/** Whether a token may be the four further digits of the ZIP before it, set apart from that: `02118 1234`. */
export const isPlusFour = (token: string): boolean => PLUS_FOUR.test(token);

/**
 * The position of the state right before a ZIP, with a comma between or without: 4 for the ZIP of `150 Main St, MA, 02118`.
 * −1 if there is none, or if its name has several words.
 */
export function stateBeforeZip(tokens: Tokens, zip: number): number {
  const at = tokens[zip - 1] === ',' ? zip - 2 : zip - 1;
  return isState(tokens[at] ?? '') ? at : -1;
}
