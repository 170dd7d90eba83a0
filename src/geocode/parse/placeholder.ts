import { stateAtEnd } from './state-names.js';
import type { Tokens } from './tokens.js';

/** What exports and forms have for a missing ZIP; the `#` is that of `#N/A`. No ZIP consists of zeros or nines alone. */
const PLACEHOLDER = /^(?:NAN|NULL|NONE|NIL|NA|N\/A|UNK|UNKNOWN|BLANK|X{3,}|#|0|(?:0{5}|9{5})(?:-?(?:0{4}|9{4}))?)$/;

const isEmpty = (token: string): boolean => token === ',' || PLACEHOLDER.test(token);

/**
 * Drops what stands for a missing ZIP behind the state at the end of an address: `150 Main St, Boston, MA nan`, `… MA,
 * NULL`, `… MA 99999`. Other texts are returned as they are.
 */
export function withoutPlaceholder(tokens: Tokens): Tokens {
  if (!isEmpty(tokens.at(-1) ?? '')) return tokens;
  const address = tokens.slice(0, tokens.findLastIndex((token) => !isEmpty(token)) + 1);
  return stateAtEnd(address) ? address : tokens;
}
