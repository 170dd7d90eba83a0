import { isDigitAt } from '../../core/digits.js';
import { isStreetType } from '../../core/streets/street-types.js';
import { mayBeHouseNumber } from './houses.js';
import { figuresOf, lettersOf, lettersOfStreet } from './misread.js';
import { GLUED_HIGHWAY, splitGlued } from './split-glued.js';
import { isState } from './state-names.js';
import type { Tokens } from './tokens.js';
import { isInDigits } from './words.js';
import { ZIP_LENGTH } from './zip.js';

/** Shorter tokens that end with digits are no state and ZIP: `MA02445`. */
const STATE_AND_ZIP_MIN = 7;
/** The length of `4TH`: so short a token is an ordinal, not a number and a name. */
const LONGEST_ORDINAL = 3;
const ORDINAL_ENDINGS = new Set(['ST', 'ND', 'RD', 'TH']);
const HIGHWAYS = new Set('CR CSAH HIGHWAY HWY ROUTE RTE SR'.split(' '));
const ROADS = new Set(['RD', 'ROAD']);

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
  if (token === 'NO') return HIGHWAYS.has(before) || ROADS.has(before);
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
  const last = before.at(-1) ?? ',';
  // `150 Main St & 12 Oak St`
  if (token === '&' && isBetweenAddresses(before, next)) before.push(',');
  // `150 43 rd Ave`
  else if (ORDINAL_ENDINGS.has(token) && isOrdinal(before, token, next)) before[before.length - 1] = last + token;
  // `150 Hwy #12` needs no sign.
  else if (!isSignOfHighway(before, token, next)) before.push(...asMeant(token, last, next));
}

/** A token by itself as it is meant, in one word or two; as it is if nothing is amiss. */
function asMeant(token: string, last: string, next: string): Tokens {
  const isAtBeginOfPart = last === ',';
  const word = misread(token, last) ?? (isAtBeginOfPart ? undefined : ordinalOfHyphened(token));
  return word === undefined ? splitGlued(token, { isAtBeginOfPart, isAtEndOfPart: next === ',' }) : [word];
}

/** A word in the digits or letters that it was misread from: `2O7`, `TX 787O1`, `H0LLY`; undefined for others. */
function misread(token: string, before: string): string | undefined {
  const isNumber = isDigitAt(token, 0) && isDigitAt(token, token.length - 1);
  if (isNumber || isZipMisread(token, before)) return figuresOf(token);
  return isInDigits(before) ? lettersOfStreet(token) : lettersOf(token);
}

const isZipMisread = (token: string, before: string): boolean =>
  token.length === ZIP_LENGTH && isState(before) && figuresOf(token) !== undefined;

const HYPHENED_ORDINAL = /^(\d+)-(ST|ND|RD|TH)$/;

/** `1-st` as `1st`; undefined for other words. */
function ordinalOfHyphened(token: string): string | undefined {
  const [, figures = '', ending] = HYPHENED_ORDINAL.exec(token) ?? [];
  return ending === undefined ? undefined : figures + ending;
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

const NUMBERED_ROADS = new Set('CO COUNTY FOREST RANCH STATE TOWNSHIP'.split(' '));
const SIGNS = new Set(['#', 'NO']);

/** Whether a sign says only that a highway's number follows: `Hwy #12`, `Hwy No. 12`, `County Rd #12`. */
function isSignOfHighway(before: Tokens, token: string, next: string): boolean {
  if (!SIGNS.has(token) || !isInDigits(next)) return false;
  const [last = '', beforeLast = ''] = [before.at(-1), before.at(-2)];
  return HIGHWAYS.has(last) || (ROADS.has(last) && NUMBERED_ROADS.has(beforeLast));
}
