import { type Tokens, withoutCommas } from './tokens.js';
import { isZip } from './zip.js';

const COUNTRIES = [['USA'], ['US'], ['U', 'S', 'A'], ['UNITED', 'STATES'], ['UNITED', 'STATES', 'OF', 'AMERICA']];
const LAST_WORDS = new Set(COUNTRIES.map((name) => name.at(-1) ?? ''));

/** Whether an address ends with its country: `150 Main St, Boston, MA 02118, USA`. */
export const endsWithCountry = (tokens: Tokens): boolean => countryLength(tokens) > 0;

/** The address without the country at its end or before its ZIP, and without the comma before that. */
export function withoutCountry(tokens: Tokens): Tokens {
  const length = countryLength(tokens);
  if (length > 0) return withoutCommas(tokens.slice(0, -length));
  const last = tokens.at(tokens.at(-2) === ',' ? -3 : -2) ?? '';
  // Nearly no address has a country there.
  return LAST_WORDS.has(last) ? withoutCountryBeforeZip(tokens) : tokens;
}

/** `150 Main St, Boston, MA, USA, 02118`, `150 Main St, Boston, MA, USA 02118` */
function withoutCountryBeforeZip(tokens: Tokens): Tokens {
  const zip = tokens.at(-1) ?? '';
  const before = withoutCommas(tokens.slice(0, -1));
  return isZip(zip) && endsWithCountry(before) ? [...withoutCountry(before), ',', zip] : tokens;
}

/** How many of the last tokens are the country; 0 if none are. */
function countryLength(tokens: Tokens): number {
  if (!LAST_WORDS.has(tokens.at(-1) ?? '')) return 0;
  return (
    COUNTRIES.find((name) => name.every((word, at) => tokens[tokens.length - name.length + at] === word))?.length ?? 0
  );
}
