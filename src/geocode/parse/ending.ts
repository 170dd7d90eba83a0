import { isStreetEnd } from '../../core/streets/street-types.js';
import { withoutCountry } from './country.js';
import { beginsWithHouse, hasDigit, hasHouse } from './houses.js';
import { isState, stateAtEnd, stateFipsOf } from './state-names.js';
import { withoutTelephone } from './telephone.js';
import { splitAtCommas, type Tokens, withoutCommas } from './tokens.js';
import { withoutTrailer } from './trailer.js';
import { isPlusFour, isZip, stateBeforeZip, ZIP_LENGTH } from './zip.js';

/** What an address ends with, and what precedes that. */
export interface Ending {
  /** What precedes the ending. */
  readonly body: Tokens;
  /** The ZIP as a number; undefined where there is none. */
  readonly zip: number | undefined;
  /** Two digits. */
  readonly stateFips: string | undefined;
}

const BROKEN_ZIP = /^(?:\d{3,4}|\d{6,7})$/;
/** Spreadsheets drop the zero that ZIPs in the Northeast begin with. */
const ZIP_WITHOUT_ZERO = /^(\d{4})(?:-\d{4})?$/;
/** The states with such ZIPs: Connecticut, Maine, Massachusetts, New Hampshire, New Jersey, Rhode Island, Vermont. */
const STATES_OF_ZERO = new Set(['09', '23', '25', '33', '34', '44', '50']);
/** Number, street, a comma or city, state. */
const LEAST_BEFORE_ZIP = 4;
/** Number, street, state. */
const LEAST_WITH_STATE = 3;
const LETTERS = /^[A-Z]+$/;
/**
 * Takes telephone numbers, country, ZIP and state off an address's end, and what follows these; the likeliest reading
 * comes first. `Ct` is Connecticut or a court: unless a comma shows that it is a state, both readings are returned.
 */
export function readEndings(tokens: Tokens): Ending[] {
  const { body, zip } = takeZip(zipLast(withoutCountry(withoutTelephone(withoutTrailer(streetFirst(tokens))))));
  const withoutState: Ending = { body, zip, stateFips: undefined };
  const state = stateAtEnd(body);
  if (!state) return [withoutState];
  const before = body.slice(0, -state.length);
  const isSetApart = before.at(-1) === ',';
  if (!isSetApart && isStreetEnd(body.at(-1) ?? '') && namesState(before)) return [withoutState];
  const withState: Ending = { body: withoutCommas(before), zip, stateFips: state.fips };
  return isSetApart ? [withState] : [withState, withoutState];
}

/** Whether a state stands between commas: `Boston, MA, 150 Elm` does, so that a `Ct` after it is a court. */
const namesState = (tokens: Tokens): boolean => splitAtCommas(tokens).some(isStateAlone);

const isStateAlone = (part: readonly string[]): boolean => isState(part.join(' '));

/**
 * `Boston, MA 02118, 150 Main St` with the street first, and `02118, Boston, MA, 150 Main St`, in whichever order; other
 * texts as they are.
 */
export function streetFirst(tokens: Tokens): Tokens {
  const at = tokens.findIndex(isZip);
  if (at >= 0 && tokens.lastIndexOf(',') > at) return streetBeforeColumns(tokens) ?? streetBeforePlace(tokens, at);
  return tokens;
}

/** Four columns: a ZIP, a state and a city in any order, then the street. Undefined for other texts. */
function streetBeforeColumns(tokens: Tokens): Tokens | undefined {
  const parts = splitAtCommas(tokens);
  const [street = [], place] = [parts[3], parts.slice(0, 3)];
  if (parts.length !== 4 || !beginsWithHouse(street)) return undefined;
  const zip = place.find((part) => part.length === 1 && isZip(part[0] ?? ''));
  const state = place.find(isStateAlone);
  const city = place.find((part) => part !== zip && part !== state && !hasDigit(part));
  return zip && state && city && [...street, ',', ...city, ',', ...state, ...zip];
}

function streetBeforePlace(tokens: Tokens, at: number): Tokens {
  if (at < LEAST_WITH_STATE - 1 || tokens[at + 1] !== ',') return tokens;
  const [place, street] = [tokens.slice(0, at + 1), tokens.slice(at + 2)];
  const isPlace = stateBeforeZip(tokens, at) >= 0 && !hasDigit(place.slice(0, -1));
  // `Jane Sample, MD 12345, 150 Main St, Boston, MA` has its state behind the street.
  const isStreet = beginsWithHouse(street) && !street.includes(',');
  return isPlace && isStreet ? [...street, ',', ...place] : tokens;
}

/**
 * Moves a ZIP to the end: that of `02118 MA`, with or without a comma between, and of `02118 Boston`, with a state after it
 * or without, after a comma.
 */
function zipLast(body: Tokens): Tokens {
  const state = body.at(-1) ?? '';
  const length = body.at(-2) === ',' ? 3 : 2;
  const zip = body.at(-length) ?? '';
  const isOtherWay = isState(state) && body.length > LEAST_BEFORE_ZIP && isZip(zip);
  return isOtherWay ? [...body.slice(0, -length), state, zip] : zipBehindCity(body);
}

/**
 * `150 Main St, 02118 Boston, MA` and `150 Main St, 02118, Boston, MA` with the ZIP at its end, also without a comma before
 * it; other texts as they are.
 */
function zipBehindCity(body: Tokens): Tokens {
  const at = body.findLastIndex(isZip);
  const before = body[at - 1] ?? '';
  const isBehindComma = before === ',';
  if (at < LEAST_WITH_STATE || !(isBehindComma || isStreetEnd(before)) || !hasHouse(body.slice(0, at))) return body;
  const rest = body[at + 1] === ',' ? body.slice(at + 2) : body.slice(at + 1);
  if (rest.length === 0 || !rest.every((word) => LETTERS.test(word) || word === ',')) return body;
  const comma = rest.indexOf(',');
  const isStateAlone = rest.length === 1 && isState(rest[0] ?? '');
  // `150 Main St, 12345 Elm St, Boston` holds two addresses; without commas `St` may also be any other word of theirs.
  const isStreet = isBehindComma
    ? isStreetEnd(rest.at(comma < 0 ? -1 : comma - 1) ?? '')
    : rest.some((word, index) => index > 0 && isStreetEnd(word));
  return isStateAlone || isStreet ? body : [...body.slice(0, at), ...rest, body[at] ?? ''];
}

function takeZip(body: Tokens): { body: Tokens; zip: number | undefined } {
  const last = body.at(-1) ?? '';
  const apart = body.length > LEAST_WITH_STATE && isPlusFour(last) && isZip(body.at(-2) ?? '');
  const written = apart ? (body.at(-2) ?? '') : last;
  const zip = isZip(written) ? written.slice(0, ZIP_LENGTH) : zipWithoutZero(body);
  if (zip === undefined || body.length < 2) return { body: withoutBrokenZip(body), zip: undefined };
  return { body: withoutCommas(body.slice(0, apart ? -2 : -1)), zip: Number(zip) };
}

/** Drops digits after a state that are no ZIP, since they say nothing: `NC 2794`, `MT 596454`. */
function withoutBrokenZip(body: Tokens): Tokens {
  const isBroken = body.length > LEAST_BEFORE_ZIP && BROKEN_ZIP.test(body.at(-1) ?? '');
  const before = isBroken ? withoutCommas(body.slice(0, -1)) : body;
  return isState(before.at(-1) ?? '') ? before : body;
}

/** The ZIP whose leading zero was lost, if the last digits are one: after a state with such ZIPs, a number and a street. */
function zipWithoutZero(body: Tokens): string | undefined {
  const zip = ZIP_WITHOUT_ZERO.exec(body.at(-1) ?? '')?.[1];
  if (zip === undefined || body.length <= LEAST_BEFORE_ZIP) return undefined;
  const before = withoutCommas(body.slice(0, -1));
  const states = [1, 2].map((count) => stateFipsOf(before.slice(-count).join(' ')) ?? '');
  return states.some((fips) => STATES_OF_ZERO.has(fips)) ? zip : undefined;
}
