import { isDigitAt } from '../../core/digits.js';
import { withNumberLast } from '../../core/streets/highways.js';
import { directionOfTwo, isDirection } from '../../core/streets/street-directions.js';
import { isStreetType } from '../../core/streets/street-types.js';
import { type Ending, readEndings } from './ending.js';
import {
  type FoundNumber,
  findNumber,
  findNumberBefore,
  findNumberOfNumbered,
  findNumberWord,
  withFigures,
  withFiguresAtBegin,
  withLettersApart,
} from './find-number.js';
import { findGridNumber, joinPieces } from './grid-number.js';
import { joinParts } from './join-parts.js';
import { mend } from './mend.js';
import { findFurtherNumbers, findNumberBehindNumbered, findOtherNumber } from './other-number.js';
import { readCrossings } from './read-crossing.js';
import type { AddressReading, CrossingReading, ParsedAddress } from './readings.js';
import { firstOfRepeated } from './repeated.js';
import { splitAtCommas, splitHyphens, tokenize } from './tokens.js';
import { cityOf, isUnit, mayBePartAtBegin, takeUnit, unitAtBegin, withoutUnitBehindOneWord } from './units.js';
import { aroundBox, boxAt, isMilitary, withoutBoxes } from './unplaceable.js';
import { withWholeDirections } from './whole-directions.js';
import { hasLetter, isLetter } from './words.js';

/**
 * Reads an address as people write it: with or without commas, in any case, with units, fractions, ZIP, ZIP+4, state and
 * country or without, with names before the number and telephone numbers at the end. O(length).
 */
export function parseAddress(text: string): ParsedAddress {
  const tokens = firstOfRepeated(mend(tokenize(text)));
  if (!tokens) return { kind: 'nothing', isSeveral: true, otherwise: () => [] };
  if (isMilitary(tokens)) return { kind: 'unplaceable', otherwise: () => [] };
  const addresses: AddressReading[] = [];
  const elsewhere: AddressReading[] = [];
  const crossings: CrossingReading[] = [];
  const inWords: AddressReading[] = [];
  const seen: Seen[] = [];
  for (const ending of readEndings(tokens)) {
    const all = joinParts(splitAtCommas(ending.body));
    const parts = withoutBoxes(all);
    const plain = findNumber(parts);
    // `W 34 St & 8 Ave` is a crossing.
    const crossing = plain ? [] : readCrossings(parts, ending);
    const found = plain ?? (crossing.length > 0 ? undefined : findGridNumber(parts));
    seen.push({ all, parts, found, ending });
    addresses.push(...readAddress(found, ending));
    if (found) {
      elsewhere.push(...numbersElsewhere(found, parts).flatMap((other) => readAddress(other, ending)));
      continue;
    }
    crossings.push(...crossing);
    const spelled = findNumberWord(parts);
    inWords.push(...readAddress(spelled, ending, spelled?.word));
  }
  const otherwise = () => seen.flatMap(readOtherwise);
  if (addresses.length > 0) return { kind: 'address', readings: addresses, elsewhere, otherwise };
  // `Smith & Jones, PO Box 12` is no crossing.
  if (seen.some(hasBox)) return { kind: 'unplaceable', otherwise };
  if (crossings.length > 0) return { kind: 'crossing', readings: crossings, otherwise };
  return inWords.length > 0
    ? { kind: 'address', readings: inWords, elsewhere, otherwise }
    : { kind: 'nothing', otherwise };
}

/** What the house number may be instead of the one found: the same characters read otherwise, or another number. */
function numbersElsewhere(found: FoundNumber, parts: readonly string[][]): FoundNumber[] {
  const first = findNumberOfNumbered(parts);
  const numbers = [
    withFigures(found),
    withLettersApart(found),
    joinPieces(found),
    first?.word === found.word && !isUnit(found.rest) ? undefined : first,
    findNumberBefore(parts, found),
    ...findFurtherNumbers({ others: [[...takeUnit(found.rest).after], ...found.others] }),
  ];
  return numbers.flatMap((number) => number ?? []);
}

/** What precedes an ending, and what was found in it. */
interface Seen {
  readonly all: readonly string[][];
  /** Without boxes; the same list if there are none. */
  readonly parts: readonly string[][];
  readonly found: FoundNumber | undefined;
  readonly ending: Ending;
}

const hasBox = ({ all, parts }: Seen): boolean => parts !== all || all.some((part) => boxAt(part) >= 0);

function readOtherwise({ parts: all, found, ending }: Seen): AddressReading[] {
  const parts = found ? all : all.flatMap(aroundBox);
  const other = findOtherNumber(parts);
  return [
    ...(!found || found.word === other?.word ? readAddress(other, ending) : []),
    ...readAddress(found ? withFiguresAtBegin(found) : findNumberBehindNumbered(parts), ending),
  ];
}

const MAX_FIGURES = 3;
/** `150N` */
const GLUED_DIRECTION = /\d([NESW]|[NS][EW])$/;

function readAddress(
  found: FoundNumber | undefined,
  { zip, stateFips }: Ending,
  numberWord?: string,
): AddressReading[] {
  if (!found) return [];
  const { number, word, rest, others } = found;
  const box = boxAt(rest);
  const skipped = unitAtBegin(rest);
  const { before, after } = takeUnit(box < 0 && skipped === 0 ? rest : rest.slice(skipped, box < 0 ? undefined : box));
  const words = splitHyphens(before.includes('#') ? before.filter((part) => part !== '#') : before);
  const end = endOfStreet(words);
  const street = end < words.length ? words.slice(0, end) : words;
  if (!mayBeStreet(street)) return [];
  // `150 Main St Apt 3 12 Elm St, Sampleton` has a second address behind the unit, and no city.
  const written = splitHyphens(after.length > 0 && !isDigitAt(after[0] ?? '', 0) ? after : cityOf(others));
  const city = withWholeDirections(written) ?? written;
  const ways = waysToRead(word, street);
  const withoutUnit = withoutUnitBehindOneWord(street);
  if (withoutUnit) ways.push(withoutUnit);
  const highway = withNumberLast(street);
  if (highway) ways.push(highway);
  if (skipped === 0 && mayBePartAtBegin(rest)) ways.push(street.slice(1));
  const readings: AddressReading[] = ways.map((way) => ({ number, numberWord, words: way, city, zip, stateFips }));
  if (words[end] !== '&') return readings;
  const joined = namesJoinedAt(words, end).map(
    (name): AddressReading => ({ number, numberWord, words: name, city, zip, stateFips, onlyAsWritten: true }),
  );
  return areInitialsAt(words, end) ? joined : [...joined, ...readings];
}

/** Where a cross street begins: `150 Birch Rd & Oak St`, `150 Birch Rd at the corner of Oak St`. */
function endOfStreet(words: readonly string[]): number {
  const at = words.findIndex((word, index) => word === '&' || (index > 1 && isBesideStreet(words, index)));
  return at < 0 ? words.length : at;
}

/**
 * The names that an `&` may be part of instead: `J & J Ln` lacks it in a street's key, and `Oak & Vine Dr` may be called Oak
 * and Vine Drive. None where a street's type precedes it.
 */
function namesJoinedAt(words: readonly string[], at: number): (readonly string[])[] {
  const [one, other] = [words.slice(0, at), words.slice(at + 1)];
  if (at === 0 || other.length === 0) return [];
  if (one.some((word, index) => index > 0 && isStreetType(word))) return [];
  const whole = [...one, ...other];
  const name = whole.slice(0, endOfStreet(whole));
  return name.length > at ? [name, name.toSpliced(at, 0, 'AND')] : [];
}

/** Whether an `&` joins two letters before a street's type: `J & J Ln` is not a house in J Street. */
const areInitialsAt = (words: readonly string[], at: number): boolean =>
  at === 1 && isLetter(words[0] ?? '') && isLetter(words[2] ?? '') && isStreetType(words[3] ?? '');

const BESIDE_BEGINS = new Set(['AT', 'ON', 'THE', 'CORNER', 'COR', 'BETWEEN', 'BTWN']);
const BESIDE = /^(?:(?:AT |ON )?(?:THE )?COR(?:NER)? OF|(?:BETWEEN|BTWN) .+ (?:AND|&)) /;

function isBesideStreet(words: readonly string[], at: number): boolean {
  return BESIDE_BEGINS.has(words[at] ?? '') && BESIDE.test(words.slice(at).join(' '));
}

/** The possible readings of a street's words after the number as written; the likeliest first. */
function waysToRead(number: string, street: readonly string[]): (readonly string[])[] {
  const directed = withWholeDirections(street);
  if (directed) return [...waysToRead(number, directed), street];
  const [first = ''] = street;
  const glued = isDigitAt(number, number.length - 1) ? undefined : GLUED_DIRECTION.exec(number)?.[1];
  // `150N Main St` lacks a space, and so does `150N South St`; the letter may also belong to the number.
  const isName = !isDirection(first) || (street.length === 2 && isStreetType(street[1] ?? ''));
  if (glued !== undefined && isName) return [[glued, ...street], street];
  // `123 A Main St` is number 123A, unless it is A Street.
  const hasLetter = isLetter(first) && !isDirection(first) && street.length > 2;
  if (hasLetter) return [street, street.slice(1)];
  // `7th St North West`, but `S West Temple` is a street's name.
  for (let at = 0; at + 1 < street.length; at++) {
    const direction = directionOfTwo(street[at] ?? '', street[at + 1] ?? '');
    if (direction !== undefined) return [street, [...street.slice(0, at), direction, ...street.slice(at + 2)]];
  }
  return [street];
}

/** Whether words can be a street. Digits alone are a telephone number's, unless they are few: `12 5` may lack its `Rd`. */
function mayBeStreet(words: readonly string[]): boolean {
  const [first = ''] = words;
  return words.some(hasLetter) || (words.length === 1 && first.length <= MAX_FIGURES);
}
