import { endsWithCountry } from './country.js';
import { isState } from './state-names.js';
import type { Tokens } from './tokens.js';
import { isUnit } from './units.js';
import { hasDigit } from './words.js';
import { isPlusFour, isZip, stateBeforeZip } from './zip.js';

/** House number, street, a comma or the city, and the state: an address has at least these before its ZIP. */
const LEAST_BEFORE_ZIP = 4;
/** `Co` is Colorado or a county. */
const COUNTY = 'CO';

/**
 * Drops an address's trailer, which is what follows its state and ZIP: `150 Main St, Boston, MA 02118, Apt 3`,
 * `… MA 02118 (Suffolk County)` and `…^MA^02118^USA^H` all end at the ZIP. After a state without a ZIP, only a unit can be
 * told from the rest of an address: `150 Main St, Boston, MA, Apt 3`. Other texts are returned as they are.
 */
export function withoutTrailer(tokens: Tokens): Tokens {
  if (endsWithPlace(tokens)) return tokens;
  const zip = tokens.findLastIndex(
    (token, at) => at >= LEAST_BEFORE_ZIP && isZip(token) && stateBeforeZip(tokens, at) >= 0,
  );
  // `Jane Sample MD 12345 Main St` has no house before its `MD 12345`, so the address does not end there.
  const isEndOfAddress = zip >= 0 && tokens.slice(0, stateBeforeZip(tokens, zip)).some(hasDigit);
  return isEndOfAddress ? upToZip(tokens, zip) : withoutUnitBehindState(tokens);
}

/** Whether an address ends as most do, with its ZIP, state or country: then it has no trailer. */
function endsWithPlace(tokens: Tokens): boolean {
  const last = tokens.at(-1) ?? '';
  if (isZip(last)) return !isCodeBehindZip(tokens);
  if (isState(last)) return !isCountyAtEnd(tokens);
  return endsWithCountry(tokens);
}

/** Whether what looks like a ZIP at the end follows one: `MA,02118,25025`, where it is the county's code. */
const isCodeBehindZip = (tokens: Tokens): boolean => isZip(tokens.at(tokens.at(-2) === ',' ? -3 : -2) ?? '');

/** Whether a `Co` at the end is a county's: `MA 02118, Sample Co`, but not `Denver, CO`. */
const isCountyAtEnd = (tokens: Tokens): boolean => tokens.at(-1) === COUNTY && tokens.at(-2) !== ',';

/** The tokens up to a ZIP; all of them if only its four further digits follow: `02118 1234`. */
function upToZip(tokens: Tokens, zip: number): Tokens {
  const hasPlusFour = zip === tokens.length - 2 && isPlusFour(tokens.at(-1) ?? '');
  return hasPlusFour ? tokens : tokens.slice(0, zip + 1);
}

function withoutUnitBehindState(tokens: Tokens): Tokens {
  const comma = tokens.lastIndexOf(',');
  const isBehindState = comma >= LEAST_BEFORE_ZIP && isState(tokens[comma - 1] ?? '');
  return isBehindState && isUnit(tokens.slice(comma + 1)) ? tokens.slice(0, comma) : tokens;
}
