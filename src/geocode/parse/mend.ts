import { isDigitAt } from '../../core/digits.js';
import { isOrdinalFigure } from '../../core/streets/ordinals.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { isStreetType } from '../../core/streets/street-types.js';
import { mayBeHouseNumber } from './houses.js';
import { figuresOf, lettersOf, lettersOfStreet } from './misread.js';
import { isState } from './state-names.js';
import type { Tokens } from './tokens.js';
import { isInDigits, isLetter } from './words.js';
import { ZIP_LENGTH } from './zip.js';

/** `MA02445`, `MA-02445`, with ZIP+4 or without. */
const STATE_AND_ZIP = /^([A-Z]{2})-?(\d{5}(?:-?\d{4})?)$/;
/** `02445MA` */
const ZIP_AND_STATE = /^(\d{5})([A-Z]{2})$/;
/** `150Main St`, `150-Main St`, `150-3rd Ave`. The name has at least three letters: two may be an ordinal's ending. */
const NUMBER_AND_NAME = /^(\d+)(?:-?([A-Z]{3,})|-(\d+(?:ST|ND|RD|TH)))$/;
/** `2ndAve` */
const ORDINAL_AND_TYPE = /^(\d+(?:ST|ND|RD|TH))([A-Z]{2,})$/;
const STATE_AND_ZIP_MIN = 7;
/** `150-1/2` */
const NUMBER_AND_FRACTION = /^(\d+)-(\d\/\d{1,2})$/;
/** The length of `4TH`: so short a token is an ordinal, not a number and a name. */
const LONGEST_ORDINAL = 3;
const ORDINAL_ENDINGS = new Set(['ST', 'ND', 'RD', 'TH']);
/** Unusual abbreviations, whose full stop has been removed, and slips that no other word is like. */
const SHORT_DIRECTIONS: ReadonlyMap<string, string> = new Map(
  [
    ['NORTH', 'NO NTH NOTH NORHT NROTH NOTRH'],
    ['SOUTH', 'SO STH SOTH SOUHT SUOTH SOTUH'],
    ['EAST', 'EA ESAT'],
    ['WEST', 'WE WSET'],
  ].flatMap(([whole = '', spellings = '']) => spellings.split(' ').map((word) => [word, whole] as const)),
);
/** `1-st` */
const HYPHENED_ORDINAL = /^(\d+)-(ST|ND|RD|TH)$/;
/** `HWY89` */
const GLUED_HIGHWAY = /^(HWY|HIGHWAY|ROUTE|RTE)(\d{1,4}[A-Z]?)$/;
const HIGHWAYS = new Set('CR CSAH HIGHWAY HWY ROUTE RTE SR'.split(' '));
/** Signs before a highway's number: `Hwy #12`, `Hwy No. 12`. */
const SIGNS = new Set(['#', 'NO']);
const NUMBERED_ROADS = new Set('CO COUNTY FOREST RANCH STATE TOWNSHIP'.split(' '));

/**
 * Joins what people write apart, and separates what they write together: `43 rd Ave`, `MA02445`, `150-1/2 Main St`,
 * `150Main St`, `Hwy #12`. Puts digits for letters that were misread, and vice versa: `2O7 H0lly Ln`. O(tokens).
 */
export function mend(tokens: Tokens): Tokens {
  let mended: string[] | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    if (!mended && !isDoubtful(token, tokens[at - 1] ?? '')) continue;
    mended ??= tokens.slice(0, at);
    add(mended, token, tokens[at + 1] ?? ',');
  }
  return mended ?? tokens;
}

/** Whether a token may need mending; hardly any does. */
function isDoubtful(token: string, before: string): boolean {
  if (token.length === 1) return token === '#' || token === '&';
  if (token === 'NO') return HIGHWAYS.has(before);
  if (token.length === 2) return isDigitAt(before, before.length - 1) && ORDINAL_ENDINGS.has(token);
  if (isDigitAt(token, 0)) {
    if (isDigitAt(token, token.length - 1)) return token.includes('/') || figuresOf(token) !== undefined;
    return token.length >= LONGEST_ORDINAL && (token.length > LONGEST_ORDINAL || token.startsWith('0'));
  }
  if (!isDigitAt(token, token.length - 1)) return lettersOf(token) !== undefined;
  return token.length >= STATE_AND_ZIP_MIN || GLUED_HIGHWAY.test(token) || isZipMisread(token, before);
}

/** Appends a token to those before it; `next` is a comma if the token is the last. */
function add(before: string[], token: string, next: string): void {
  const last = before.at(-1) ?? '';
  if (token === '&' && isBetweenAddresses(before, next)) before.push(',');
  else if (ORDINAL_ENDINGS.has(token) && isOrdinal(before, token, next)) before[before.length - 1] = last + token;
  else if (!SIGNS.has(token) || !isInDigits(next) || !isHighway(last, before.at(-2) ?? ''))
    before.push(...(misread(token, last) ?? apart(token, before.length === 0 || last === ',', next === ',')));
}

/** A word in the digits or letters that it was misread from: `2O7`, `TX 787O1`, `H0LLY`; undefined for others. */
function misread(token: string, before: string): readonly string[] | undefined {
  const isNumber = isDigitAt(token, 0) && isDigitAt(token, token.length - 1);
  const inLetters = isInDigits(before) ? lettersOfStreet : lettersOf;
  const word = isNumber || isZipMisread(token, before) ? figuresOf(token) : inLetters(token);
  return word === undefined ? undefined : [word];
}

const isZipMisread = (token: string, before: string): boolean =>
  token.length === ZIP_LENGTH && isState(before) && figuresOf(token) !== undefined;

function apart(token: string, isAtBegin: boolean, isAtEnd: boolean): readonly string[] {
  const [, number, fraction] = (token.includes('/') ? NUMBER_AND_FRACTION.exec(token) : null) ?? [];
  if (number !== undefined && fraction !== undefined) return [number, fraction];
  const [, ordinal, type = ''] = ORDINAL_AND_TYPE.exec(token) ?? [];
  if (ordinal !== undefined && isStreetType(type)) return [ordinal, type];
  const [, figures, ordinalEnding] = (isAtBegin ? null : HYPHENED_ORDINAL.exec(token)) ?? [];
  if (figures !== undefined && ordinalEnding !== undefined) return [figures + ordinalEnding];
  const [, highway, highwayNumber] = GLUED_HIGHWAY.exec(token) ?? [];
  if (highway !== undefined && highwayNumber !== undefined) return [highway, highwayNumber];
  const [, house, name, numbered] = (isAtBegin ? NUMBER_AND_NAME.exec(token) : null) ?? [];
  const street = name ?? numbered;
  if (house !== undefined && street !== undefined) return [house, street];
  const [, zipBefore, stateBehind = ''] = (isAtEnd ? ZIP_AND_STATE.exec(token) : null) ?? [];
  if (zipBefore !== undefined && isState(stateBehind)) return [zipBefore, stateBehind];
  const [, state = '', zip = ''] = (token.length >= STATE_AND_ZIP_MIN ? STATE_AND_ZIP.exec(token) : null) ?? [];
  return isState(state) ? [state, zip] : [token];
}

/**
 * The words with directions such as `No` and `So` in full; undefined if there are none. They may also be words of a name:
 * `No Name Rd`.
 */
export function withWholeDirections(words: readonly string[]): string[] | undefined {
  if (!words.some((word) => SHORT_DIRECTIONS.has(word))) return undefined;
  const whole = words.map(
    (word, at) => (isShortDirection(word, words.slice(at + 1)) ? SHORT_DIRECTIONS.get(word) : undefined) ?? word,
  );
  return whole.some((word, at) => word !== words[at]) ? whole : undefined;
}

/**
 * Whether `NO` or `SO` is a direction: in `No. Main St`, `Hwy 89 No.`, `No. 4th St` and `No. 200 W`, but not in `No. 5`
 * or `No. B`. `So.` is never a number's sign, but `STH 5` is a highway.
 */
function isShortDirection(word: string, [next = '', afterNext = '']: readonly string[]): boolean {
  if (word === 'STH') return !isDigitAt(next, 0) || isOrdinalFigure(next);
  if (word !== 'NO' || next === '' || isOrdinalFigure(next)) return true;
  return isInDigits(next) ? isDirection(afterNext) : /^[A-Z]/.test(next) && !isLetter(next);
}

/** Whether an `&` joins two addresses: `150 Main St & 12 Oak St`, but not `Main St & 8 Mile Rd` or `12 & 14 Main St`. */
function isBetweenAddresses(before: readonly string[], next: string): boolean {
  const begin = before[before.lastIndexOf(',') + 1] ?? '';
  const hasStreet = isStreetType(before.at(-1) ?? '') && mayBeHouseNumber(begin);
  return hasStreet && mayBeHouseNumber(next);
}

/**
 * Whether an ending belongs to the number before it: `43 rd Ave` after the house number, but not `43 Rd` or `1 St Marys
 * Rd`.
 */
function isOrdinal(before: readonly string[], ending: string, next: string): boolean {
  const [beforeLast = ',', last = ''] = before.slice(-2);
  if (before.length < 2 || beforeLast === ',' || !isInDigits(last)) return false;
  return endingOf(Number(last)) === ending && (isStreetType(next) || (ending === 'TH' && next === ','));
}

function endingOf(value: number): string {
  const isTeen = Math.floor(value / 10) % 10 === 1;
  return (isTeen ? undefined : ['TH', 'ST', 'ND', 'RD'][value % 10]) ?? 'TH';
}

const isHighway = (last: string, beforeLast: string): boolean =>
  HIGHWAYS.has(last) || ((last === 'RD' || last === 'ROAD') && NUMBERED_ROADS.has(beforeLast));
