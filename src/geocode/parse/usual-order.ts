import { isDigitAt } from '../../core/digits.js';
import { readHighway } from '../../core/streets/highways.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { isStreetEnd, isStreetType } from '../../core/streets/street-types.js';
import { beginsWithHouse, hasHouse, mayBeHouseNumber } from './houses.js';
import { JOINS } from './joins.js';
import { isAbbreviation, isState, stateAtEnd, stateFipsOf } from './state-names.js';
import { splitAtCommas, type Tokens, withoutCommas } from './tokens.js';
import { isUnit, isUnitWord } from './units.js';
import { hasDigit } from './words.js';
import { isZip, isZipOf, stateBeforeZip } from './zip.js';

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

/** `LAKE IN THE HILLS ILLINOIS`: the longest city, and a state of one word. */
const MAX_PLACE_WORDS = 5;

/** A street, and the place that was before it. */
export interface PlaceFirst {
  readonly street: Tokens;
  readonly city: Tokens;
  /** Two digits. */
  readonly stateFips: string;
}

/**
 * The parts of `Boston, MA 150 Main St`, `Boston MA 150 Main St Apt 3` and `MA, Boston, 150 Main St`, where no ZIP tells that
 * they begin with a place: it may be a person instead, as in `Jane Sample MD 150 Main St`. Undefined for other texts, among
 * them `Jane Sample MD 12345 Main St`, whose number may be a ZIP.
 */
export function placeFirst(tokens: Tokens): PlaceFirst | undefined {
  const house = tokens.findIndex(hasDigit);
  // Nearly all addresses begin with their house number.
  if (house < LEAST_OF_PLACE) return undefined;
  const street = tokens.slice(house);
  const isStreetAlone = beginsWithHouse(street) && splitAtCommas(street).slice(1).every(isUnit);
  if (!isStreetAlone || street.some(isZip)) return undefined;
  const parts = splitAtCommas(tokens.slice(0, house));
  const [first = '', last = ''] = [parts[0], parts.at(-1)].map((part) => part?.join(' '));
  const place = (isAbbreviation(first) && !isAbbreviation(last) ? parts.toReversed() : parts).flat();
  const state = parts.length <= 2 && place.length <= MAX_PLACE_WORDS ? stateAtEnd(place) : undefined;
  return state && { street, city: place.slice(0, -state.length), stateFips: state.fips };
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
 * `02118 150 Main St, Boston, MA` and `02118 MA Boston 150 Main St` with the ZIP last. Its first number may be a house's
 * instead, in `48335 8 Mile Rd`. Undefined for other texts.
 */
export function zipFromBegin(tokens: Tokens): Tokens | undefined {
  const zip = tokens[0] ?? '';
  if (!isZip(zip)) return undefined;
  const behind = withoutCommas(tokens.slice(1));
  if (behind.some(isZip)) return undefined;
  return beginsWithHouse(behind) ? [...behind, ',', zip] : placeBeforeStreet(behind, zip);
}

/** `MA Boston 150 Main St` behind a ZIP, or `Boston 150 Main St`. Undefined for other texts, such as `US 150 Oak Grove`. */
function placeBeforeStreet(tokens: Tokens, zip: string): Tokens | undefined {
  const house = tokens.findIndex(mayBeHouseNumber);
  const street = tokens.slice(house);
  const place = tokens.slice(0, Math.max(0, house)).filter((token) => token !== ',');
  const state = [place[0] ?? '', place.at(-1) ?? '']
    .filter((word) => isAbbreviation(word) && isZipOfState(zip, word))
    .slice(0, 1);
  const city = place.filter((word) => !state.includes(word));
  // `02118 Washington 150 Main St` may be on Washington's highway 150, unless a comma is between.
  const isOfHighway = tokens[house - 1] !== ',' && readHighway([...city, street[0] ?? '']) !== undefined;
  const isPlace =
    city.length > 0 && city.every(isWordOfCity) && (!isOfHighway || (state.length > 0 && isState(city.join(' '))));
  return isPlace && hasHouse(street) ? [...street, ',', ...city, ',', ...state, zip] : undefined;
}

const isZipOfState = (zip: string, state: string): boolean => isZipOf(zip, stateFipsOf(state) ?? '');

/** Whether a word before a house number can be a city's: not that of another street, or of a unit. */
const isWordOfCity = (word: string, at: number): boolean =>
  LETTERS.test(word) && !isUnitWord(word) && (!isStreetEnd(word) || (word === 'ST' && at === 0));

/** `60601 Main St & Oak Ave` with the ZIP last. Undefined for other texts. */
export function zipOfCorner(tokens: Tokens): Tokens | undefined {
  const zip = tokens[0] ?? '';
  if (!isZip(zip) || !isStreetType(tokens.at(-1) ?? '')) return undefined;
  const streets = withoutCommas(tokens.slice(1));
  const isCorner = streets.some((token, at) => at > 0 && JOINS.has(token)) && !mayBeHouseNumber(streets[0] ?? '');
  return isCorner && !streets.includes(',') ? [...streets, ',', zip] : undefined;
}

/**
 * Puts the state behind the city where it is before that: `150 Main St | CT | Hartford` and `150 Main St, CT, Hartford,
 * 06103` end with `Hartford, CT`. Other texts are returned as they are.
 */
export function stateBehindCity(tokens: Tokens): Tokens {
  const last = tokens.at(-1) ?? '';
  const end = isDigitAt(last, 0) ? tokens.length - 1 : tokens.length;
  // Nearly all addresses end with their state.
  if (isAbbreviation(tokens[end - 1] ?? '') || (end < tokens.length && !isZip(last))) return tokens;
  const parts = splitAtCommas(tokens.slice(0, end));
  const [city = [], [state = '', ...more] = [], ...street] = parts.toReversed();
  const isOrder = more.length === 0 && isAbbreviation(state) && !isDirection(state);
  if (!isOrder || !isCityAlone(city) || !mayEndStreet(street[0] ?? [])) return tokens;
  // `150, Main, Ct, Sampleton` is on Main Court.
  if (isStreetType(state) && !street.some((part) => part.some(isStreetEnd))) return tokens;
  return [...tokens.slice(0, tokens.lastIndexOf(state)), ...city, ',', state, ...tokens.slice(end)];
}

const isCityAlone = (part: Tokens): boolean =>
  part.every((word) => LETTERS.test(word)) && !isStreetEnd(part.at(-1) ?? '') && !isAbbreviation(part.at(-1) ?? '');

/** Whether a part of an address can be the last one before its place: a house and its street, a corner, or a unit. */
const mayEndStreet = (part: Tokens): boolean => part.some((word) => hasDigit(word) || JOINS.has(word));

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
  const place = tokens.slice(tokens[zip + 1] === ',' ? zip + 2 : zip + 1);
  const [state = '', ...city] = place;
  if (!hasHouse(street) || !isCityBehindZip(place, isBehindComma)) return undefined;
  // `150 Main St, 02118 MA Boston`
  const isStateFirst = isAbbreviation(state) && !city.includes(',');
  return [...street, ...(isStateFirst ? [...city, ',', state] : place), tokens[zip] ?? ''];
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
