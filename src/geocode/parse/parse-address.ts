import { type HouseNumber, parseHouseNumber } from '../../core/house-number.js';
import { isOrdinalFigure } from '../../core/ordinals.js';
import { directionCode } from '../../core/street-directions.js';
import { type Ending, readEndings } from './ending.js';
import { splitAtCommas, type Tokens, tokenize } from './tokens.js';
import { isUnit, takeUnit } from './units.js';
import { boxBegins, isBox, isMilitary } from './unplaceable.js';

/** Where a street is looked for. */
export interface Whereabouts {
  readonly zip: number | undefined;
  /** Two digits. */
  readonly stateFips: string | undefined;
  /** What is set off by a comma; empty where nothing is. */
  readonly city: readonly string[];
}

/** What an address may mean: a number and a street, with or without the city behind it. */
export interface AddressReading extends Whereabouts {
  readonly number: HouseNumber;
  /** The street's words and, where `city` is empty, perhaps the city's. Not empty. */
  readonly words: readonly string[];
}

/** Two streets that meet. */
export interface CrossingReading extends Whereabouts {
  readonly streets: readonly [readonly string[], readonly string[]];
}

/** What an address was read as; readings are in order of likelihood. */
export type ParsedAddress =
  | { readonly kind: 'address'; readonly readings: readonly AddressReading[] }
  | { readonly kind: 'crossing'; readonly readings: readonly CrossingReading[] }
  /** A post office box or the like: it names no place on the ground. */
  | { readonly kind: 'unplaceable' }
  | { readonly kind: 'nothing' };

/**
 * Reads an address as people write it: commas or none, any case, units, fractions, with or without ZIP, ZIP+4, state,
 * country, and names before the number. O(length).
 */
export function parseAddress(text: string): ParsedAddress {
  const tokens = tokenize(text);
  if (isMilitary(tokens)) return { kind: 'unplaceable' };
  const addresses: AddressReading[] = [];
  const crossings: CrossingReading[] = [];
  let hasBox = false;
  for (const ending of readEndings(tokens)) {
    const all = splitAtCommas(ending.body);
    const parts = all.filter((part) => !isBox(part));
    hasBox ||= parts.length < all.length;
    const begin = parts.findIndex((part) => readNumber(part) !== undefined);
    if (begin >= 0 && begin <= MAX_NAMES_BEFORE) addresses.push(...readAddress(parts.slice(begin), ending));
    else if (parts[0]) crossings.push(...readCrossing(parts[0], parts.slice(1), ending));
  }
  if (addresses.length > 0) return { kind: 'address', readings: addresses };
  if (crossings.length > 0) return { kind: 'crossing', readings: crossings };
  return { kind: hasBox ? 'unplaceable' : 'nothing' };
}

/** A person's or a building's name may stand before the number. */
const MAX_NAMES_BEFORE = 2;

const FRACTION = /^\d\/\d{1,2}$/;

interface NumberRead {
  readonly number: HouseNumber;
  /** How many words it takes. */
  readonly length: number;
}

/** The house number that a part begins with, where something follows it; a unit may stand before it. */
function readNumber(part: readonly string[]): NumberRead | undefined {
  const skipped = unitBefore(part);
  const first = part[skipped] ?? '';
  const number = isOrdinalFigure(first) ? undefined : parseHouseNumber(first);
  if (!number || part[skipped + 1] === '&') return undefined;
  const length = skipped + (FRACTION.test(part[skipped + 1] ?? '') ? 2 : 1);
  return length < part.length ? { number, length } : undefined;
}

/** How many words of a unit a part begins with: `APT 4B 123 MAIN ST`, `# 12 123 MAIN ST`. */
function unitBefore(part: readonly string[]): number {
  if (part.length < 4 || !isUnit(part.slice(0, 2))) return 0;
  return parseHouseNumber(part[2] ?? '') && !isOrdinalFigure(part[0] ?? '') ? 2 : 0;
}

function readAddress([part = [], ...others]: readonly string[][], ending: Ending): AddressReading[] {
  const read = readNumber(part);
  if (!read) return [];
  const line = part.slice(read.length, boxBegins(part));
  const { before, after } = takeUnit(line);
  const words = splitHyphens(before.filter((word) => word !== '#'));
  const crossing = words.indexOf('&');
  const street = crossing < 0 ? words : words.slice(0, crossing);
  if (street.length === 0) return [];
  const city = after.length > 0 ? after : cityOf(others);
  const whole = { number: read.number, words: street, city: splitHyphens(city), ...whereabouts(ending) };
  const [letter = ''] = street;
  // `123 A Main St` is number 123A, unless it is A Street.
  const hasLetter = letter.length === 1 && /[A-Z]/.test(letter) && directionCode(letter) === 0 && street.length > 2;
  return hasLetter ? [whole, { ...whole, words: street.slice(1) }] : [whole];
}

const whereabouts = ({ zip, stateFips }: Ending): Pick<Whereabouts, 'zip' | 'stateFips'> => ({ zip, stateFips });

/** The last part that is no unit. */
function cityOf(parts: readonly string[][]): readonly string[] {
  const city = parts.findLast((part) => !isUnit(part)) ?? [];
  return takeUnit(city).before.filter((word) => word !== '#' && word !== '&');
}

function readCrossing(first: readonly string[], others: readonly string[][], ending: Ending): CrossingReading[] {
  const words = splitHyphens(
    first.flatMap((word) => (word.includes('/') ? word.replace('/', ' & ').split(' ') : [word])),
  );
  const at = words.findIndex((word, index) => index > 0 && (word === '&' || word === 'AND' || word === 'AT'));
  const [one, two] = [words.slice(0, Math.max(0, at)), words.slice(at + 1)];
  if (at < 1 || two.length === 0) return [];
  return [{ streets: [one, two], city: splitHyphens(cityOf(others)), ...whereabouts(ending) }];
}

/** Hyphens and slashes within names divide words: `Dempsey-White`, `CR-5`. */
function splitHyphens(words: Tokens): string[] {
  return words.some((word) => word.includes('-') || word.includes('/'))
    ? words.flatMap((word) => word.split(/[-/]/))
    : [...words];
}
