// What single words of an address consist of. All of them are in upper case.

const DIGIT = /\d/;
const DIGITS = /^\d+$/;
const LETTER = /[A-Z]/;
const ONE_LETTER = /^[A-Z]$/;

/** Whether any character is a digit: every house number has one, even `N12`, but hardly any city's or person's name. */
export const hasDigit = (word: string): boolean => DIGIT.test(word);

/** Whether a word is nothing but digits: `150`, not `5TH`. */
export const isInDigits = (word: string): boolean => DIGITS.test(word);

/** Whether any character is a letter: `5TH`, `MAIN`. */
export const hasLetter = (word: string): boolean => LETTER.test(word);

/** Whether a word is a single letter: `J`. */
export const isLetter = (word: string): boolean => ONE_LETTER.test(word);
