import { otherCardinal } from './cardinals.js';
import { plainWords } from './fold-text.js';
import { afterHighway, readHighway } from './highways.js';
import { honouredName } from './honoured-names.js';
import { ordinalFigures, ordinalOfTwo } from './ordinals.js';
import { DIRECTIONS, directionCode, splitOffDirection, splitOffLetter, wholeDirection } from './street-directions.js';
import { isStreetEnd, splitOffType, streetType, wholeWord } from './street-types.js';

/** A street's name in its parts, as names are compared. */
export interface StreetName {
  /** Direction before the name, and after it: codes of `DIRECTIONS`. */
  readonly before: number;
  readonly after: number;
  /** The name itself, of letters A–Z and digits alone: whole words without spaces, ordinals in figures. Never empty. */
  readonly key: string;
  /** Standard abbreviation; empty where the name has none. */
  readonly type: string;
}

const ARTICLE = 'THE';

/** Words of which none is a street; bounds what one name costs. */
export const MAX_STREET_WORDS = 10;

/** Which words at a name's ends are taken for directions and for the kind of street. */
export interface Reading {
  readonly directions: boolean;
  readonly type: boolean;
}

const USUAL: Reading = { directions: true, type: true };

/**
 * Takes a street's name apart: `N Samplewood Ave`, `north samplewood avenue` and `n. sample wood av` have the same parts.
 * Undefined for no words at all. O(words).
 */
export function parseStreetName(words: readonly string[], reading: Reading = USUAL): StreetName | undefined {
  let end = Math.min(words.length, MAX_STREET_WORDS);
  if (end === 0) return undefined;
  if (reading.directions && reading.type) {
    const highway = parseHighway(words, end);
    if (highway) return highway;
  }
  const before = reading.directions && end > 1 ? directionCode(words[0] ?? '') : 0;
  const after = reading.directions && end > 1 ? directionCode(words[end - 1] ?? '') : 0;
  if (after > 0) end--;
  // `The` is no name by itself: `The Plaza` and `The Circle` would be one street's, of two kinds.
  const isTyped = reading.type && end > (words[0] === ARTICLE ? 2 : 1);
  const type = isTyped ? (streetType(words[end - 1] ?? '') ?? '') : '';
  if (type !== '') end--;
  const keepsBefore = before > 0 && end > 1;
  return {
    before: keepsBefore ? before : 0,
    after,
    type,
    key: keyOf(words.slice(keepsBefore ? 1 : 0, end), reading.directions),
  };
}

/**
 * A street's words as they are spelled, directions and kinds of street abbreviated: streets of one name and kind can
 * differ in a space, `Stud Horse Rd` and `Studhorse Rd`.
 */
export function spellingOf(words: readonly string[]): string {
  return words.map((word) => streetType(word) ?? (DIRECTIONS[directionCode(word)] || word)).join(' ');
}

/** A highway's letter may look like a direction, so it is read before these are. */
function parseHighway(words: readonly string[], end: number): StreetName | undefined {
  const plain = readHighway(words);
  if (plain) return withDirections(plain.name, words.slice(plain.words, end), 0);
  const before = end > 1 ? directionCode(words[0] ?? '') : 0;
  const directed = before > 0 ? readHighway(words.slice(1)) : undefined;
  return directed && withDirections(directed.name, words.slice(1 + directed.words, end), before);
}

const WITHOUT_DIRECTIONS: Reading = { directions: false, type: true };
const UNUSUAL: readonly Reading[] = [
  { directions: true, type: false },
  WITHOUT_DIRECTIONS,
  { directions: false, type: false },
];

/**
 * What ends a street that is there is its kind: `112th St E` is not 112th Street Court E. Else it may be of a name whose
 * kind is left out: `Edenton Road` of Edenton Road Street.
 */
const unusualOf = ({ type }: StreetName, isThere: boolean): readonly Reading[] =>
  isThere && isStreetEnd(type) ? [WITHOUT_DIRECTIONS] : UNUSUAL;

/**
 * What else a street's words may be: `Perrys Bridge` may lack its `Rd`, `Nw Hope Rd` an `e`, `Lakeview` a space, and `8 Mile
 * Rd` may be Eight Mile. Only those that give another name than the usual reading, and of a street that is there as it is
 * written, only those that take its kind for one.
 */
export function otherReadings(words: readonly string[], usual: StreetName, isThere = false): StreetName[] {
  const isPlain = usual.type === '' && usual.before + usual.after === 0;
  const readings = isPlain ? [] : unusualOf(usual, isThere).flatMap((reading) => parseStreetName(words, reading) ?? []);
  const others = [
    ...spacedReadings(words, usual),
    ...shortStreetReadings(words),
    ...rewordedReadings(words),
    ...ofTheReadings(words),
    ...gridReadings(words, usual),
  ];
  readings.push(...others.flatMap((other) => parseStreetName(other) ?? []));
  return readings.filter(({ key }, at) => key !== usual.key && readings.findIndex((other) => other.key === key) === at);
}

/**
 * The street whose first word lacks a space behind a direction's letter: `NMain St`, `E38th St`; undefined where none
 * can.
 */
export function withLetterApart([first = '', ...rest]: readonly string[]): StreetName | undefined {
  const words = splitOffLetter(first);
  return words && parseStreetName([...words, ...rest]);
}

/** The street with `The` before its name, or without it, which is left out as often as not: `Alameda` for `The Alameda`. */
export function withOtherArticle(words: readonly string[]): StreetName | undefined {
  return parseStreetName(words[0] === ARTICLE ? words.slice(1) : [ARTICLE, ...words]);
}

/** `Main Street Extension` as `Main St Extension`: within a name `St` is compared as `Saint`. */
function shortStreetReadings(words: readonly string[]): string[][] {
  const at = words.indexOf('STREET');
  return at < 0 || at === words.length - 1 ? [] : [words.map((word, index) => (index === at ? 'ST' : word))];
}

/**
 * `Riverside Drive Dr` with its kind once, as lists come to have it that were put together of columns; undefined for
 * others.
 */
export function withTypeOnce(words: readonly string[], { type }: StreetName): StreetName | undefined {
  if (type === '') return undefined;
  const isType = (at: number): boolean => streetType(words[at] ?? '') === type;
  const at = words.findIndex((_, index) => index > 1 && isType(index) && isType(index - 1));
  return at < 0 ? undefined : parseStreetName(words.toSpliced(at, 1));
}

/** Words that are written otherwise. Within a name `Dr` is compared as `Drive`; `I St` is said, and written, `Eye St`. */
const REWORDED: ReadonlyMap<string, string> = new Map([
  ['MT', 'MTN'],
  ['EYE', 'I'],
  ['DOCTOR', 'DR'],
  ['STA', 'SANTA'],
]);

/**
 * The words that can be written otherwise so written: `Four Mile Rd` as `4 Mile Rd` and back, `Green Mt Rd` as `Green
 * Mtn Rd`.
 */
function rewordedReadings(words: readonly string[]): string[][] {
  const reworded = words.map((word) => otherCardinal(word) ?? REWORDED.get(word) ?? word);
  return reworded.some((word, at) => word !== words[at]) ? [reworded] : [];
}

/** `Avenue of Americas` for `Avenue of the Americas`, and back. */
function ofTheReadings(words: readonly string[]): string[][] {
  const at = words.indexOf('OF') + 1;
  if (at < 2) return [];
  return [words[at] === ARTICLE ? words.toSpliced(at, 1) : words.toSpliced(at, 0, ARTICLE)];
}

/** `E 4th South` of a grid by the hundreds, which is E 400 S. */
function gridReadings(words: readonly string[], { type, after, key }: StreetName): string[][] {
  const isOfGrid = type === '' && after > 0 && /^\d{1,2}$/.test(key);
  return isOfGrid ? [words.map((word) => (ordinalFigures(word) === key ? `${key}00` : word))] : [];
}

/**
 * The words with a kind of street or a direction set apart that is written together with the name: `Lakeview`,
 * `Northwood Rd`.
 */
function spacedReadings(words: readonly string[], { type, before, after }: StreetName): string[][] {
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const typed = type === '' && after === 0 ? splitOffType(last) : undefined;
  const directed = before === 0 ? splitOffDirection(first) : undefined;
  return [
    ...(typed ? [[...words.slice(0, -1), ...typed]] : []),
    ...(directed ? [[...directed, ...words.slice(1)]] : []),
  ];
}

/** As {@link parseStreetName}, of a name as it is written. */
export function parseStreetText(text: string): StreetName | undefined {
  return parseStreetName(plainWords(text));
}

/** What follows a highway's number: a direction, or more of its name (`BUS`). */
function withDirections(name: string, rest: readonly string[], before: number): StreetName {
  const after = directionCode(rest.at(-1) ?? '');
  const more = after > 0 ? rest.slice(0, -1) : rest;
  return { before, after, type: '', key: name + afterHighway(more) };
}

/** `wholeDirections` says whether a direction among the words is one, or letters like any others. */
function keyOf(words: readonly string[], wholeDirections: boolean): string {
  let key = '';
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const two = ordinalOfTwo(word, words[at + 1]);
    if (two !== undefined) at++;
    const direction = wholeDirections ? wholeDirection(directionCode(word)) : '';
    key += two ?? ordinalFigures(word) ?? (direction || wholeWord(word));
  }
  return honouredName(key);
}

/** What is written for a city whose name is also its state's. */
const NEW_YORK = new Set(['NY', 'NYC', 'NEWYORKCITY']);

/**
 * The form in which cities are compared: as a street's name, `St Paul` like `Saint Paul`, `W Hartford` like `West
 * Hartford`.
 */
export function cityKey(words: readonly string[]): string {
  const mayBeDirected = words.length > 1;
  const whole = words.map((word, at) => {
    const direction = at === 0 && mayBeDirected ? wholeDirection(directionCode(word)) : '';
    return direction || wholeWord(word);
  });
  const key = whole.join('');
  return NEW_YORK.has(key) ? 'NEWYORK' : key;
}
