import { directionCode } from '../../core/street-directions.js';
import { type Ending, readEndings } from './ending.js';
import { type FoundNumber, findNumber, findNumberWord } from './find-number.js';
import { findOtherNumber } from './other-number.js';
import { readCrossings } from './read-crossing.js';
import type { AddressReading, CrossingReading, ParsedAddress } from './readings.js';
import { splitAtCommas, splitHyphens, tokenize } from './tokens.js';
import { cityOf, takeUnit } from './units.js';
import { boxAt, isBox, isMilitary } from './unplaceable.js';

/**
 * Reads an address as people write it: commas or none, any case, units, fractions, with or without ZIP, ZIP+4, state,
 * country, names before the number, and telephone numbers at the end. O(length).
 */
export function parseAddress(text: string): ParsedAddress {
  const tokens = tokenize(text);
  if (isMilitary(tokens)) return { kind: 'unplaceable' };
  const addresses: AddressReading[] = [];
  const crossings: CrossingReading[] = [];
  const inWords: AddressReading[] = [];
  const otherwise: AddressReading[] = [];
  let hasBox = false;
  for (const ending of readEndings(tokens)) {
    const all = splitAtCommas(ending.body);
    const parts = all.filter((part) => !isBox(part));
    hasBox ||= parts.length < all.length || parts.some((part) => boxAt(part) >= 0);
    const found = findNumber(parts);
    addresses.push(...readAddress(found, ending));
    const other = findOtherNumber(parts);
    if (!found || found.word === other?.word) otherwise.push(...readAddress(other, ending));
    if (found) continue;
    crossings.push(...readCrossings(parts, ending));
    const spelled = findNumberWord(parts);
    inWords.push(...readAddress(spelled, ending, spelled?.word));
  }
  if (addresses.length > 0) return { kind: 'address', readings: addresses, otherwise };
  // `Smith & Jones, PO Box 12` is no crossing.
  if (hasBox) return { kind: 'unplaceable' };
  if (crossings.length > 0) return { kind: 'crossing', readings: crossings, otherwise };
  return inWords.length > 0 ? { kind: 'address', readings: inWords, otherwise } : { kind: 'nothing', otherwise };
}

const HAS_LETTER = /[A-Z]/;
const MAX_FIGURES = 3;

function readAddress(
  found: FoundNumber | undefined,
  { zip, stateFips }: Ending,
  numberWord?: string,
): AddressReading[] {
  if (!found) return [];
  const { number, rest, others } = found;
  const box = boxAt(rest);
  const { before, after } = takeUnit(box < 0 ? rest : rest.slice(0, box));
  const words = splitHyphens(before.filter((word) => word !== '#'));
  const crossing = words.indexOf('&');
  const street = crossing < 0 ? words : words.slice(0, crossing);
  if (!mayBeStreet(street)) return [];
  const city = splitHyphens(after.length > 0 ? after : cityOf(others));
  const whole = { number, numberWord, words: street, city, zip, stateFips };
  const [letter = ''] = street;
  // `123 A Main St` is number 123A, unless it is A Street.
  const hasLetter = letter.length === 1 && HAS_LETTER.test(letter) && directionCode(letter) === 0 && street.length > 2;
  return hasLetter ? [whole, { ...whole, words: street.slice(1) }] : [whole];
}

/** Figures alone are a telephone number's, but for few of them: `12 5` may lack its `Rd`. */
function mayBeStreet(words: readonly string[]): boolean {
  const [first = ''] = words;
  return words.some((word) => HAS_LETTER.test(word)) || (words.length === 1 && first.length <= MAX_FIGURES);
}
