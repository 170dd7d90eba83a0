import { isDigitAt } from '../digits.js';
import { readHighway } from './highways.js';
import { isDirection, splitOffDirectionAtEnd, splitOffLetter } from './street-directions.js';
import { parseStreetName, type StreetName } from './street-name.js';
import { isPlainType, isStreetType, splitOffShortType, streetType } from './street-types.js';

// Streets of which a space is missing, or is beside its place. What is taken for that may as well be a name of its own, so
// that these are guesses, unlike other readings.

/**
 * The street if its first word lacks a space after a direction's letter: `NMain St`, `E38th St`; undefined if no letter
 * can be split off.
 */
export function withLetterApart([first = '', ...rest]: readonly string[]): StreetName | undefined {
  const words = splitOffLetter(first);
  return words && parseStreetName([...words, ...rest]);
}

/** The position at which a street's type stands, if it has one: the last word, or the one before a direction at the end. */
export function placeOfType(words: readonly string[]): number {
  const isDirected = words.length > 1 && isDirection(words.at(-1) ?? '');
  return words.length - (isDirected ? 2 : 1);
}

/**
 * The street if a space is missing before its type's abbreviation: `Howellst`, `Howellst W`; undefined if no type can be
 * split off.
 */
export function withShortTypeApart(words: readonly string[]): StreetName | undefined {
  const at = placeOfType(words);
  const apart = splitOffShortType(words[at] ?? '');
  return apart && parseStreetName(words.toSpliced(at, 1, ...apart));
}

/** `200W` of a street grid. */
const COORDINATE = /^\d{3,}$/;

/**
 * The street if a space is missing before the direction at its end: `Main StW`, `S 200W`, `US Hwy 12E`; undefined if no
 * direction can be split off a street type, a number of a street grid or a highway's.
 */
export function withEndDirectionApart(words: readonly string[]): StreetName | undefined {
  const apart = words.length > 1 ? splitOffDirectionAtEnd(words.at(-1) ?? '') : undefined;
  if (!apart) return undefined;
  const spaced = [...words.slice(0, -1), ...apart];
  const isOfGrid = words.length === 2 && isDirection(words[0] ?? '') && COORDINATE.test(apart[0]);
  // `N County Rd 300W`
  const highway = isDirection(words[0] ?? '') ? spaced.slice(1) : spaced;
  const isOfHighway = isDigitAt(apart[0], 0) && readHighway(highway)?.words === highway.length - 1;
  return isOfGrid || isOfHighway || isPlainType(streetType(apart[0]) ?? '') ? parseStreetName(spaced) : undefined;
}

const DIGITS = /^\d+$/;

/** `State Rte 9 N` as State Route 9N, which is not State Route 9 going north; undefined for other words. */
export function withHighwayLetterJoined(words: readonly string[]): StreetName | undefined {
  const [number = '', letter = ''] = words.slice(-2);
  if (letter.length !== 1 || !isDirection(letter) || !DIGITS.test(number)) return undefined;
  const joined = [...words.slice(0, -2), number + letter];
  return readHighway(joined)?.words === joined.length ? parseStreetName(joined) : undefined;
}

/**
 * The street if the space before its type is one letter too early or too late: `Mai nSt`, `Mainb lvd`, `Mains t W`; the
 * possible readings.
 */
export function withSpaceMoved(words: readonly string[]): StreetName[] {
  const at = placeOfType(words);
  const [name = '', type = ''] = [words[at - 1], words[at]];
  if (name.length < 2 || isStreetType(type) || isDirection(type)) return [];
  const moved = [
    [name + type.charAt(0), type.slice(1)],
    [name.slice(0, -1), name.slice(-1) + type],
  ];
  return moved
    .filter(([, end = '']) => isPlainType(streetType(end) ?? ''))
    .flatMap((both) => parseStreetName(words.toSpliced(at - 1, 2, ...both)) ?? []);
}
