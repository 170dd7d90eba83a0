import { isDigitAt } from '../../core/digits.js';
import { isOrdinalFigure } from '../../core/streets/ordinals.js';
import type { Tokens } from './tokens.js';

// Quick looks at where houses may be, before anything is known of their streets. `find-number.ts` reads the numbers.

/** Whether a token may be a house number, as nearly all are written: `150`, `37-18`, `12B`, but not `5TH`. */
export const mayBeHouseNumber = (token: string): boolean => isDigitAt(token, 0) && !isOrdinalFigure(token);

/** Whether a house number is among the tokens, with a word after it: `Jane Sample 150 Main St`. */
export const hasHouse = (tokens: Tokens): boolean =>
  tokens.some((token, at) => mayBeHouseNumber(token) && /^[A-Z0-9]/.test(tokens[at + 1] ?? ''));

/** Whether the tokens begin with a house number, and have one with a word after it: `150 Main St`. */
export const beginsWithHouse = (tokens: Tokens): boolean => mayBeHouseNumber(tokens[0] ?? '') && hasHouse(tokens);
