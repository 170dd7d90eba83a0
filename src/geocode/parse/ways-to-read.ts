import { isDigitAt } from '../../core/digits.js';
import { withNumberLast } from '../../core/streets/other-highways.js';
import { directionOfTwo, isDirection } from '../../core/streets/street-directions.js';
import { isStreetType } from '../../core/streets/street-types.js';
import { withoutUnitBehindOneWord } from './units.js';
import { withWholeDirections } from './whole-directions.js';
import { isLetter } from './words.js';

/** A street's words, read in some way. */
type Way = readonly string[];

/**
 * The ways to read a street's words after a house number as written, the likeliest first. A wrong one seldom matches, since
 * no such street exists.
 */
export function waysToRead(number: string, street: Way): Way[] {
  const ways = waysByDirections(number, street);
  // `150 Broadway Fl 12`
  const withoutUnit = withoutUnitBehindOneWord(street);
  if (withoutUnit) ways.push(withoutUnit);
  // `150 89 Hwy N`, `150 SE HH Hwy`
  const highway = withNumberLast(street);
  if (highway) ways.push(highway);
  return ways;
}

/** The ways that differ in what is read as a direction, and whether a letter is the street's. */
function waysByDirections(number: string, street: Way): Way[] {
  // `150 No Name Rd`
  const whole = withWholeDirections(street);
  if (whole) return [...waysByDirections(number, whole), street];
  const glued = withDirectionOfNumber(number, street);
  if (glued) return [glued, street];
  // `150 M St N W`
  const directed = withDirectionInOneWord(street);
  const other = withoutLetterOfNumber(directed ?? street);
  if (!directed) return other ? [street, other] : [street];
  return other ? [street, directed, other] : [street, directed];
}

/** `150N` */
const GLUED_DIRECTION = /\d([NESW]|[NS][EW])$/;

/**
 * `150N Main St` lacks a space, and so does `150N South St`; the letter may also belong to the number. Undefined where there
 * is no such letter, or another direction follows it.
 */
function withDirectionOfNumber(number: string, street: Way): Way | undefined {
  const glued = isDigitAt(number, number.length - 1) ? undefined : GLUED_DIRECTION.exec(number)?.[1];
  if (glued === undefined) return undefined;
  const [first = '', second = ''] = street;
  const isName = !isDirection(first) || (street.length === 2 && isStreetType(second));
  return isName ? [glued, ...street] : undefined;
}

/** `150 A Main St` is number 150A, unless it is A Street. Undefined where there is no such letter. */
function withoutLetterOfNumber(street: Way): Way | undefined {
  const [first = ''] = street;
  return isLetter(first) && !isDirection(first) && street.length > 2 ? street.slice(1) : undefined;
}

/** `150 7th St North West` is on 7th Street NW, but `S West Temple` is a street's name. Undefined for other streets. */
function withDirectionInOneWord(street: Way): Way | undefined {
  for (let at = 0; at + 1 < street.length; at++) {
    const direction = directionOfTwo(street[at] ?? '', street[at + 1] ?? '');
    if (direction !== undefined) return street.toSpliced(at, 2, direction);
  }
  return undefined;
}
