import { hasHouse, mayBeHouseNumber } from './houses.js';
import { type Tokens, withoutCommas } from './tokens.js';
import { partsAroundBoxes } from './unplaceable.js';
import { hasDigit } from './words.js';
import { isZip, stateBeforeZip } from './zip.js';

/** `150 Broadway` */
const LEAST_OF_STREET = 2;

/**
 * The first of two addresses if a text holds the same one twice: `150 Main St, Boston, MA 02118, 150 Main St, Boston, MA
 * 02118`. Undefined if it holds different ones, of which none is likelier meant. A text with a single address is returned
 * as it is.
 */
export function firstOfRepeated(tokens: Tokens): Tokens | undefined {
  // Most addresses have only one ZIP, and what precedes it need not be examined.
  if (tokens.findIndex(isZip) === tokens.findLastIndex(isZip)) return tokens;
  const addresses = addressesIn(tokens);
  if (addresses.length < 2) return tokens;
  const [first, ...others] = addresses;
  const text = textOf(first);
  return others.every((other) => isSame(textOf(other), text)) ? first : undefined;
}

/** An address whose street is there twice, `150 Main St 150 Main St, Boston, MA`, with it once; any other as it is. */
export function withStreetOnce(tokens: Tokens): Tokens {
  const [first = ''] = tokens;
  const again = tokens.indexOf(first, LEAST_OF_STREET);
  if (again < 0 || !mayBeHouseNumber(first)) return tokens;
  const isTwice = tokens.slice(0, again).every((token, at) => token === tokens[again + at]);
  return isTwice ? tokens.slice(again) : tokens;
}

/** The complete addresses in a text: each ends with a ZIP that {@link endsAddress}. */
function addressesIn(tokens: Tokens): Tokens[] {
  const addresses: Tokens[] = [];
  let begin = 0;
  for (let at = 0; at < tokens.length; at++) {
    if (!isZip(tokens[at] ?? '') || !endsAddress(tokens, begin, at)) continue;
    addresses.push(withoutCommas(tokens.slice(begin, at + 1)));
    begin = at + 1;
  }
  return addresses;
}

/** Whether a ZIP ends an address from `begin` on: a house number, a street and a state precede it. A box has none. */
function endsAddress(tokens: Tokens, begin: number, zip: number): boolean {
  const state = stateBeforeZip(tokens, zip);
  return state >= 0 && partsAroundBoxes(tokens.slice(begin, state)).some(hasHouse);
}

/** Whether a copy is the same, but for what is behind the first one's ZIP in HL7: `…^MA^02118^USA^H~150 Main St^…`. */
const isSame = (copy: string, text: string): boolean =>
  copy === text || (copy.endsWith(` ${text}`) && !hasDigit(copy.slice(0, -text.length)));

/** What two copies of an address have in common: `150 Main St & Boston MA 02118` lacks only commas. */
const textOf = (address: Tokens = []): string => address.filter((token) => token !== ',' && token !== '&').join(' ');
