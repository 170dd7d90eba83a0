import { type Ending, readEndings } from './ending.js';
import {
  type FoundNumber,
  findNumber,
  findNumberBefore,
  findNumberBehindUnit,
  findNumberOfNumbered,
  findNumberWord,
  withFigures,
  withFiguresAtBegin,
  withLettersApart,
  withNumberOnce,
} from './find-number.js';
import { findGridNumber, findNumberBehindDirection, joinPieces } from './grid-number.js';
import { joinParts } from './join-parts.js';
import { mend } from './mend.js';
import { findFurtherNumbers, findNumberBehindNumbered, findOtherNumber } from './other-number.js';
import { readCrossings } from './read-crossing.js';
import { readStreet } from './read-street.js';
import type { AddressReading, CrossingReading, ParsedAddress } from './readings.js';
import { firstOfRepeated, withStreetOnce } from './repeated.js';
import { splitAtCommas, tokenize } from './tokens.js';
import { isUnit, takeUnit } from './units.js';
import { aroundBox, boxAt, isMilitary, withoutBoxes } from './unplaceable.js';

/**
 * Reads an address as people write it: with or without commas, in any case, with units, fractions, ZIP, ZIP+4, state and
 * country or without, with names before the number and telephone numbers at the end. O(length).
 */
export function parseAddress(text: string): ParsedAddress {
  const tokens = firstOfRepeated(withStreetOnce(mend(tokenize(text))));
  if (!tokens) return { kind: 'nothing', isSeveral: true, otherwise: () => [] };
  if (isMilitary(tokens)) return { kind: 'unplaceable', otherwise: () => [] };
  const seen = readEndings(tokens).map(lookBefore);
  const otherwise = () => readAll(seen, readOtherwise);
  const readings = readAll(seen, readFound);
  if (readings.length > 0) return { kind: 'address', readings, elsewhere: readAll(seen, readElsewhere), otherwise };
  // `Smith & Jones, PO Box 12` is no crossing.
  if (seen.some(hasBox)) return { kind: 'unplaceable', otherwise };
  const crossings = readAll(seen, (one) => one.crossings);
  if (crossings.length > 0) return { kind: 'crossing', readings: crossings, otherwise };
  const inWords = readAll(seen, readInWords);
  return inWords.length > 0
    ? { kind: 'address', readings: inWords, elsewhere: readAll(seen, readElsewhere), otherwise }
    : { kind: 'nothing', otherwise };
}

/** What precedes an ending, and what was found in it. */
interface Seen {
  readonly ending: Ending;
  readonly all: readonly string[][];
  /** Without boxes; the same list if there are none. */
  readonly parts: readonly string[][];
  /** The house number in digits that is likeliest meant. */
  readonly found: FoundNumber | undefined;
  /** None if there is a house number. */
  readonly crossings: readonly CrossingReading[];
}

function lookBefore(ending: Ending): Seen {
  const all = joinParts(splitAtCommas(ending.body));
  const parts = withoutBoxes(all);
  const plain = findNumber(parts);
  // `W 34 St & 8 Ave` is a crossing, and W34 no house number.
  const crossings = plain ? [] : readCrossings(parts, ending);
  const found = plain ?? (crossings.length > 0 ? undefined : findGridNumber(parts));
  return { ending, all, parts, found, crossings };
}

/** What is read before each ending, in their order. Most addresses have only one, and its list need not be copied. */
function readAll<Read>(seen: readonly Seen[], read: (one: Seen) => readonly Read[]): readonly Read[] {
  const [only] = seen;
  return only && seen.length === 1 ? read(only) : seen.flatMap(read);
}

const hasBox = ({ all, parts }: Seen): boolean => parts !== all || all.some((part) => boxAt(part) >= 0);

const readNumber = (found: FoundNumber | undefined, ending: Ending): AddressReading[] =>
  found ? readStreet(found, ending) : [];

const readFound = ({ found, ending }: Seen): AddressReading[] => readNumber(found, ending);

/** `One Main St` */
const readInWords = ({ parts, found, ending }: Seen): AddressReading[] =>
  readNumber(found ? undefined : findNumberWord(parts), ending);

const readElsewhere = ({ parts, found, ending }: Seen): AddressReading[] =>
  found ? numbersElsewhere(found, parts).flatMap((other) => readStreet(other, ending)) : [];

/** What the house number may be instead of the one found: the same characters read otherwise, or another number. */
function numbersElsewhere(found: FoundNumber, parts: readonly string[][]): FoundNumber[] {
  const first = findNumberOfNumbered(parts);
  const numbers = [
    // `28O Main St`
    withFigures(found),
    // `120-E Main St`
    withLettersApart(found),
    // `37 18 75th St`
    joinPieces(found),
    // `#150 3 Mile Rd`
    first?.word === found.word && !isUnit(found.rest) ? undefined : first,
    // `#4-123 Main St`
    findNumberBehindUnit(parts.slice(0, parts.length - found.others.length)),
    // `388, 390 Main St`
    findNumberBefore(parts, found),
    // `150 150 Main St`
    withNumberOnce(found),
    // `100 Main Place, 750 Oak St`
    ...findFurtherNumbers([[...takeUnit(found.rest).after], ...found.others]),
  ];
  return numbers.flatMap((number) => number ?? []);
}

/**
 * The readings for when no other one matches: `Jane Sample 12 Main St` without the name, `I50 Main St` as number 150, `S 150
 * Main St` on S Main Street.
 */
function readOtherwise({ parts: all, found, ending }: Seen): AddressReading[] {
  const parts = found ? all : all.flatMap(aroundBox);
  const other = findOtherNumber(parts);
  const directed = readNumber(findNumberBehindDirection(parts), ending);
  return [
    ...(!found || found.word === other?.word ? readNumber(other, ending) : []),
    ...readNumber(found ? withFiguresAtBegin(found) : findNumberBehindNumbered(parts), ending),
    ...directed.map((reading): AddressReading => ({ ...reading, isDirectionFirst: true })),
  ];
}
