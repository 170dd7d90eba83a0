import { foldText, isAscii } from '../../core/streets/fold-text.js';
import { decoded } from './encodings.js';
import { spaced } from './spaced.js';
import { isState } from './state-names.js';
import { isUnitWord } from './units.js';

/** Longer texts are not addresses; the time to read one is linear in its length. In code points, as schemas count. */
export const MAX_ADDRESS_LENGTH = 500;

/** Whether a text exceeds {@link MAX_ADDRESS_LENGTH}. */
export function isTooLong(text: string): boolean {
  if (text.length <= MAX_ADDRESS_LENGTH) return false;
  // A code point has one or two of the units that `length` counts.
  return text.length > 2 * MAX_ADDRESS_LENGTH || [...text].length > MAX_ADDRESS_LENGTH;
}

/**
 * Words in upper case, with hyphens and slashes kept within them; `,` for anything that separates parts, `&` for anything
 * that joins, `#` as it is.
 */
export type Tokens = readonly string[];

const TOKEN = /[A-Z0-9]+(?:[-/][A-Z0-9]+)*|[,;|^\n\t#&@+/]/g;

/** A text with none of what {@link mendText} and {@link foldText} look for, as most addresses are. */
const PLAIN = /^[A-Za-z0-9 ,#-]*$/;

/** Bars and carets divide the fields of exports, such as the components of an address in HL7; tabs the cells of a table. */
const SAME_AS: Readonly<Record<string, string>> = {
  ...{ ';': ',', '|': ',', '^': ',', '\n': ',', '\t': ',' },
  ...{ '@': '&', '+': '&', '/': '&' },
};
/** `150 Main St (Sample Medical Center), Boston`: a note behind a street or a city, which would else go on in it. */
const NOTE_AT_END = /\(([A-Z]{3}[^()\d]*)\)(?=\s*(?:[,;|^\n\t]|$))/gi;
/** `150 Main St / Boston / MA 02118`, but not the corner `Main St / Oak Ave`, nor `150 / 152 Main St`. */
const SLASHES_BETWEEN = /^\s*\d+ +[a-z0-9].* \/ .* \/ /i;
/** A ZIP that went through a spreadsheet as a number: `2139.0`. */
const NO_DECIMALS = /(\d)\.0+(?!\d)/g;
/** `37.18 75th St` for `37-18`, `302.555.0100`. */
const STOP_IN_NUMBER = /(\d)\.(?=\d)/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
/** The number of an item of a list: `1. 150 Main St`, `1. 37-18 75th St`, `1. N6W23001 Main St`, `1) 150 Main St`. */
const ITEM_NUMBER = /^\s*(?:\d{1,3}\)\s|\d{1,3}\.\s+(?=(?:\d+(?:-\d+)?[A-Z]?|[NSEW]\d+[NSEW]\d+)\s))/i;
/** Perhaps behind what becomes of such a space that is read in another encoding: `150Â Main St`. */
const ODD_SPACES = /\u00c2?[^\S\n\t ]/g;
/** `1,150 Main St`: a comma without a space before exactly three digits separates thousands, not parts of an address. */
const THOUSANDS = /(?<![\w,#/])([1-9]\d{0,2}),(?=\d{3}(?!\d))/g;
/** What every text has of which a word is in mixed case: `MainSt`, `SEMain`. */
const CAPITAL_WITHIN = /[a-z][A-Z]|[A-Z]{2}[a-z]/;
/** `Street: 150 Main St City: Sampleton`, `"city": "Sampleton"`, `City=Sampleton`, as forms are exported. */
const LABEL =
  /\b(?:(?:street|address|addr|line)(?:[ _]?line)?(?:[ _]?[1-3])?|street[ _]?name|house[ _]?(?:number|no)|city|town|county|country|state(?:\/province)?|st(?==)|zip(?:[ _]?code)?|post(?:al[ _]?)?code)"? *[:=]/gi;
/** `150 - 152 Main St`, `150 to 152 Main St`. */
const RANGE = /(?<![\w#/-])(\d+) *(?:--?| to | thru ) *(?=\d+ )/gi;
/** A date, or a telephone number with its area code, before a house number: `DOB 1/2/1950 150 Main St`. */
const BEFORE_HOUSE =
  /(?<![\w#/-])(?:\(?[2-9]\d\d(?:\) ?|-)[2-9]\d\d-\d{4}|\d{1,2}\/\d{1,2}\/(?:19|20)?\d\d|\d{1,2}-\d{1,2}-(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d)(?=[\s,;|]+\d)/g;
/** What every text has that {@link THOUSANDS}, {@link RANGE} or {@link BEFORE_HOUSE} matches. */
const JOINED_FIGURES = /\d(?:[,/]| *(?:--?| to | thru ) *)\d/i;
/** Words, besides those for units, that have a number of their own, so that the house number is the second of two. */
const NUMBERED = new Set('BOX CR FM HIGHWAY HWY I RD ROAD ROUTE RT RTE SR US'.split(' '));
const WORD_BEFORE = /([A-Z]+)[^A-Z0-9]*$/i;
const WORD_MAX = 16;
/** Words for units that may instead be a sign before a house number: `No. 1,150 Main St`. */
const SIGNS = new Set(['NO', 'NUMBER']);

/**
 * The tokens of an address; none for a text that is too long, or in another script: what is left of it might be a
 * different address.
 */
export function tokenize(text: string): Tokens {
  if (isTooLong(text)) return [];
  if (PLAIN.test(text)) return mendNumbers(mendTypes(text)).toUpperCase().match(TOKEN) ?? [];
  const folded = foldText(mendNumbers(mendTypes(mendText(text))));
  if (!isAscii(folded) && /[^\P{L}A-Z]|[^\P{N}0-9]/u.test(folded)) return [];
  return folded.match(TOKEN)?.map((token) => SAME_AS[token] ?? token) ?? [];
}

/** The text as it was before it was encoded, without decimals and full stops in numbers, labels, and an item's number. */
function mendText(text: string): string {
  const own = decoded(text);
  let plain = (isAscii(own) ? own : own.replace(DASHES, '-')).replace(ODD_SPACES, ' ');
  if (plain.includes(':') || plain.includes('=')) plain = withoutLabels(plain);
  if (plain.includes('(')) plain = plain.replace(NOTE_AT_END, ', $1');
  if (SLASHES_BETWEEN.test(plain)) plain = plain.replaceAll(' / ', ' , ');
  plain = plain.replace(ITEM_NUMBER, '');
  return plain.includes('.') ? plain.replace(NO_DECIMALS, '$1').replace(STOP_IN_NUMBER, '$1-') : plain;
}

/** The text with the spaces that {@link spaced} adds; in capitals alone, `MAINST` may be a name of its own. */
function mendTypes(text: string): string {
  if (!CAPITAL_WITHIN.test(text)) return text;
  return text.replace(/[A-Za-z]+/g, (word, at: number) => (CAPITAL_WITHIN.test(word) ? spaced(word, text, at) : word));
}

/**
 * The text without commas in thousands and without dates and telephone numbers before a house number, and with each range
 * of numbers joined by a hyphen.
 */
function mendNumbers(text: string): string {
  if (!JOINED_FIGURES.test(text)) return text;
  const own = text.replace(BEFORE_HOUSE, ',');
  const plain = own.replace(THOUSANDS, (both, first: string, at: number) => (isNumbered(own, at) ? both : first));
  // `Boston, MA 02118 - 150 Main St`
  const isApart = (at: number): boolean => isNumbered(plain, at) || isState(wordBefore(plain, at));
  return plain.replace(RANGE, (both, first: string, at: number) => (isApart(at) ? both : `${first}-`));
}

/** Whether the number at a position is not a house's: `Apt 3,150 Main St`, `Hwy 12 - 150 Main St`. */
function isNumbered(text: string, at: number): boolean {
  const word = wordBefore(text, at);
  return NUMBERED.has(word) || (isUnitWord(word) && !SIGNS.has(word));
}

const wordBefore = (text: string, at: number): string =>
  WORD_BEFORE.exec(text.slice(Math.max(0, at - WORD_MAX), at))?.[1]?.toUpperCase() ?? '';

/** Replaces labels by commas if there are several, or if one precedes everything else: `Kansas City:` is a city's name. */
function withoutLabels(text: string): string {
  const several = (text.match(LABEL)?.length ?? 0) > 1;
  return text.replace(LABEL, (label, at: number) => (several || text.slice(0, at).trim() === '' ? ',' : label));
}

/** Drops the commas at both ends. */
export function withoutCommas(tokens: Tokens): Tokens {
  let [begin, end] = [0, tokens.length];
  while (begin < end && tokens[begin] === ',') begin++;
  while (end > begin && tokens[end - 1] === ',') end--;
  return begin === 0 && end === tokens.length ? tokens : tokens.slice(begin, end);
}

/** The parts between commas, without empty ones. */
export function splitAtCommas(tokens: Tokens): string[][] {
  const parts: string[][] = [];
  let begin = 0;
  for (let at = 0; at <= tokens.length; at++) {
    if (at < tokens.length && tokens[at] !== ',') continue;
    if (at > begin) parts.push(tokens.slice(begin, at));
    begin = at + 1;
  }
  return parts;
}

/** Splits words at hyphens and slashes, which separate words within names: `Dempsey-White`, `CR-5`. */
export function splitHyphens(words: Tokens): Tokens {
  return words.some((word) => word.includes('-') || word.includes('/'))
    ? words.flatMap((word) => word.split(/[-/]/))
    : words;
}
