import { isDigitAt } from '../../core/digits.js';
import { parseHouseNumber } from '../../core/streets/house-number.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { isPlainType, streetType } from '../../core/streets/street-types.js';
import type { FoundNumber } from './find-number.js';
import { isInDigits } from './words.js';

/** `N112W16234` of Wisconsin, `24W500` of Illinois. */
const GRID_NUMBER = /^(?:[NS]\d+[EW]\d+|[EW]\d+[NS]\d+|\d+[NESW]\d+)$/;
/** `N112 W 16234` */
const MAX_PIECES = 3;
const BLOCK = /^\d{2,3}$/;
const HOUSE_OF_BLOCK = /^\d{2,4}$/;
const MILE = 'MILE';
/** Block, house, and a street of two words. */
const LEAST_WITH_BLOCK = 4;

/**
 * A house number written in pieces: `N112 W16234 Mequon Rd`, `24W 500 Maple Ave`, `37 18 75th St` for 37-18, which elsewhere
 * may be number 37, apartment 18. Undefined for others.
 */
export function joinPieces({ word, rest, others }: FoundNumber): FoundNumber | undefined {
  // Nearly all addresses go no further.
  if (!word.includes('-') && !mayBePiece(rest[0] ?? '')) return undefined;
  const words = [...word.split('-'), ...rest];
  for (let count = 2; count <= MAX_PIECES; count++) {
    const joined = words.slice(0, count).join('');
    if (GRID_NUMBER.test(joined)) return numbered(joined, words.slice(count), others);
  }
  const [block = '', house = '', ...street] = words;
  if (isOfNumberedStreet(street)) return undefined;
  const isBlock = word === block && words.length >= LEAST_WITH_BLOCK && BLOCK.test(block) && HOUSE_OF_BLOCK.test(house);
  return isBlock ? numbered(`${block}-${house}`, words.slice(2), others) : undefined;
}

/**
 * Whether the number before these words is a street's: `150 15 Mile Rd`, `150 12 Ave N Boston`, `150 89 N Boston`. It is not
 * if they may be a street by themselves, such as `N Main St` and `St Marks Ave`.
 */
function isOfNumberedStreet([first = '', ...more]: readonly string[]): boolean {
  if (first === MILE) return true;
  return (isDirection(first) || isPlain(first)) && !more.some(isPlain);
}

const isPlain = (word: string): boolean => isPlainType(streetType(word) ?? '');

/** `N1234`: a direction's letter, then digits. */
const LETTERED_NUMBER = /^[NSEW]\d{2,6}$/;
/** `N 88 W 16500` */
const MAX_PIECES_AT_BEGIN = 4;

/**
 * A house number that begins with a direction set apart from it, as in Wisconsin: `N 1234 County Rd G`, `N 88 W 16500
 * Main St`. Undefined if an address begins otherwise.
 */
export function findGridNumber([part = [], ...others]: readonly string[][]): FoundNumber | undefined {
  if ((part[0] ?? '').length !== 1 || !mayBePiece(part[0] ?? '')) return undefined;
  for (let count = MAX_PIECES_AT_BEGIN; count > 1; count--) {
    const joined = part.slice(0, count).join('');
    const isNumber = GRID_NUMBER.test(joined) || (count === 2 && LETTERED_NUMBER.test(joined));
    if (isNumber) return numbered(joined, part.slice(count), others);
  }
  return undefined;
}

/**
 * `S 150 Main St` as 150 S Main Street, where a direction may precede the number: it may be the number's, too. Undefined for
 * others, such as `W 34 St` and `E 400 S`, which lack a number.
 */
export function findNumberBehindDirection([part = [], ...others]: readonly string[][]): FoundNumber | undefined {
  const [direction = '', word = '', ...street] = part;
  const [first = ''] = street;
  if (!isDirection(direction) || !isInDigits(word)) return undefined;
  if (first === MILE || isDirection(first) || isPlain(first)) return undefined;
  return numbered(word, street.length > 0 ? [direction, ...street] : [], others);
}

const mayBePiece = (word: string): boolean =>
  isDigitAt(word, word.length - 1) || (word.length === 1 && isDirection(word));

function numbered(word: string, rest: readonly string[], others: FoundNumber['others']): FoundNumber | undefined {
  const number = rest.length > 0 ? parseHouseNumber(word) : undefined;
  return number && { number, word, rest, others };
}
