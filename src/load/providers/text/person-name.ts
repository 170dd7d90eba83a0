import { cleanText, isShouted } from './clean-text.js';
import { capitalize } from './letter-case.js';

/** A person's name, split as registries do. */
export interface PersonNameParts {
  readonly first: string;
  readonly middle: string;
  readonly last: string;
  readonly suffix: string;
}

/** `JANE`, `Q`, `DOE`, `JR` as `Jane Q. Doe Jr.`; empty if there is neither a first nor a last name. */
export function personName({ first, middle, last, suffix }: PersonNameParts): string {
  const names = [first, middle, last].map(cleanText);
  if (names[0] === '' && names[2] === '') return '';
  const shouted = isShouted(names.join(' '));
  return [...names.map((name) => writeName(name, shouted)), writeSuffix(cleanText(suffix))]
    .filter((part) => part !== '')
    .join(' ');
}

/** Formats a whole name given in one text, such as `C. SHANE DOE`. */
export function wholeName(text: string): string {
  const name = cleanText(text);
  return writeName(name, isShouted(name));
}

function writeName(text: string, shouted: boolean): string {
  return text
    .split(' ')
    .map((word) => (/^\p{L}$/u.test(word) ? `${word.toUpperCase()}.` : shouted ? writeWord(word) : word))
    .join(' ');
}

const writeWord = (word: string): string => SUFFIXES.get(word.toUpperCase().replaceAll('.', '')) ?? capitalize(word);

const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['JR', 'Jr.'],
  ['SR', 'Sr.'],
  ['II', 'II'],
  ['III', 'III'],
  ['IV', 'IV'],
]);

const writeSuffix = (text: string): string => SUFFIXES.get(text.toUpperCase().replaceAll('.', '')) ?? text;
