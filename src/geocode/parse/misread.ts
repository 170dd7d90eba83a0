const FIGURES_AND_LOOKALIKES = /^[\dOIL]*\d[\dOIL]*$/;
const HAS_LOOKALIKE = /[OIL]/;

/** Digits of which some were typed or scanned as letters, in digits: `28O`, `2l`, `I50`. Undefined for other words. */
export function figuresOf(word: string): string | undefined {
  if (!HAS_LOOKALIKE.test(word) || !FIGURES_AND_LOOKALIKES.test(word)) return undefined;
  return word.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
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
