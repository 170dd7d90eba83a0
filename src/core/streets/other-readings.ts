import { isDigitAt } from '../digits.js';
import { otherCardinal } from './cardinals.js';
import { isBesideHighway, readHighway, withoutStateName } from './highways.js';
import { ordinalFigures } from './ordinals.js';
import {
  directionCode,
  isDirection,
  splitOffDirection,
  splitOffDirectionAtEnd,
  splitOffLetter,
  wholeDirection,
} from './street-directions.js';
import { ARTICLE, parseStreetName, type Reading, type StreetName } from './street-name.js';
import { isPlainType, isStreetEnd, isStreetType, splitOffShortType, splitOffType, streetType } from './street-types.js';

const WITHOUT_DIRECTIONS: Reading = { directions: false, type: true };
const UNUSUAL: readonly Reading[] = [
  { directions: true, type: false },
  WITHOUT_DIRECTIONS,
  { directions: false, type: false },
];

/**
 * The readings to try besides the usual one. The last word of a street that exists is its type: `112th St E` is not 112th
 * Street Court E. Otherwise it may belong to a name whose type is left out: `Edenton Road` for Edenton Road Street.
 */
const unusualOf = ({ type }: StreetName, isThere: boolean): readonly Reading[] =>
  isThere && isStreetEnd(type) ? [WITHOUT_DIRECTIONS] : UNUSUAL;

/**
 * Other readings of a street's words: `Perrys Bridge` may lack its `Rd`, `Nw Hope Rd` an `e`, `Lakeview` a space, and `8
 * Mile Rd` may be Eight Mile. Only readings whose name differs from the usual one's and, for a street that exists as
 * written, only those that read its type as a type.
 */
export function otherReadings(words: readonly string[], usual: StreetName, isThere = false): StreetName[] {
  const isPlain = usual.type === '' && usual.before + usual.after === 0;
  const readings = isPlain ? [] : unusualOf(usual, isThere).flatMap((reading) => parseStreetName(words, reading) ?? []);
  const others: (readonly string[])[] = [
    ...spacedReadings(words, usual),
    ...shortStreetReadings(words),
    ...rewordedReadings(words),
    ...ofTheReadings(words),
    ...frontageReadings(words),
    ...statelessReadings(words),
    ...gridReadings(words, usual),
  ];
  readings.push(...others.flatMap((other) => parseStreetName(other) ?? []));
  return readings.filter(({ key }, at) => key !== usual.key && readings.findIndex((other) => other.key === key) === at);
}

/**
 * The street if its first word lacks a space after a direction's letter: `NMain St`, `E38th St`; undefined if no letter
 * can be split off.
 */
export function withLetterApart([first = '', ...rest]: readonly string[]): StreetName | undefined {
  const words = splitOffLetter(first);
  return words && parseStreetName([...words, ...rest]);
}

/**
 * `W South` as W South Street, whose type is missing; usually read as West Street S. Undefined unless the street is a
 * direction and one that is a name.
 */
export function withDirectionAsName(words: readonly string[]): StreetName | undefined {
  const [before = 0, name = 0] = words.length === 2 ? words.map(directionCode) : [];
  return before > 0 && name > 0 ? { before, after: 0, type: '', key: wholeDirection(name) } : undefined;
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
  const isOfHighway = isDigitAt(apart[0], 0) && readHighway(spaced)?.words === words.length;
  return isOfGrid || isOfHighway || isPlainType(streetType(apart[0]) ?? '') ? parseStreetName(spaced) : undefined;
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

/** The street with `The` before its name added or removed, as people often leave it out: `Alameda` for `The Alameda`. */
export function withOtherArticle(words: readonly string[]): StreetName | undefined {
  return parseStreetName(words[0] === ARTICLE ? words.slice(1) : [ARTICLE, ...words]);
}

/** `Main Street Extension` as `Main St Extension`, since `St` within a name is compared as `Saint`. */
function shortStreetReadings(words: readonly string[]): string[][] {
  const at = words.indexOf('STREET');
  return at < 0 || at === words.length - 1 ? [] : [words.map((word, index) => (index === at ? 'ST' : word))];
}

/**
 * `Riverside Drive Dr` with its type only once; lists that were put together from columns have it twice. Undefined for
 * other names.
 */
export function withTypeOnce(words: readonly string[], { type }: StreetName): StreetName | undefined {
  if (type === '') return undefined;
  const isType = (at: number): boolean => streetType(words[at] ?? '') === type;
  const at = words.findIndex((_, index) => index > 1 && isType(index) && isType(index - 1));
  return at < 0 ? undefined : parseStreetName(words.toSpliced(at, 1));
}

/**
 * Words with another spelling, and what people abbreviate otherwise than the Postal Service. Within a name `Dr` is compared
 * as `Drive`; `I St` is also written `Eye St`.
 */
const REWORDED: ReadonlyMap<string, string> = new Map([
  ['MT', 'MTN'],
  ['EYE', 'I'],
  ['DOCTOR', 'DR'],
  ['STA', 'SANTA'],
  ...['CR', 'CK'].map((word) => [word, 'CREEK'] as const),
  ...['HW', 'HGWY', 'HIGWAY'].map((word) => [word, 'HWY'] as const),
  ['CH', 'CHURCH'],
  ['BRDG', 'BRIDGE'],
  ['LDG', 'LANDING'],
  ['SPR', 'SPRING'],
  ['SPRS', 'SPRINGS'],
  ['ISL', 'ISLAND'],
  ['RR', 'RAILROAD'],
  ...['CO', 'CNTY', 'CTY'].map((word) => [word, 'COUNTY'] as const),
]);

/**
 * The words with the other spelling of each that has one: `Four Mile Rd` as `4 Mile Rd` and vice versa, `Green Mt Rd` as
 * `Green Mtn Rd`.
 */
function rewordedReadings(words: readonly string[]): string[][] {
  const reworded = words.map((word, at) => otherCardinalAt(words, at) ?? REWORDED.get(word) ?? word);
  return reworded.some((word, at) => word !== words[at]) ? [reworded] : [];
}

/** Undefined for the whole name, too: the key of `Two Ave` in digits would be that of 2nd Avenue. */
function otherCardinalAt(words: readonly string[], at: number): string | undefined {
  const word = words[at] ?? '';
  const isWholeName = at === 0 && (words.length === 1 || isStreetType(words[1] ?? ''));
  return isWholeName && !isDigitAt(word, 0) ? undefined : otherCardinal(word);
}

/** `Avenue of Americas` for `Avenue of the Americas`, and vice versa. */
function ofTheReadings(words: readonly string[]): string[][] {
  const at = words.indexOf('OF') + 1;
  if (at < 2) return [];
  return [words[at] === ARTICLE ? words.toSpliced(at, 1) : words.toSpliced(at, 0, ARTICLE)];
}

/** `I-35 Frontage` as `I-35 Frontage Rd`: what follows a highway's number is no street type, and cannot be missing. */
const frontageReadings = (words: readonly string[]): string[][] =>
  isBesideHighway(words.at(-1) ?? '') ? [[...words, 'RD']] : [];

/** `NC State Hwy 37` as `State Hwy 37`. */
function statelessReadings(words: readonly string[]): (readonly string[])[] {
  const highway = withoutStateName(words);
  return highway ? [highway] : [];
}

/** `E 4th South` in a street grid that counts in hundreds, where it is E 400 S. */
function gridReadings(words: readonly string[], { type, after, key }: StreetName): string[][] {
  const isOfGrid = type === '' && after > 0 && /^\d{1,2}$/.test(key);
  return isOfGrid ? [words.map((word) => (ordinalFigures(word) === key ? `${key}00` : word))] : [];
}

/** `STMARYS`, `MTVERNON`, `FTWORTH`, and many other words. */
const SAINT_AT_BEGIN = /^(ST|MT|FT)([A-Z]{3,})$/;

/**
 * The words with a street type, a direction or a saint split off that is written together with the name: `Lakeview`,
 * `Northwood Rd`, `Stmarys Pl`.
 */
function spacedReadings(words: readonly string[], { type, before, after }: StreetName): string[][] {
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const typed = type === '' && after === 0 ? splitOffType(last) : undefined;
  const directed = before === 0 ? splitOffDirection(first) : undefined;
  const at = before === 0 ? 0 : 1;
  const [, saint, name] = SAINT_AT_BEGIN.exec(words[at] ?? '') ?? [];
  return [
    ...(saint && name ? [words.toSpliced(at, 1, saint, name)] : []),
    ...(typed ? [[...words.slice(0, -1), ...typed]] : []),
    ...(directed ? [[...directed, ...words.slice(1)]] : []),
  ];
}
