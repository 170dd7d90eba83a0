import { placeOfType } from '../../core/streets/other-spaces.js';
import { isStreetType } from '../../core/streets/street-types.js';
import { isLetter } from './words.js';

/**
 * Where a cross street begins: `150 Birch Rd & Oak St`, `150 Birch Rd at the corner of Oak St`, `150 Birch Rd near Oak St`.
 * The length if none does.
 */
export function endOfStreet(words: readonly string[]): number {
  const at = words.findIndex(
    (word, index) => word === '&' || (index > 1 && (isBesideStreet(words, index) || isNearStreet(words, index))),
  );
  return at < 0 ? words.length : at;
}

const BESIDE_BEGINS = new Set(['AT', 'ON', 'THE', 'CORNER', 'COR', 'BETWEEN', 'BTWN']);
const BESIDE = /^(?:(?:AT |ON )?(?:THE )?COR(?:NER)? OF|(?:BETWEEN|BTWN) .+ (?:AND|&)) /;

/** Whether the words from a position on say which streets are beside the one before: `between Oak St and Elm St`. */
function isBesideStreet(words: readonly string[], at: number): boolean {
  return BESIDE_BEGINS.has(words[at] ?? '') && BESIDE.test(words.slice(at).join(' '));
}

const NEAR = new Set(['AT', 'NEAR', 'OFF', 'BEHIND', 'ACROSS', 'NEXT', 'AKA', 'FKA', 'FORMERLY']);

/** Whether the words from a position on are another street that is near the one before, or its other name, and no city. */
const isNearStreet = (words: readonly string[], at: number): boolean =>
  NEAR.has(words[at] ?? '') &&
  isStreetType(words[placeOfType(words.slice(0, at))] ?? '') &&
  isStreetType(words.at(-1) ?? '');

/**
 * The names that an `&` may be part of instead: `J & J Ln` lacks it in a street's key, and `Oak & Vine Dr` may be called Oak
 * and Vine Drive. None where a street's type precedes it.
 */
export function namesJoinedAt(words: readonly string[], at: number): (readonly string[])[] {
  const [one, other] = [words.slice(0, at), words.slice(at + 1)];
  if (at === 0 || other.length === 0) return [];
  if (one.some((word, index) => index > 0 && isStreetType(word))) return [];
  const whole = [...one, ...other];
  const name = whole.slice(0, endOfStreet(whole));
  return name.length > at ? [name, name.toSpliced(at, 0, 'AND')] : [];
}

/** Whether an `&` joins two letters before a street's type: `J & J Ln` is not a house in J Street. */
export const areInitialsAt = (words: readonly string[], at: number): boolean =>
  at === 1 && isLetter(words[0] ?? '') && isLetter(words[2] ?? '') && isStreetType(words[3] ?? '');
