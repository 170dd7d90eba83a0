import { readHighway } from '../../core/streets/highways.js';
import { type HouseNumber, LONGEST_HOUSE, parseHouseNumber } from '../../core/streets/house-number.js';
import { isOrdinalFigure, ordinalFigures } from '../../core/streets/ordinals.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { isStreetEnd, isStreetType, wholeWord } from '../../core/streets/street-types.js';
import { type FoundNumber, FRACTION, foundIn, MAX_NAMES_BEFORE, readFigures, unitBefore } from './find-number.js';
import { JOINS } from './joins.js';
import { isState } from './state-names.js';
import { isUnitWord } from './units.js';
import { hasDigit, isInDigits } from './words.js';

/** `555 0100` */
const TELEPHONE = /^\d{3} \d{4}$/;
const NUMBER_JOINS = new Set(['&', 'AND']);
/** `102`, `102B`: the second of two numbers. */
const PLAIN_NUMBER = /^\d+[A-Z]?$/;
/** `100/102`, `5/159`: two houses, or an apartment and a house. */
const TWO_IN_ONE = /^(\d+)[A-Z]?\/(\d+)[A-Z]?$/;
/** Words whose number is not a house's. */
const NUMBERED = new Set(
  '# & AND BLK BLOCK BOX CALLE DOCK EXIT GATE HIGHWAYS HWYS MARKER MILE MILEPOST MM MP PIER ROUTES RTES'.split(' '),
);

/** Words for a part of a building that may also end a name: `Health Dept`. */
const NAME_ENDS = new Set(['DEPT', 'OFFICE']);

/**
 * Another number that may be the house's: the first word with a digit, if it follows a name without a comma (`Jane Sample
 * 12 Main St`) or the street (`Main St 12`), or is the first of several numbers (`12 & 14 Main St`). Undefined if there
 * is none. O(words).
 */
export function findOtherNumber(parts: readonly string[][]): FoundNumber | undefined {
  const position = parts.findIndex((part) => part.some(hasDigit));
  if (position < 0 || position > MAX_NAMES_BEFORE) return undefined;
  const part = parts[position] ?? [];
  const at = part.findIndex(hasDigit);
  const word = part[at] ?? '';
  const others = parts.slice(position + 1);
  if (isBehindStreet(part, at)) {
    const behindStreet = readNumber(word);
    return behindStreet && { number: behindStreet, word, rest: part.slice(0, at), others };
  }
  const behind = endOfNumbers(part, at);
  const isOneOfSeveral = behind > at + 1 || word.includes('/');
  if (at === 0 ? !isOneOfSeveral : !mayPrecede(part, at)) return undefined;
  // `formerly 12 Elm St, now 14 Main St`: it is unclear which one is meant.
  if (at > 0 && findFurtherNumbers(others).length > 0) return undefined;
  const number = readNumber(farApart(word, part[behind - 1] ?? '') ?? word);
  const rest = part.slice(FRACTION.test(part[behind] ?? '') ? behind + 1 : behind);
  const [first] = rest;
  // Digits that follow belong to a telephone number, or are those of `Highway 12 45 Main St` or `Code 12# 45 Main St`.
  if (!number || first === undefined || first === '#' || isInDigits(first)) return undefined;
  return { number, word, rest, others };
}

/**
 * The house number behind a name that has a number of its own, without a comma between: `Motel 6 150 Main St`, `Sample Apts
 * Bldg 3 150 Main St`. Undefined if there is none, or if the words before it may be another street's: `Highway 12 45 Main
 * St`, `Jane Sample 12 Elm St 150 Main St`. O(words).
 */
export function findNumberBehindNumbered(parts: readonly string[][]): FoundNumber | undefined {
  const position = parts.findIndex((part) => part.some(hasDigit));
  const part = parts[position] ?? [];
  const at = part.findIndex(hasDigit);
  if (at < 1 || position > MAX_NAMES_BEFORE || !isOfName(part, at)) return undefined;
  for (let next = at + 1; next < part.length && !isStreetEnd(part[next - 1] ?? ''); next++) {
    const read = isUnitWord(part[next - 1] ?? '') ? undefined : readFigures(part, next);
    if (!read) continue;
    const found = foundIn(parts, position, read);
    const { rest } = found;
    const isTelephone = next === at + 1 && TELEPHONE.test(`${part[at]} ${read.word}`);
    const isStreet = !isTelephone && rest.length > 1 && !isInDigits(rest[0] ?? '') && rest.some(isStreetWord);
    return isStreet ? found : undefined;
  }
  return undefined;
}

/** Whether a number is a unit's, or belongs to a name before the house: `Sample Apts #5B 150 Main St`, `Motel 6 150 Main St`. */
function isOfName(words: readonly string[], at: number): boolean {
  const last = words[at - 1] ?? '';
  if (last === '#') return isUnitWord(words[at - 2] ?? '') || mayPrecede(words.toSpliced(at - 1, 1), at - 1);
  return isUnitWord(last) || (isInDigits(words[at] ?? '') && mayPrecede(words, at));
}

/** Number, name, and type or direction. */
const LEAST_OF_STREET = 3;
const isStreetWord = (word: string): boolean => isStreetType(word) || isDirection(word);

/**
 * House numbers in the parts after one that has a number: in `100 Main Place, 750 Tremont St` that may be a building's name
 * before an address, and in `200 Elm St, moved to 150 Main St` there are two addresses. Only if a street with a type or a
 * direction follows them.
 */
export function findFurtherNumbers(parts: readonly string[][]): FoundNumber[] {
  return parts.slice(0, MAX_NAMES_BEFORE).flatMap((part, at) => {
    const names = part.findIndex(hasDigit);
    const skipped = names > 0 && mayPrecede(part, names) ? names : unitBefore(part);
    const read = part.length >= LEAST_OF_STREET ? readFigures(part, skipped) : undefined;
    return read && part.slice(read.length).some(isStreetWord) ? foundIn(parts, at, read) : [];
  });
}

/** Whether digits end a part, after a street and not as part of a highway's name: `Main St 150`, `Calle Luna 150`. */
function isBehindStreet(part: readonly string[], at: number): boolean {
  if (at < 2 || at < part.length - 1) return false;
  const last = part[at - 1] ?? '';
  const isStreet = isStreetType(last) || (wholeWord(part[0] ?? '') === 'CALLE' && last !== '#' && !isUnitWord(last));
  return isStreet && !isHighway(part, at);
}

function readNumber(word: string): HouseNumber | undefined {
  if (isOrdinalFigure(word)) return undefined;
  const [, first, second] = FRACTION.test(word) ? [] : (TWO_IN_ONE.exec(word) ?? []);
  return parseHouseNumber(first === undefined ? word : `${first}-${second}`);
}

/** `100 & 300` as `100/300`, of which either may be meant; undefined for two numbers that one house may have. */
function farApart(word: string, last: string): string | undefined {
  if (!isInDigits(word) || !isInDigits(last)) return undefined;
  const [low = 0, high = 0] = [Number(word), Number(last)].sort((a, b) => a - b);
  return low + LONGEST_HOUSE < high ? `${low}/${high}` : undefined;
}

/** The position after the numbers that are joined to the one at a position. */
function endOfNumbers(part: readonly string[], at: number): number {
  let end = at + 1;
  while (NUMBER_JOINS.has(part[end] ?? '') && PLAIN_NUMBER.test(part[end + 1] ?? '')) end += 2;
  return end;
}

/** The longest beginning of a highway's name before its number: `NATIONAL FOREST DEVELOPMENT RD`. */
const MAX_HIGHWAY_WORDS = 4;

/** Whether the words before a number can be a name, and not a street's or a unit's that the number belongs to. */
function mayPrecede(part: readonly string[], at: number): boolean {
  const last = part[at - 1] ?? '';
  if (NUMBERED.has(last) || isStreetEnd(last)) return false;
  if (ordinalFigures(last) !== undefined || (isUnitWord(last) && !(at > 1 && NAME_ENDS.has(last)))) return false;
  if (part.slice(0, at).every(isDirection)) return false;
  return !isHighway(part, at);
}

/**
 * Whether words up to a number, with it or without, are a highway's: `Highway 12`, `County Road B`. A state's name may be
 * all of a highway's (`Montana 12`), or end another name: `University of Iowa`, `Jane Sample MD`.
 */
function isHighway(part: readonly string[], at: number): boolean {
  for (let begin = Math.max(0, at - MAX_HIGHWAY_WORDS); begin < at; begin++) {
    const taken = readHighway(part.slice(begin, at + 1))?.words ?? 0;
    const before = part[begin - 1];
    const isBehindStreet = before === undefined || JOINS.has(before) || isStreetEnd(before);
    const endsName = !isBehindStreet && isState(part.slice(begin, at).join(' '));
    if (begin + taken >= at && !endsName) return true;
  }
  return false;
}
