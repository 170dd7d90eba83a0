import { isDigitAt } from '../../core/digits.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { areInitialsAt, endOfStreet, namesJoinedAt } from './end-of-street.js';
import type { Ending } from './ending.js';
import type { FoundNumber } from './find-number.js';
import { placesBetween } from './places-between.js';
import type { AddressReading } from './readings.js';
import { splitHyphens } from './tokens.js';
import { cityOf, mayBePartAtBegin, takeUnit, unitAtBegin } from './units.js';
import { aroundBox, boxAt } from './unplaceable.js';
import { waysToRead } from './ways-to-read.js';
import { withWholeDirections } from './whole-directions.js';
import { hasDigit, hasLetter, isLetter } from './words.js';

/**
 * The readings of an address with a house number: the street is what follows the number, up to a unit, a box, a cross
 * street or a comma. The likeliest reading comes first. None if what follows the number can be no street.
 */
export function readStreet({ number, word, rest, others }: FoundNumber, ending: Ending): AddressReading[] {
  const { zip, stateFips } = ending;
  const { words, behindUnit, mayBeginWithPart } = withoutBoxAndUnits(rest);
  const end = endOfStreet(words);
  const street = end < words.length ? words.slice(0, end) : words;
  if (!mayBeStreet(street)) return [];
  const city = cityBehind(behindUnit, others);
  const between = placesBetween(street, behindUnit, others, stateFips);
  const where = { city, zip, stateFips, between, ...(ending.isPlaceFirst && { isPlaceFirst: ending.isPlaceFirst }) };
  const ways = waysToRead(word, street);
  if (mayBeginWithPart) ways.push(street.slice(1));
  const numberWord = hasDigit(word) ? undefined : word;
  const plain = ways.map((way): AddressReading => ({ number, numberWord, words: way, ...where }));
  const readings = isDirection(street.at(-1) ?? '') ? plain : [...plain.flatMap(withDirectionOfCity), ...plain];
  if (words[end] !== '&') return readings;
  const joined = namesJoinedAt(words, end).map(
    (name): AddressReading => ({ number, numberWord, words: name, ...where, onlyAsWritten: true }),
  );
  return areInitialsAt(words, end) ? joined : [...joined, ...readings];
}

const QUADRANTS = new Set(['NE', 'NW', 'SE', 'SW']);

/** `150 M St, NW Washington` as `150 M St NW, Washington`; none if the city begins with no such direction. */
function withDirectionOfCity(reading: AddressReading): AddressReading[] {
  const [direction = '', ...city] = reading.city;
  if (city.length === 0 || !QUADRANTS.has(direction)) return [];
  return [{ ...reading, words: [...reading.words, direction], city }];
}

/** What follows a house number, without boxes and units. */
interface WithoutBoxAndUnits {
  /** The street's words, perhaps with a cross street or the city behind them. */
  readonly words: readonly string[];
  /** What follows a unit or a box: usually nothing, or the city. */
  readonly behindUnit: readonly string[];
  /** Whether the first word may be a part of a building: `150 Rear Main St`. */
  readonly mayBeginWithPart: boolean;
}

function withoutBoxAndUnits(rest: readonly string[]): WithoutBoxAndUnits {
  // `150 Apt 1 Main St`
  const skipped = unitAtBegin(rest);
  // `150 Main St PO Box 12`
  const box = boxAt(rest);
  const kept = box < 0 && skipped === 0 ? rest : rest.slice(skipped, box < 0 ? undefined : box);
  // `150 Main St Apt 3 Boston`
  const { before, after } = takeUnit(kept);
  // `150 Main St PO Box 12 Boston`
  const behindBox = box > 0 ? aroundBox(rest)[1] : undefined;
  const words = splitHyphens(before.includes('#') ? before.filter((word) => word !== '#') : before);
  return { words, behindUnit: behindBox ?? after, mayBeginWithPart: skipped === 0 && mayBePartAtBegin(rest) };
}

/** What may be left of a unit behind its number: `Apt 5 C`, `Unit 1 East`, `Rm 12 Bed A`, `1st Floor Left`, `Apt 2 Fl`. */
const OF_UNIT = new Set('BED EAST FL FLOOR FRONT LEFT NORTH REAR RIGHT SOUTH WEST'.split(' '));
const isOfUnit = (word: string): boolean => isLetter(word) || OF_UNIT.has(word);

/**
 * The city behind a street: what follows the unit, or one of the parts behind a comma. `150 Main St Apt 3 12 Elm St, Boston`
 * has a second address behind the unit, and no city there; nor has `150 Main St Apt 5 C, Boston`. `150 M St Apt 3 NW,
 * Washington` is as `150 M St, NW Washington`.
 */
function cityBehind(behindUnit: readonly string[], others: readonly string[][]): readonly string[] {
  const apart = cityOf(others);
  const isCity = behindUnit.length > 0 && !isDigitAt(behindUnit[0] ?? '', 0);
  const isApart = !isCity || (apart.length > 0 && behindUnit.every(isOfUnit));
  const isDirected = behindUnit.length === 1 && QUADRANTS.has(behindUnit[0] ?? '');
  const city = splitHyphens(isApart ? apart : isDirected ? [...behindUnit, ...apart] : behindUnit);
  return withWholeDirections(city) ?? city;
}

const MAX_FIGURES = 3;

/** Whether words can be a street. Digits alone are a telephone number's, unless they are few: `12 5` may lack its `Rd`. */
function mayBeStreet(words: readonly string[]): boolean {
  const [first = ''] = words;
  return words.some(hasLetter) || (words.length === 1 && first.length <= MAX_FIGURES);
}
