import { DIRECTIONS, directionCode, wholeDirection } from '../../src/core/streets/street-directions.js';
import { streetType, wholeWord } from '../../src/core/streets/street-types.js';
import type { Random } from '../../src/load/synthetic/random.js';

/** The parts of an address. */
export interface AddressParts {
  readonly number: string;
  readonly street: string;
  /** Two letters. */
  readonly state: string;
  readonly zip: string;
}

/** One way in which people write an address differently or wrongly. */
export interface Damage {
  readonly name: string;
  /** The least share of the damaged addresses that must be right or rightly ambiguous. */
  readonly leastRight: number;
  /** Damages the street. Undefined if it has nothing that this kind of damage could affect. */
  street?(street: string, random: Random): string | undefined;
  /**
   * Writes the whole address; the default is `<number> <street>, <state> <ZIP>`. Undefined if it has nothing that this kind
   * of damage could affect.
   */
  text?(parts: AddressParts): string | undefined;
  readonly withoutZip?: true;
  /** It is a typo in the street as this writes it: then the address names whatever is one typo away equally well. */
  typoIn?(street: string): string;
}

const whole = ({ number, street, state, zip }: AddressParts): string => `${number} ${street}, ${state} ${zip}`.trim();

const CLEAN = 0.995;
const DAMAGED = 0.95;

/** The kinds of damage; the first one leaves the address intact. */
export const DAMAGES: readonly Damage[] = [
  { name: 'clean', leastRight: CLEAN },
  { name: 'lower case', leastRight: CLEAN, text: (parts) => whole(parts).toLowerCase() },
  {
    name: 'no commas, a unit',
    leastRight: DAMAGED,
    text: ({ number, street, state, zip }) => `${number} ${street} Apt 4B ${state} ${zip}`,
  },
  { name: 'long forms', leastRight: CLEAN, street: longForms },
  { name: 'no suffix', leastRight: DAMAGED, street: withoutSuffix },
  { name: 'no direction', leastRight: DAMAGED, street: withoutDirection },
  { name: 'wrong suffix', leastRight: DAMAGED, street: wrongSuffix },
  { name: 'one typo', leastRight: DAMAGED, street: withTypo, typoIn: (street) => street },
  { name: 'a typo in the suffix', leastRight: DAMAGED, street: withTypoInSuffix, typoIn: longForms },
  {
    name: 'no ZIP',
    leastRight: DAMAGED,
    withoutZip: true,
    text: ({ number, street, state }) => `${number} ${street}, ${state}`,
  },
  { name: 'a thousand with a comma', leastRight: DAMAGED, text: withThousands },
  { name: 'a range of numbers', leastRight: DAMAGED, text: withRange },
  { name: 'a unit first', leastRight: DAMAGED, text: (parts) => `Unit 3 ${whole(parts)}` },
  { name: 'a unit behind the ZIP', leastRight: DAMAGED, text: (parts) => `${whole(parts)}, Apt 3` },
  { name: 'a building before it', leastRight: DAMAGED, text: (parts) => `24 Hour Gym, ${whole(parts)}` },
  { name: 'a direction behind a comma', leastRight: DAMAGED, text: withDirectionApart },
  { name: 'a direction in two words', leastRight: DAMAGED, text: withDirectionInTwo },
  { name: 'a direction without its space', leastRight: DAMAGED, text: withDirectionGlued },
  { name: 'a suffix without its space', leastRight: DAMAGED, street: withSuffixGlued },
  {
    name: 'the same in capitals',
    leastRight: DAMAGED,
    street: withSuffixGlued,
    text: (parts) => whole(parts).toUpperCase(),
  },
];

/** Damages an address; undefined if it has nothing that this kind of damage could affect. */
export function damaged(
  parts: AddressParts,
  damage: Damage,
  random: Random,
): (AddressParts & { readonly text: string }) | undefined {
  const street = damage.street ? damage.street(parts.street, random) : parts.street;
  if (street === undefined) return undefined;
  const changed = { ...parts, street };
  const text = (damage.text ?? whole)(changed);
  return text === undefined ? undefined : { ...changed, text };
}

const FIGURES = /^\d+$/;
const THOUSAND = 1000;

function withThousands(parts: AddressParts): string | undefined {
  const { number } = parts;
  if (!FIGURES.test(number) || Number(number) < THOUSAND) return undefined;
  return whole({ ...parts, number: Number(number).toLocaleString('en-US') });
}

function withRange(parts: AddressParts): string | undefined {
  const { number } = parts;
  return FIGURES.test(number) ? whole({ ...parts, number: `${number} - ${Number(number) + 2}` }) : undefined;
}

function withDirectionApart(parts: AddressParts): string | undefined {
  const words = parts.street.split(' ');
  const last = words.pop() ?? '';
  return words.length > 1 && directionCode(last) > 0
    ? whole({ ...parts, street: `${words.join(' ')}, ${last}` })
    : undefined;
}

const HALVES: Readonly<Record<string, string>> = { N: 'North', S: 'South', E: 'East', W: 'West' };

function withDirectionInTwo(parts: AddressParts): string | undefined {
  const street = parts.street.replace(/\b([NS])([EW])\b/, (_, first: string, second: string) => {
    return `${HALVES[first]} ${HALVES[second]}`;
  });
  return street === parts.street ? undefined : whole({ ...parts, street });
}

function withDirectionGlued({ number, street, state, zip }: AddressParts): string | undefined {
  const [first = '', ...others] = street.split(' ');
  const isDirected = FIGURES.test(number) && others.length > 0 && DIRECTIONS.some((direction) => direction === first);
  return isDirected ? `${number}${street}, ${state} ${zip}` : undefined;
}

function longForms(street: string): string {
  const words = street.split(' ');
  const titled = (word: string): string => word.charAt(0) + word.slice(1).toLowerCase();
  return words
    .map((word, at) => {
      const upper = word.toUpperCase();
      const direction = directionCode(upper);
      if (direction > 0 && words.length > 1) return titled(wholeDirection(direction));
      if (upper === 'ST') return at === 0 ? 'Saint' : 'Street';
      return streetType(upper) === upper ? titled(wholeWord(upper)) : word;
    })
    .join(' ');
}

/** The position of the street suffix, such as `St`, among the words; −1 if there is none. */
function suffixAt(words: readonly string[]): number {
  const last = words.length - 1 - (directionCode((words.at(-1) ?? '').toUpperCase()) > 0 ? 1 : 0);
  return last > 0 && streetType((words[last] ?? '').toUpperCase()) !== undefined ? last : -1;
}

function withoutSuffix(street: string): string | undefined {
  const words = street.split(' ');
  const at = suffixAt(words);
  return at < 0 ? undefined : words.toSpliced(at, 1).join(' ');
}

function withSuffixGlued(street: string): string | undefined {
  const words = street.split(' ');
  const at = suffixAt(words);
  return at < 0 ? undefined : words.toSpliced(at - 1, 2, `${words[at - 1]}${words[at]}`).join(' ');
}

/** The suffixes that most streets have, the most common first. */
const SUFFIXES = 'St Rd Dr Ave Ln Ct Cir Way Pl Blvd Trl Ter Loop Hwy Pkwy'.split(' ');

function wrongSuffix(street: string, random: Random): string | undefined {
  const words = street.split(' ');
  const at = suffixAt(words);
  const others = SUFFIXES.filter((suffix) => suffix !== words[at]);
  return at < 0 ? undefined : words.with(at, others[Math.floor(random.next() * others.length)] ?? 'St').join(' ');
}

function withoutDirection(street: string): string | undefined {
  const words = street.split(' ');
  const kept = words.filter((word) => !DIRECTIONS.some((direction) => direction === word));
  return kept.length === words.length || kept.length === 0 ? undefined : kept.join(' ');
}

/** Inserts, drops, replaces or swaps a letter in a word of the name that has at least three letters. */
function withTypo(street: string, random: Random): string | undefined {
  const words = street.split(' ');
  const end = suffixAt(words) < 0 ? words.length : suffixAt(words);
  const names = words.flatMap((word, at) => (at < end && /^[A-Za-z]{3,}$/.test(word) ? [at] : []));
  const at = names[Math.floor(random.next() * names.length)];
  const typo = misspelled(words[at ?? -1], random);
  return at === undefined || typo === undefined ? undefined : words.with(at, typo).join(' ');
}

/** The same in a suffix in full that has at least four letters, unless the result is another suffix. */
function withTypoInSuffix(street: string, random: Random): string | undefined {
  const words = longForms(street).split(' ');
  const at = suffixAt(words);
  const typo = misspelled(words[at], random);
  const isSuffix = typo === undefined || streetType(typo.toUpperCase()) !== undefined;
  return isSuffix || (words[at] ?? '').length < 4 ? undefined : words.with(at, typo).join(' ');
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The word with a typo; undefined if that changes nothing but its case. */
function misspelled(word: string | undefined, random: Random): string | undefined {
  if (word === undefined) return undefined;
  const letter = LETTERS[Math.floor(random.next() * LETTERS.length)] ?? 'a';
  const position = Math.floor(random.next() * (word.length - 1));
  const [head, tail] = [word.slice(0, position), word.slice(position)];
  const typos = [head + letter + tail, head + tail.slice(1), head + letter + tail.slice(1), head + swapped(tail)];
  const typo = typos[Math.floor(random.next() * typos.length)] ?? word;
  return typo.toLowerCase() === word.toLowerCase() ? undefined : typo;
}

const swapped = (text: string): string => `${text.charAt(1)}${text.charAt(0)}${text.slice(2)}`;
