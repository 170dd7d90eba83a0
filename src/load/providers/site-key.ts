import { plainWords } from '../../core/streets/fold-text.js';
import { cityKey, parseStreetName } from '../../core/streets/street-name.js';
import { PART_WORDS, UNIT_WORDS } from '../../core/streets/unit-words.js';
import type { Practice } from './provider.js';

const isUnitWord = (word: string): boolean => UNIT_WORDS.has(word) || PART_WORDS.has(word);

/**
 * A key for a place that does not depend on how its address is written: house number, street without unit, city, state.
 * Undefined for an address without a house number. ZIPs are not part of it, because not every list has them.
 */
export function placeKey({
  practiceAddress,
  practiceCity,
  practiceState,
}: Pick<Practice, 'practiceAddress' | 'practiceCity' | 'practiceState'>): string | undefined {
  if (practiceAddress === null || practiceCity === null || practiceState === null) return undefined;
  const [number = '', ...words] = plainWords(practiceAddress.replaceAll('#', ' UNIT '));
  const unit = words.findIndex((word, index) => index > 0 && isUnitWord(word));
  const street = parseStreetName(unit < 0 ? words : words.slice(0, unit));
  if (!/^\d/.test(number) || !street) return undefined;
  const { before, after, key, type } = street;
  return [number, before, key, type, after, cityKey(plainWords(practiceCity)), practiceState].join('|');
}

/** Words in organizations' names that do not help to tell them apart. */
const FILLERS = new Set('INC INCORPORATED LLC CORP CORPORATION CO PC PLLC LTD THE OF AND'.split(' '));

/** A key for an organization's name that does not depend on how it is written. */
export function nameKey(name: string): string {
  return plainWords(name)
    .filter((word) => !FILLERS.has(word))
    .join(' ');
}

/** A name of at least this length is no accidental part of another name. */
const LEAST_TELLING = 8;

/** Whether two {@link nameKey}s belong to one organization: they are equal, or one is part of the other. */
export function sameName(a: string, b: string): boolean {
  if (a === b) return a !== '';
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  return shorter.length >= LEAST_TELLING && ` ${longer} `.includes(` ${shorter} `);
}
