import { readHighway } from '../../core/streets/highways.js';
import { isOrdinalFigure } from '../../core/streets/ordinals.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { isStreetType } from '../../core/streets/street-types.js';
import { DOUBTFUL_UNIT_WORDS, PART_WORDS, UNIT_WORDS } from '../../core/streets/unit-words.js';
import { isAbbreviation } from './state-names.js';
import { hasDigit, isLetter } from './words.js';

/** Words that may belong to a highway (`RM 620`) or to a name, unless a street precedes them. */
const DOUBTFUL = new Set(['RM', 'NO', 'FL', 'LOT', 'SPACE']);

const FLOORS = new Set(['FLOOR', 'FL', 'FLR']);

const COUNTIES = new Set(['COUNTY', 'CO', 'PARISH']);

/** A part of an address, cut where a unit was. */
export interface WithoutUnit {
  readonly before: readonly string[];
  /** What follows the unit: usually nothing, or the city. */
  readonly after: readonly string[];
}

const UNIT_BEGINS = new Set(['#', ...UNIT_WORDS, ...DOUBTFUL_UNIT_WORDS, ...PART_WORDS]);

/** Whether a unit may begin with a word; hardly any word is one of these. */
export const mayBeginUnit = (word: string): boolean => UNIT_BEGINS.has(word) || isOrdinalFigure(word);

const FLOOR = /^\d{1,3}(?:FL|FLR)$/;
const NUMBER_AND_LETTER = /^\d{1,4}[A-Z]$/;

/**
 * The street without what may be a unit behind its first word: `Broadway Fl 12`, `Broadway 3rd Floor Sampleton`, `Broadway
 * 3B`. It may also belong to the name, and does if that is a highway's: `Highway 12A`. Undefined if there is none.
 */
export function withoutUnitBehindOneWord(street: readonly string[]): string[] | undefined {
  const [, first = '', second = '', next = ''] = street;
  const isNumbered = (DOUBTFUL.has(first) || UNIT_WORDS.has(first)) && hasDigit(second);
  const isFloor = isOrdinalFigure(first) && FLOORS.has(second);
  const isOneWord = FLOOR.test(first) || (second === '' && NUMBER_AND_LETTER.test(first));
  // `Park Lot 3 Rd`
  const isOfName = isStreetType(next);
  const isUnitHere = isOneWord || ((isNumbered || isFloor) && !isOfName);
  return isUnitHere && !readHighway(street) ? street.toSpliced(1, isOneWord ? 1 : 2) : undefined;
}

/** Takes apartments, suites and the like out of a part of an address. A street's first word is never one of them. */
export function takeUnit(words: readonly string[]): WithoutUnit {
  if (!words.some(mayBeginUnit)) return { before: words, after: [] };
  const [before, after]: [string[], string[]] = [[], []];
  let isBehind = false;
  for (let at = 0; at < words.length; ) {
    const length = unitLength(words, at);
    if (length > 0) isBehind = true;
    else (isBehind ? after : before).push(words[at] ?? '');
    at += Math.max(1, length);
  }
  return { before, after };
}

/** Whether a part of an address is nothing but a unit: `Apt 4B`, `# 12`. */
export function isUnit(words: readonly string[]): boolean {
  const [first = '', second = ''] = words;
  if (first === '#') return words.length <= 2;
  if (words.length === 2 && isOrdinalFigure(first) && FLOORS.has(second)) return true;
  if (PART_WORDS.has(first) && words.length === 1) return true;
  if (DOUBTFUL_UNIT_WORDS.has(first)) return words.length === 2 && hasDigit(second);
  return UNIT_WORDS.has(first) && words.length <= 3 && isUnitNumber(words.at(-1) ?? '');
}

/** Whether a street's first word may be a part of a building: `150 Rear Main St`, unless Rear Main Street is the street. */
export const mayBePartAtBegin = ([first = '', ...more]: readonly string[]): boolean =>
  more.length > 1 && PART_WORDS.has(first) && first !== 'LOWR' && first !== 'UPPR';

/**
 * How many words the units take that others follow: `150 | Apt 1 Main St`, `150 | Bldg C Apt #1 Main St`, `Suite 200 Boston`;
 * 0 if there are none.
 */
export function unitAtBegin(words: readonly string[]): number {
  const [first = '', second = '', third = ''] = words;
  if (isOrdinalFigure(first) && FLOORS.has(second) && third !== '') return 2;
  const isSigned = UNIT_WORDS.has(first) && second === '#';
  const isUnitHere = first === '#' || isSigned || (UNIT_WORDS.has(first) && !DOUBTFUL.has(first));
  if (!isUnitHere || !isUnitNumber(isSigned ? third : second)) return 0;
  const length = isSigned ? 3 : 2;
  const behind = words.slice(length);
  // `150 Unit 5 Rd` is on Unit 5 Road.
  const isStreetBehind = behind.length > 1 || (behind.length === 1 && !isStreetType(behind[0] ?? ''));
  return isStreetBehind ? length + unitAtBegin(behind) : 0;
}

/**
 * The city among parts of an address: the last one that is neither a unit nor a county, nor a state behind others:
 * `Boston, MA, MA`.
 */
export function cityOf(parts: readonly string[][]): readonly string[] {
  const isPlace = (part: readonly string[]): boolean => !isUnit(part) && !isCounty(part);
  const city = parts.findLast((part) => isPlace(part) && !isStateAlone(part)) ?? parts.findLast(isPlace) ?? [];
  // `150 Main St, Suite 200 Boston`
  const { before } = takeUnit(city.slice(unitAtBegin(city)));
  return before.some(isSign) ? before.filter((word) => !isSign(word)) : before;
}

const isSign = (word: string): boolean => word === '#' || word === '&';

const isStateAlone = ([word = '', ...more]: readonly string[]): boolean => more.length === 0 && isAbbreviation(word);

const isCounty = (part: readonly string[]): boolean => part.length > 1 && COUNTIES.has(part.at(-1) ?? '');

/** How many words the unit that begins here takes; 0 if none begins. */
function unitLength(words: readonly string[], at: number): number {
  const word = words[at] ?? '';
  const next = words[at + 1] ?? '';
  if (word === '#') return next === '' ? 1 : 2;
  if (at === 0) return 0;
  if (isOrdinalFigure(word) && FLOORS.has(next) && at > 1) return 2;
  if (PART_WORDS.has(word) && next === '') return 1;
  if (DOUBTFUL_UNIT_WORDS.has(word)) {
    const isOfStreet = isStreetType(words[at + 2] ?? '');
    return at > 1 && hasDigit(next) && !isOfStreet ? 2 : 0;
  }
  if (!UNIT_WORDS.has(word) || (at < 2 && DOUBTFUL.has(word))) return 0;
  if (next === '#') return 3;
  return isUnitNumber(next) ? 2 : 0;
}

/** Whether a word precedes the number of a part of a building. */
export const isUnitWord = (word: string): boolean => UNIT_WORDS.has(word) || DOUBTFUL_UNIT_WORDS.has(word);

/** `4B`, `200`, `C`, `A-12`, `NE`. */
const isUnitNumber = (word: string): boolean =>
  hasDigit(word) || isLetter(word) || (word.length === 2 && isDirection(word));
