import { isDigitAt } from '../../core/digits.js';
import { directionOfTwo, isDirection } from '../../core/streets/street-directions.js';
import { isStreetEnd, isStreetType } from '../../core/streets/street-types.js';
import { splitHyphens } from './tokens.js';

/** The length of a direction's abbreviation, such as `NE`, which is no city's name; `East` and `North East` may be. */
const LONGEST_SHORT = 2;

/**
 * Joins what belongs to one street: `1600, Pennsylvania Ave, NW, Washington`, `105, E, Main, St, Boston`, `150 Martin
 * Luther King, Jr Blvd`. The last part may be a city, unless it is a direction's abbreviation, or a street behind a number
 * and a direction.
 */
export function joinParts(parts: string[][]): string[][] {
  if (!parts.some((part, at) => (at > 0 && mayContinueStreet(part)) || isHouseAndDirection(part))) return parts;
  const joined: string[][] = [];
  parts.forEach((part, at) => {
    const street = joined.at(-1);
    const isLast = at === parts.length - 1;
    if (street && continuesStreet(street, part, isLast)) street.push(...part);
    else joined.push(part);
  });
  return joined;
}

const mayContinueStreet = (part: readonly string[]): boolean =>
  isDirectionAlone(part) || isTypeAlone(part) || isJuniorAndType(part);

function continuesStreet(street: readonly string[], part: readonly string[], isLast: boolean): boolean {
  if (isHouseAndDirection(street)) return !isLast || (isShort(street.slice(1)) && isStreetEnd(part.at(-1) ?? ''));
  if (isDirectionAlone(part)) return !isLast || isShort(part);
  return isJuniorAndType(part) || (isTypeAlone(part) && !isLast);
}

const isShort = (direction: readonly string[]): boolean =>
  direction.length === 1 && (direction[0] ?? '').length <= LONGEST_SHORT;

/** `St`, `Ave NW`. */
const isTypeAlone = (part: readonly string[]): boolean =>
  isStreetType(part[0] ?? '') && (part.length === 1 || (part.length <= 3 && isDirectionAlone(part.slice(1))));

/** `Jr Blvd` behind `Martin Luther King`. */
const isJuniorAndType = ([first = '', type = '']: readonly string[]): boolean => first === 'JR' && isStreetType(type);

const isHouseAndDirection = (part: readonly string[]): boolean =>
  part.length > 1 && part.length <= 3 && isDigitAt(part[0] ?? '', 0) && isDirectionAlone(part.slice(1));

function isDirectionAlone(part: readonly string[]): boolean {
  if (part.length > 2) return false;
  const [first = '', second = '', ...more] = splitHyphens(part);
  if (more.length > 0) return false;
  return second === '' ? isDirection(first) : directionOfTwo(first, second) !== undefined;
}
