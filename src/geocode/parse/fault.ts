import { isDirection } from '../../core/streets/street-directions.js';
import { isStreetType } from '../../core/streets/street-types.js';
import { parseAddress } from './parse-address.js';
import { isAbbreviation, isState, stateAtEnd } from './state-names.js';
import { splitAtCommas, type Tokens, tokenize } from './tokens.js';

/**
 * Why a text can have no match, whatever the streets: it has no house number with a street, or no ZIP or state to look for
 * them in, or holds several addresses.
 */
export type Fault = 'no street' | 'no place' | 'several';

/** What is amiss with an address; undefined if it has all that a match needs, or names no place on the ground. */
export function faultIn(address: string): Fault | undefined {
  const parsed = parseAddress(address);
  if (parsed.kind === 'unplaceable') return undefined;
  if (parsed.kind === 'nothing' && parsed.isSeveral) return 'several';
  const readings = parsed.kind === 'nothing' ? parsed.otherwise() : parsed.readings;
  if (readings.length === 0) return 'no street';
  const isPlaced = readings.some(({ zip, stateFips }) => zip !== undefined || stateFips !== undefined);
  return isPlaced || splitAtCommas(tokenize(address)).some(namesState) ? undefined : 'no place';
}

/**
 * Whether a part of an address names a state, be it behind the street or the city: `150 Main St, Sampleton, TX, behind the
 * church` does, and `150 Main St, Sampleton, TX do not mail`, though it is not read there. A first part may have a street's
 * type instead, `150 Oak Ct`, and any other word: only its end is looked at.
 */
function namesState(part: Tokens, at: number): boolean {
  if (at === 0) return stateAtEnd(part) !== undefined && !isStreetType(part.at(-1) ?? '');
  return stateAtEnd(part) !== undefined || isState(part.join(' ')) || part.some(isSurelyState);
}

/** Whether a word is a state's abbreviation, and not a word or a part of a name as well: `La`, `De`, `Me`, `In`. */
const isSurelyState = (word: string): boolean =>
  isAbbreviation(word) && !ALSO_WORDS.has(word) && !isStreetType(word) && !isDirection(word);

const ALSO_WORDS = new Set('CO DE HI ID IN LA ME OK OR'.split(' '));
