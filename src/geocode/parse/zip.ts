import { isDigitAt } from '../../core/digits.js';
import { isState } from './state-names.js';
import type { Tokens } from './tokens.js';

export const ZIP_LENGTH = 5;
/** `02118`, `02118-1234`, `021181234` */
const ZIP = /^\d{5}(?:-?\d{4})?$/;

/** Whether a token looks like a ZIP, with its four further digits or without. It may as well be a house number. */
export const isZip = (token: string): boolean => token.length >= ZIP_LENGTH && isDigitAt(token, 0) && ZIP.test(token);

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
