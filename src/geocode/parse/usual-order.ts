import { isStreetEnd } from '../../core/streets/street-types.js';
import { beginsWithHouse, hasHouse } from './houses.js';
import { isState } from './state-names.js';
import { splitAtCommas, type Tokens, withoutCommas } from './tokens.js';
import { hasDigit } from './words.js';
import { isZip, stateBeforeZip } from './zip.js';

// The usual order of an address is street, city, state, ZIP. Each function here recognizes one other order that people
// write, and puts the tokens in the usual one.

/**
 * Puts the street first where the place precedes it: `Boston, MA 02118, 150 Main St` becomes `150 Main St, Boston, MA
 * 02118`. Other texts are returned as they are.
 */
export function streetFirst(tokens: Tokens): Tokens {
  const zip = tokens.findIndex(isZip);
  const hasMoreBehind = zip >= 0 && zip < tokens.length - 1;
  return hasMoreBehind ? (columnsInOrder(tokens) ?? placeBehindStreet(tokens, zip) ?? tokens) : tokens;
}

const COLUMNS = 4;

/**
 * `02118, Boston, MA, 150 Main St`: a table's columns, of which the last is the street and the others are ZIP, state and
 * city in whichever order. Undefined for other texts.
 */
function columnsInOrder(tokens: Tokens): Tokens | undefined {
  const parts = splitAtCommas(tokens);
  const street = parts.at(-1) ?? [];
  if (parts.length !== COLUMNS || !beginsWithHouse(street)) return undefined;
  const place = parts.slice(0, -1);
  const zip = place.find((part) => part.length === 1 && isZip(part[0] ?? ''));
  const state = place.find((part) => isState(part.join(' ')));
  const city = place.find((part) => part !== zip && part !== state && !part.some(hasDigit));
  return zip && state && city && [...street, ',', ...city, ',', ...state, ...zip];
}

/** City and state: an address that begins with its place has at least these before its ZIP. */
const LEAST_OF_PLACE = 2;

/**
 * `Boston, MA 02118, 150 Main St`: a city, a state and the ZIP at a position, then nothing but a street. Undefined for other
 * texts, such as `Jane Sample, MD 12345, 150 Main St, Boston, MA`, whose state is behind the street.
 */
function placeBehindStreet(tokens: Tokens, zip: number): Tokens | undefined {
  if (zip < LEAST_OF_PLACE || stateBeforeZip(tokens, zip) < 0) return undefined;
  const [place, street] = [tokens.slice(0, zip + 1), withoutCommas(tokens.slice(zip + 1))];
  const isPlaceAlone = !place.slice(0, -1).some(hasDigit);
  const isStreetAlone = beginsWithHouse(street) && !street.includes(',');
  return isPlaceAlone && isStreetAlone ? [...street, ',', ...place] : undefined;
}

/**
 * `02118 150 Main St, Boston, MA` with the ZIP last. Its first number may be a house's instead, in `48335 8 Mile Rd`.
 * Undefined for other texts.
 */
export function zipFromBegin(tokens: Tokens): Tokens | undefined {
  const zip = tokens[0] ?? '';
  if (!isZip(zip)) return undefined;
  const street = withoutCommas(tokens.slice(1));
  return beginsWithHouse(street) && !street.some(isZip) ? [...street, ',', zip] : undefined;
}

/**
 * Puts the ZIP last where state or city follow it: `150 Main St, Boston, 02118 MA` and `150 Main St, 02118 Boston, MA`
 * become `150 Main St, Boston, MA 02118`. Other texts are returned as they are.
 */
export const zipLast = (tokens: Tokens): Tokens => zipBehindState(tokens) ?? zipBehindCity(tokens) ?? tokens;

/** House number, street, a comma or the city, ZIP and state. */
const LEAST_WITH_STATE_LAST = 5;

/** `150 Main St, Boston, 02118 MA`, or `…, 02118, MA`. Undefined for other texts. */
function zipBehindState(tokens: Tokens): Tokens | undefined {
  const state = tokens.at(-1) ?? '';
  if (tokens.length < LEAST_WITH_STATE_LAST || !isState(state)) return undefined;
  const zipFromEnd = tokens.at(-2) === ',' ? -3 : -2;
  const zip = tokens.at(zipFromEnd) ?? '';
  return isZip(zip) ? [...tokens.slice(0, zipFromEnd), state, zip] : undefined;
}

/** House number, street, and a street type or a comma. */
const LEAST_OF_STREET = 3;

/**
 * `150 Main St, 02118 Boston, MA` or `150 Main St, 02118, Boston`. The street must end before the ZIP, with a comma or with
 * a word such as `St`: `150 Main St 02118 Boston`. Undefined for other texts.
 */
function zipBehindCity(tokens: Tokens): Tokens | undefined {
  const zip = tokens.findLastIndex(isZip);
  const before = tokens[zip - 1] ?? '';
  const isBehindComma = before === ',';
  if (zip < LEAST_OF_STREET || !(isBehindComma || isStreetEnd(before))) return undefined;
  const street = tokens.slice(0, zip);
  const city = tokens.slice(tokens[zip + 1] === ',' ? zip + 2 : zip + 1);
  return hasHouse(street) && isCityBehindZip(city, isBehindComma) ? [...street, ...city, tokens[zip] ?? ''] : undefined;
}

const LETTERS = /^[A-Z]+$/;

/**
 * Whether what follows a ZIP is a city, perhaps with its state. It is not if it is only the state, nor if it may be a street:
 * `150 Main St, 12345 Elm St, Boston` holds two houses, of which the second has a number of five digits. With the comma
 * before the ZIP, such a street would end at the next one; without it, anywhere.
 */
function isCityBehindZip(words: Tokens, isBehindComma: boolean): boolean {
  const isInLetters = words.length > 0 && words.every((word) => LETTERS.test(word) || word === ',');
  if (!isInLetters || (words.length === 1 && isState(words[0] ?? ''))) return false;
  if (!isBehindComma) return !words.some((word, at) => at > 0 && isStreetEnd(word));
  const comma = words.indexOf(',');
  return !isStreetEnd(words.at(comma < 0 ? -1 : comma - 1) ?? '');
}
