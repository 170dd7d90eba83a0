import { cardinalValue } from '../../core/streets/cardinals.js';
import { isStreetEnd } from '../../core/streets/street-types.js';
import { endsWithCountry, withoutCountry } from './country.js';
import { beginsWithHouse, hasHouse } from './houses.js';
import { isState, STATE_OR_COUNTY, stateAtEnd } from './state-names.js';
import { splitAtCommas, type Tokens, withoutCommas } from './tokens.js';
import { isUnit } from './units.js';
import { partsAroundBoxes } from './unplaceable.js';
import { hasDigit } from './words.js';
import { isPlusFour, isZip, isZipOf, stateBeforeZip } from './zip.js';

/** House number, street, a comma or the city, and the state: an address has at least these before its ZIP. */
const LEAST_BEFORE_ZIP = 4;

/**
 * Drops an address's trailer, which is what follows its state and ZIP: `150 Main St, Boston, MA 02118, Apt 3`,
 * `… MA 02118 (Suffolk County)` and `…^MA^02118^USA^H` all end at the ZIP. After a state without a ZIP, only a unit can be
 * told from the rest of an address: `150 Main St, Boston, MA, Apt 3`. Other texts are returned as they are.
 */
export const withoutTrailer = (tokens: Tokens): Tokens => withoutOtherPlace(upToPlace(withoutCounty(tokens)));

/** What kind of address it is, in HL7: `H` for a home, `P` for a permanent one, `BDL` for where someone was born; not `ZIP`. */
const KIND = /^(?:BA|BDL|BI|BR|B|C|F|HV|H|L|M|N|O|P|RH|SH|S|TM|V)$/;

/**
 * Drops the county's code behind the country and the kind of address, where the ZIP is missing: `150 Main
 * St^^Boston^MA^^USA^H^^25025`. Other texts are returned as they are.
 */
function withoutCounty(tokens: Tokens): Tokens {
  if (!isZip(tokens.at(-1) ?? '')) return tokens;
  const kind = withoutCommas(tokens.slice(0, -1));
  if (!KIND.test(kind.at(-1) ?? '')) return tokens;
  const country = withoutCommas(kind.slice(0, -1));
  const isCounty = endsWithCountry(country) && stateAtEnd(withoutCountry(country)) !== undefined;
  return isCounty ? country : tokens;
}

/** The tokens up to the last ZIP behind a state, or to the state if only a unit follows it. */
function upToPlace(tokens: Tokens): Tokens {
  if (endsWithPlace(tokens)) return tokens;
  const zip = tokens.findLastIndex(
    (token, at) => at >= LEAST_BEFORE_ZIP && isZip(token) && stateBeforeZip(tokens, at) >= 0,
  );
  // `Jane Sample MD 12345 Main St` has no house before its `MD 12345`, so the address does not end there.
  const isEndOfAddress = zip >= 0 && tokens.slice(0, stateBeforeZip(tokens, zip)).some(hasDigit);
  return isEndOfAddress ? upToZip(tokens, zip) : withoutUnitBehindState(tokens);
}

/**
 * Drops what follows the place of a house if it is a place, too, or looks like one: `150 Main
 * St^^Boston^MA^02118^USA^H^^25025` has the county's code there, and `150 Main St, Boston, MA 02118, mailing: PO Box 12,
 * Salem, MA 01970` another address. Not if a street is there.
 */
function withoutOtherPlace(tokens: Tokens): Tokens {
  const address = withoutCountry(tokens);
  // Most addresses have a ZIP at their end, and no other.
  const last = address.length - 1;
  const zip = address.findIndex((token, at) => at < last && isZip(token) && isPlaceOfHouse(address, at));
  if (zip < 0) return tokens;
  const hasNumber = splitAtCommas(address.slice(0, zip)).some(beginsWithHouse);
  const isStreetThere = partsAroundBoxes(address.slice(zip + 1)).some(
    (part) => mayHoldStreet(part) || (!hasNumber && beginsWithCardinal(part)),
  );
  return isStreetThere ? tokens : tokens.slice(0, zip + 1);
}

/** `One Broadway`, of which `Ward 3, Boston, MA 02118, One Broadway, Salem, MA 01970` is the address. */
const beginsWithCardinal = ([word = '', ...more]: Tokens): boolean =>
  more.length > 0 && cardinalValue(word) !== undefined;

/** Whether a ZIP is that of the state right before it, and a house number may be before both. */
function isPlaceOfHouse(tokens: Tokens, zip: number): boolean {
  if (zip < LEAST_BEFORE_ZIP) return false;
  const before = withoutCommas(tokens.slice(0, zip));
  const state = stateAtEnd(before);
  if (!state || !isZipOf(tokens[zip] ?? '', state.fips)) return false;
  return partsAroundBoxes(before.slice(0, -state.length)).some((part) => part.some(hasDigit));
}

/** Whether a part of an address may be a street, with a house number or without. */
const mayHoldStreet = (part: Tokens): boolean => hasHouse(part) || part.some(isEndOfStreet);

/** Not `St` before another word, which begins cities, nor the state before a ZIP: `Berlin, CT 06037`. */
const isEndOfStreet = (word: string, at: number, part: Tokens): boolean =>
  at > 0 && isStreetEnd(word) && (at === part.length - 1 || (word !== 'ST' && !isZip(part[at + 1] ?? '')));

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
const isCountyAtEnd = (tokens: Tokens): boolean => tokens.at(-1) === STATE_OR_COUNTY && tokens.at(-2) !== ',';

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
