import { isInDigits } from './words.js';

const FIGURES_AND_LOOKALIKES = /^[\dOIL]*\d[\dOIL]*$/;
const HAS_LOOKALIKE = /[OIL]/;

/** Digits of which some were typed or scanned as letters, in digits: `28O`, `2l`, `I50`. Undefined for other words. */
export function figuresOf(word: string): string | undefined {
  if (!HAS_LOOKALIKE.test(word) || !FIGURES_AND_LOOKALIKES.test(word)) return undefined;
  return word.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}

const ZIP_AND_LOOKALIKES = /^(?=.*\d)[\dOILSB]{5}$/;

/** The same for five figures behind a state, which can be nothing but a ZIP: `7B7O1`, `S3022`. */
export function zipFiguresOf(word: string): string | undefined {
  if (isInDigits(word) || !ZIP_AND_LOOKALIKES.test(word)) return undefined;
  return word.replaceAll(/[OILSB]/g, (letter) => FIGURES[letter] ?? letter);
}

const FIGURES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1', S: '5', B: '8' };
/**
 * An ordinal with a digit, or one of which a single letter is left: `1OTH`, `2LST`, `LST`, `STH`; neither `LOTH` nor `S2ND`,
 * which only lacks a space.
 */
const ORDINAL_AND_LOOKALIKES = /^((?=.*\d)[\dOIL][\dOILS]*|[IL](?=ST)|S(?=TH))(ST|ND|RD|TH)$/;

/**
 * An ordinal of which digits were typed or scanned as letters, in digits: `10TH` for `1OTH`, `1ST` for `LST`. It may also be
 * a highway's: `STH`. Undefined for other words, and where the ending is not the number's.
 */
export function ordinalOf(word: string): string | undefined {
  const [, letters = '', ending = ''] = ORDINAL_AND_LOOKALIKES.exec(word) ?? [];
  if (letters === '' || isInDigits(letters)) return undefined;
  const figures = letters.replaceAll(/[OILS]/g, (letter) => FIGURES[letter] ?? letter);
  return ordinalEnding(Number(figures)) === ending ? figures + ending : undefined;
}

/** The ending of an ordinal in digits: `TH` for 11 and 20, `ND` for 22. */
export function ordinalEnding(value: number): string {
  const isTeen = Math.floor(value / 10) % 10 === 1;
  return (isTeen ? undefined : ['TH', 'ST', 'ND', 'RD'][value % 10]) ?? 'TH';
}

/** A word with digits among its letters, the last two of which are letters, or the last one behind a 0. */
const LETTERS_AND_FIGURES = /^(?:[A-Z]|0(?=[A-Z]))[A-Z01568]*(?:[A-Z]{2}|[A-Z]0[A-Z])$/;
const FIGURE = /[01568]/;
const MIN_LETTERS = 3;
const ENDS_LIKE_ORDINAL = /[1-9](?:ST|ND|RD|TH|[NS][EW])$/;
const LETTERS: Readonly<Record<string, string>> = { 0: 'O', 1: 'L', 5: 'S', 6: 'B', 8: 'B' };

/**
 * A word of which letters were typed or scanned as digits, in letters: `H0LLY`, `WIL1ET`, `0AK`. A 1 for an I remains one
 * typo. Undefined for other words, among them `MAIN5TH` and `HWY5NE`.
 */
export function lettersOf(word: string): string | undefined {
  if (!FIGURE.test(word) || !LETTERS_AND_FIGURES.test(word) || ENDS_LIKE_ORDINAL.test(word)) return undefined;
  return word.replace(/\d/g, '').length < MIN_LETTERS && !word.startsWith('0') ? undefined : inLetters(word);
}

const NAME_WITH_FIGURE = /^[58](?!ST|ND|RD|TH)[A-Z]{3,}$/;

/** The same for a word behind a house number, whose first letter may have been misread, too: `150 8REWER`. */
export const lettersOfStreet = (word: string): string | undefined =>
  NAME_WITH_FIGURE.test(word) ? inLetters(word) : lettersOf(word);

const inLetters = (word: string): string => word.replace(/\d/g, (figure) => LETTERS[figure] ?? figure);
