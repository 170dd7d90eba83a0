import { isDigitAt } from '../../core/digits.js';
import { cardinalValue } from '../../core/streets/cardinals.js';
import { isBesideHighway } from '../../core/streets/highways.js';
import { type HouseNumber, LONGEST_HOUSE, parseHouseNumber } from '../../core/streets/house-number.js';
import { isOrdinalFigure, ordinalOfTwo } from '../../core/streets/ordinals.js';
import { figuresOf } from './misread.js';
import { isUnit, isUnitWord, mayBeginUnit } from './units.js';

/** A house number, and what follows it. */
export interface FoundNumber {
  readonly number: HouseNumber;
  /** The number as a word, in digits or letters. */
  readonly word: string;
  /** The words after the number, up to the next comma; not empty. */
  readonly rest: readonly string[];
  /** The parts after these. */
  readonly others: readonly string[][];
}

/** How many parts may precede the number: `Roe, Jane M., MD, Sample Clinic, 150 Main St`. */
export const MAX_NAMES_BEFORE = 4;

/** `1/2` */
export const FRACTION = /^\d\/\d{1,2}$/;
/** Signs before a house number: `#120 Main St`, `No. 120 Main St`. */
const NUMBER_SIGNS = new Set(['#', 'NO', 'NUMBER']);
/** Words before such a sign: `House # 120 Main St`, but not `Apt # 120`. */
const HOUSES = new Set(['HOUSE', 'HSE', 'HOME', 'STREET']);

/** The first house number in digits that something follows; one without a sign before it is preferred. */
export function findNumber(parts: readonly string[][]): FoundNumber | undefined {
  return (
    findBy(parts, (part) => readFigures(part, unitBefore(part))) ??
    findBy(parts, readSigned) ??
    setApart(parts) ??
    findNumberBehindUnit(parts.slice(0, 1))
  );
}

/** The first house number in letters: `One Main St`. */
export function findNumberWord(parts: readonly string[][]): FoundNumber | undefined {
  return findBy(parts, ([word = '', ...rest]) => {
    // `Twenty First St` is 21st Street.
    const isOrdinal = ordinalOfTwo(word, rest[0]) !== undefined;
    const value = rest.length > 0 && !isOrdinal ? cardinalValue(word) : undefined;
    return value === undefined ? undefined : { number: { prefix: '', value, written: String(value) }, word, length: 1 };
  });
}

interface NumberRead {
  readonly number: HouseNumber;
  readonly word: string;
  /** How many words it takes, including those before it. */
  readonly length: number;
}

function findBy(
  parts: readonly string[][],
  read: (part: readonly string[]) => NumberRead | undefined,
): FoundNumber | undefined {
  for (let at = 0; at < parts.length && at <= MAX_NAMES_BEFORE; at++) {
    const found = read(parts[at] ?? []);
    if (found) return foundIn(parts, at, found);
  }
  return undefined;
}

/** A number that was read in the part at a position, with what follows it. */
export const foundIn = (parts: readonly string[][], at: number, { number, word, length }: NumberRead): FoundNumber => ({
  number,
  word,
  rest: (parts[at] ?? []).slice(length),
  others: parts.slice(at + 1),
});

/** The house number after `skipped` words, if something follows it. */
export function readFigures(part: readonly string[], skipped: number): NumberRead | undefined {
  const word = part[skipped] ?? '';
  const number = isOrdinalFigure(word) ? undefined : parseHouseNumber(word);
  if (!number || part[skipped + 1] === '&') return undefined;
  const length = skipped + (FRACTION.test(part[skipped + 1] ?? '') ? 2 : 1);
  return length < part.length ? { number, word, length } : undefined;
}

function readSigned(part: readonly string[]): NumberRead | undefined {
  const sign = HOUSES.has(part[0] ?? '') ? 1 : 0;
  return NUMBER_SIGNS.has(part[sign] ?? '') ? readFigures(part, sign + 1) : undefined;
}

/**
 * How many words the unit takes that a part begins with: `APT 4B 123 MAIN ST`, `# 12 123 MAIN ST`, `APT # 4 123 MAIN ST`; 0
 * if there is none.
 */
export function unitBefore(part: readonly string[]): number {
  const length = part[1] === '#' ? 3 : 2;
  if (part.length < length + 2 || !mayBeginUnit(part[0] ?? '') || !isUnit(part.slice(0, length))) return 0;
  return parseHouseNumber(part[length] ?? '') ? length : 0;
}

const UNIT_AND_NUMBER = /^(\d*)[A-Z]?-(\d+)$/;

/**
 * The house number of `#4-123 Main St` and `Apt 4-123 Main St`, which a hyphen joins to the unit's. With the sign alone, the
 * whole may be a number, too. Undefined for others, such as the two numbers of one house in `#150-152 Main St`.
 */
export const findNumberBehindUnit = (parts: readonly string[][]): FoundNumber | undefined =>
  findBy(parts, (part) => {
    const [sign = '', joined = ''] = part;
    const isBehind = part.length > 2 && (sign === '#' || isUnitWord(sign));
    const [, unit, word = ''] = (isBehind && UNIT_AND_NUMBER.exec(joined)) || [];
    const number = parseHouseNumber(word);
    const isRange = number && number.value > Number(unit) && number.value <= Number(unit) + LONGEST_HOUSE;
    return number && !isRange ? { number, word, length: 2 } : undefined;
  });

/**
 * `388, 390 Main St`: the number that is the whole part before the one found, and may be another house's; undefined if
 * there is none.
 */
export function findNumberBefore(parts: readonly string[][], found: FoundNumber): FoundNumber | undefined {
  const [[word = '', ...more] = []] = parts;
  const isNext = parts.length - found.others.length === 2 && word !== found.word;
  const number = isNext && more.length === 0 && !isOrdinalFigure(word) ? parseHouseNumber(word) : undefined;
  return number && { ...found, number, word };
}

/**
 * The house number with letters at its end that are typed or scanned in place of digits read as such: `28O` for 280, `2l`
 * for 21, `1OO` for 100. Undefined if it has none.
 */
export function withFigures(found: FoundNumber): FoundNumber | undefined {
  const { word } = found;
  return isDigitAt(word, 0) && !isDigitAt(word, word.length - 1) ? inFigures(found) : undefined;
}

/**
 * The same for letters at its beginning, `I50` for 150, which are seldom a house number's. Undefined if there are none, or
 * it is an interstate's number: `I35 Frontage Rd`.
 */
export function withFiguresAtBegin(found: FoundNumber): FoundNumber | undefined {
  const { word, rest } = found;
  return isDigitAt(word, 0) || isBesideHighway(rest[0] ?? '') ? undefined : inFigures(found);
}

function inFigures(found: FoundNumber): FoundNumber | undefined {
  const figures = figuresOf(found.word);
  const number = figures === undefined ? undefined : parseHouseNumber(figures);
  return number && { ...found, number };
}

/** Streets have shorter numbers in their names: `12 12 Mile Rd`. */
const LEAST_FIGURES = 3;

/** `150 150 Main St`, as joined columns have it. Undefined if the number is there once, or may be the street's name. */
export function withNumberOnce(found: FoundNumber): FoundNumber | undefined {
  const { word, rest } = found;
  return rest[0] === word && word.length >= LEAST_FIGURES ? { ...found, rest: rest.slice(1) } : undefined;
}

const FIGURES_AND_LETTERS = /^(\d+)(?:-([NESW]|[NS][EW])|([A-Z]{2}))$/;

/**
 * `120-E Main St` as 120 E Main Street, `156Up River Rd` as 156 Up River Road; as written, they are number 120, part E, and
 * 156, part UP. Undefined for other numbers.
 */
export function withLettersApart(found: FoundNumber): FoundNumber | undefined {
  if (isDigitAt(found.word, found.word.length - 1)) return undefined;
  const [, figures = '', direction, letters = direction] = FIGURES_AND_LETTERS.exec(found.word) ?? [];
  const number = letters === undefined ? undefined : parseHouseNumber(figures);
  return number && letters !== undefined
    ? { ...found, number, word: figures, rest: [letters, ...found.rest] }
    : undefined;
}

/**
 * The first number, with all that follows it as the street, where it may instead be a unit's or another house's: `#150 3
 * Mile Rd`, `150, 3 Mile Rd`. A wrong guess matches nothing, since few streets begin with a number. Undefined if neither a
 * sign precedes it nor a comma follows it.
 */
export const findNumberOfNumbered = (parts: readonly string[][]): FoundNumber | undefined =>
  findBy(parts.slice(0, 1), readSigned) ?? setApart(parts);

/** `120, Main St`: a number that is the whole first part, but for a unit: `Apt 4, 120, Main St`, `120 Apt 4, Main St`. */
function setApart(parts: readonly string[][]): FoundNumber | undefined {
  const at = isUnit(parts[0] ?? []) ? 1 : 0;
  const [word = '', ...more] = parts[at] ?? [];
  const next = isUnit(parts[at + 1] ?? []) ? at + 2 : at + 1;
  const rest = parts[next] ?? [];
  const others = parts.slice(next + 1);
  const isAlone = more.length === 0 || isUnit(more);
  // `120, Boston` lacks the street, unlike `120, Broadway, Boston`.
  const isStreet = rest.length > 1 || (rest.length === 1 && others.length > 0);
  const number = isAlone && isStreet ? parseHouseNumber(word) : undefined;
  return number && { number, word, rest, others };
}
