import { plainWords } from './fold-text.js';
import { afterHighway, readHighway } from './highways.js';
import { honouredName } from './honoured-names.js';
import { ordinalFigures, ordinalOfTwo } from './ordinals.js';
import { DIRECTIONS, directionCode, wholeDirection } from './street-directions.js';
import { streetType, wholeWord, wordInFull } from './street-types.js';

/** A street's name in its parts, normalized for comparison. */
export interface StreetName {
  /** Directions before and after the name: codes of `DIRECTIONS`. */
  readonly before: number;
  readonly after: number;
  /** The name itself, of letters A–Z and digits only: words in full, without spaces, ordinals in digits. Never empty. */
  readonly key: string;
  /** Standard abbreviation of the street type; empty if the name has none. */
  readonly type: string;
}

export const ARTICLE = 'THE';

/** No street has more words than this; bounds the cost of one name. */
export const MAX_STREET_WORDS = 10;

/** Whether the words at a name's ends are read as directions and as a street type. */
export interface Reading {
  readonly directions: boolean;
  readonly type: boolean;
  /** Whether the key has its words in full ({@link wordInFull}) instead of as compiled keys have them. */
  readonly inFull?: true;
}

/** Behind one of these words alone, what looks like a direction is a letter: `Avenue N` is next to `Avenue M`. */
const BEFORE_LETTERS: ReadonlySet<string> = new Set(['AVENUE', 'CALLE', 'ROAD', 'STREET']);

/** Whether words are a lettered street: `Avenue N`, `Calle A`. */
export const isLettered = ([first = '', letter = '', ...more]: readonly string[]): boolean =>
  more.length === 0 && LETTER.test(letter) && BEFORE_LETTERS.has(wholeWord(first));

const LETTER = /^[A-Z]$/;

/** `N Ave` as Avenue N; undefined for other words. `Avenue B` is not read as B Avenue: most towns have a B Street. */
export const withLetterLast = ([letter = '', avenue = '', ...more]: readonly string[]): StreetName | undefined =>
  more.length === 0 && LETTER.test(letter) && wholeWord(avenue) === 'AVENUE'
    ? parseStreetName([avenue, letter])
    : undefined;

const USUAL: Reading = { directions: true, type: true };

/**
 * Splits a street's name into its parts: `N Samplewood Ave`, `north samplewood avenue` and `n. sample wood av` have the
 * same parts. Undefined if there are no words. O(words).
 */
export function parseStreetName(words: readonly string[], reading: Reading = USUAL): StreetName | undefined {
  let end = Math.min(words.length, MAX_STREET_WORDS);
  if (end === 0) return undefined;
  if (reading.directions && reading.type) {
    const highway = parseHighway(words, end);
    if (highway) return highway;
  }
  const before = reading.directions && end > 1 ? directionCode(words[0] ?? '') : 0;
  const isDirected = reading.directions && end > (BEFORE_LETTERS.has(wholeWord(words[0] ?? '')) ? 2 : 1);
  const after = isDirected ? directionCode(words[end - 1] ?? '') : 0;
  if (after > 0) end--;
  // `The` is no name by itself: `The Plaza` and `The Circle` would be one street of two types.
  const isTyped = reading.type && end > (words[0] === ARTICLE ? 2 : 1);
  const type = isTyped ? (streetType(words[end - 1] ?? '') ?? '') : '';
  if (type !== '') end--;
  const keepsBefore = before > 0 && end > 1;
  return {
    before: keepsBefore ? before : 0,
    after,
    type,
    key: keyOf(words.slice(keepsBefore ? 1 : 0, end), reading),
  };
}

const IN_FULL: Reading = { ...USUAL, inFull: true };

/** Whether two names are the same in spite of spaces where their keys are not: `Park Side` and `Parkside`. */
export function areOneInFull(words: readonly string[], others: readonly string[]): boolean {
  return parseStreetName(words, IN_FULL)?.key === parseStreetName(others, IN_FULL)?.key;
}

/**
 * A street's words as spelled, with directions and street types abbreviated. Streets of one name and type can differ in a
 * space: `Stud Horse Rd` and `Studhorse Rd`.
 */
export function spellingOf(words: readonly string[]): string {
  return words.map((word) => streetType(word) ?? (DIRECTIONS[directionCode(word)] || word)).join(' ');
}

/** Reads a highway's name. A highway's letter may look like a direction, so highways are read before directions are. */
function parseHighway(words: readonly string[], end: number): StreetName | undefined {
  const plain = readHighway(words);
  if (plain) return withDirections(plain.name, words.slice(plain.words, end), 0);
  const before = end > 1 ? directionCode(words[0] ?? '') : 0;
  const directed = before > 0 ? readHighway(words.slice(1)) : undefined;
  return directed && withDirections(directed.name, words.slice(1 + directed.words, end), before);
}

/** {@link parseStreetName} for a name as a text. */
export function parseStreetText(text: string): StreetName | undefined {
  return parseStreetName(plainWords(text));
}

/** The parts of a highway's name, given what follows its number: a direction, or more of its name (`BUS`). */
function withDirections(name: string, rest: readonly string[], before: number): StreetName {
  const after = directionCode(rest.at(-1) ?? '');
  const more = after > 0 ? rest.slice(0, -1) : rest;
  return { before, after, type: '', key: name + afterHighway(more) };
}

/**
 * The key of a name's words. The reading says whether directions among them are written in full, or left as they are.
 */
function keyOf(words: readonly string[], { directions: wholeDirections, inFull }: Reading): string {
  const whole = inFull ? wordInFull : wholeWord;
  let key = '';
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const two = ordinalOfTwo(word, words[at + 1]);
    if (two !== undefined) at++;
    const direction = wholeDirections ? wholeDirection(directionCode(word)) : '';
    key += two ?? ordinalFigures(word) ?? (direction || whole(word));
  }
  return honouredName(key);
}

/** Spellings of the one city whose name is also its state's. */
const NEW_YORK = new Set(['NY', 'NYC', 'NEWYORKCITY']);

/**
 * The form in which cities are compared. As in a street's key, `St Paul` is like `Saint Paul`, `W Hartford` like `West
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
