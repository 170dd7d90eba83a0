import { isDigitAt } from '../../core/digits.js';
import { isOrdinalFigure } from '../../core/streets/ordinals.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { isStreetType } from '../../core/streets/street-types.js';
import { isInDigits, isLetter } from './words.js';

const BEGINS_WITH_LETTER = /^[A-Z]/;

/**
 * Unusual abbreviations, whose full stop has been removed, and slips that no other word is like; also what may be a state:
 * `NE 7 Rd` is NE 7th Road, and no highway of Nebraska.
 */
const SHORT_DIRECTIONS: ReadonlyMap<string, string> = new Map(
  [
    ['NORTH', 'NO NTH NOTH NORT NORH NRTH NORTHH NORHT NROTH NOTRH'],
    ['SOUTH', 'SO STH SOTH SOUT SOUH SUTH SOUTHH SOUHT SUOTH SOTUH'],
    ['EAST', 'EA EAS EASST EASTT ESAT'],
    ['NORTHEAST', 'NE'],
    ['WEST', 'WE WST WESST WESTT WSET'],
  ].flatMap(([whole = '', spellings = '']) => spellings.split(' ').map((word) => [word, whole] as const)),
);

/**
 * The words with directions such as `No` and `So` in full; undefined if there are none. They may also be words of a name:
 * `No Name Rd`.
 */
export function withWholeDirections(words: readonly string[]): string[] | undefined {
  if (!words.some((word) => SHORT_DIRECTIONS.has(word))) return undefined;
  const whole = words.map(
    (word, at) => (isMeantAsDirection(word, words.slice(at + 1)) ? SHORT_DIRECTIONS.get(word) : undefined) ?? word,
  );
  return whole.some((word, at) => word !== words[at]) ? whole : undefined;
}

/**
 * Whether `NO` is no number's sign, `STH` no state highway, and `NE` no state; the other words are always directions. `So.`
 * is never a number's sign.
 */
function isMeantAsDirection(word: string, [next = '', afterNext = '']: readonly string[]): boolean {
  if (word === 'NE') return isInDigits(next) && isStreetType(afterNext);
  // `150 Sth Main St` and `150 Sth 4th St`, but not `150 STH 5`
  if (word === 'STH') return !isDigitAt(next, 0) || isOrdinalFigure(next);
  // `150 Hwy 89 No.` and `150 No. 4th St`
  if (word !== 'NO' || next === '' || isOrdinalFigure(next)) return true;
  // `150 No. 200 W`, but not `Apt No. 5`
  if (isInDigits(next)) return isDirection(afterNext);
  // `150 No. Main St`, but not `Apt No. B`
  return BEGINS_WITH_LETTER.test(next) && !isLetter(next);
}
