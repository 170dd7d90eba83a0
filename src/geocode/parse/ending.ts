import { isDirection } from '../../core/streets/street-directions.js';
import { isStreetEnd, isStreetType } from '../../core/streets/street-types.js';
import { withoutCountry } from './country.js';
import { withoutPlaceholder } from './placeholder.js';
import { isState, STATE_OR_COUNTY, stateAtEnd, stateFipsOf } from './state-names.js';
import { withoutTelephone } from './telephone.js';
import { splitAtCommas, type Tokens, withoutCommas } from './tokens.js';
import { withoutTrailer } from './trailer.js';
import {
  type PlaceFirst,
  placeFirst,
  stateBehindCity,
  streetFirst,
  zipFromBegin,
  zipLast,
  zipOfCorner,
} from './usual-order.js';
import { isPlusFour, isZip, isZipOf, ZIP_LENGTH, zipText } from './zip.js';

/** An address's ending is its state and its ZIP, or what there is of them. */
export interface Ending {
  /** What precedes the ending: `150 MAIN ST , BOSTON` of `150 Main St, Boston, MA 02118`. */
  readonly body: Tokens;
  /** The ZIP as a number; undefined where there is none. */
  readonly zip: number | undefined;
  /** Two digits; undefined where no state is named. */
  readonly stateFips: string | undefined;
  /** Set if city and state were before the street: see `placeFirst`. */
  readonly isPlaceFirst?: true;
}

/**
 * Reads an address's ending, in whichever order the address is written, without telephone numbers, country, what stands
 * for a missing ZIP, and whatever else follows: `150 Main St, 02118 Boston, MA, USA, tel. 617-555-0100`. The likeliest
 * reading comes first: a state without a comma before it may also be a word of the street. `150 Oak Ct` is in Connecticut or
 * on Oak Court, `150 Main St NE` in Nebraska or on Main Street NE. A place without a ZIP before the street comes last, since
 * it may be a name.
 */
export function readEndings(tokens: Tokens): Ending[] {
  const address = withoutPlaceholder(withoutCountry(withoutTelephone(withoutTrailer(streetFirst(tokens)))));
  const first = placeFirst(address);
  return first ? [...readInOrder(address), endingOf(first)] : readInOrder(address);
}

/** The ending of `Boston, MA 150 Main St`. */
const endingOf = ({ street, city, stateFips }: PlaceFirst): Ending => ({
  body: [...street, ',', ...city],
  zip: undefined,
  stateFips,
  isPlaceFirst: true,
});

function readInOrder(address: Tokens): Ending[] {
  const corner = zipOfCorner(address);
  if (corner) return readEnding(corner);
  const turned = zipFromBegin(address);
  if (!turned) return readEnding(stateBehindCity(zipLast(address)));
  const [zip = ''] = address;
  // `02118, 150 Elm Ct` is not in Connecticut.
  const usual = readEnding(address).filter(({ stateFips }) => stateFips !== CONNECTICUT || isZipOf(zip, CONNECTICUT));
  return [...usual, ...readEnding(turned)];
}

function readEnding(address: Tokens): Ending[] {
  const { body, zip } = takeZip(address);
  const withoutState: Ending = { body, zip, stateFips: undefined };
  const state = stateAtEnd(body);
  if (!state) return [withoutState];
  const before = withoutStateAgain(body.slice(0, -state.length), body.at(-1) ?? '');
  const isSetApart = before.at(-1) === ',';
  if (!isSetApart && isCourt(body.at(-1) ?? '', before)) return [withoutState];
  const withState: Ending = { body: withCountySpelled(withoutCommas(before)), zip, stateFips: state.fips };
  return isSetApart || isStateForSure(before, body.at(-1) ?? '', withState) ? [withState] : [withState, withoutState];
}

/** `150 Main St Boston MA` before another `MA`; not `Elm Ct` before `CT`, nor `Main St NE` before `NE`. */
function withoutStateAgain(before: Tokens, state: string): Tokens {
  const isAgain = before.at(-1) === state && state.length === 2 && state !== STATE_OR_COUNTY;
  return isAgain && !isDirection(state) && !isStreetType(state) ? before.slice(0, -1) : before;
}

/** Whether the state behind a street's end is the ZIP's, and its last word neither a direction nor a street type. */
const isStateForSure = (before: Tokens, last: string, { zip, stateFips }: Ending): boolean =>
  zip !== undefined &&
  stateFips !== undefined &&
  isZipOf(zipText(zip), stateFips) &&
  !isDirection(last) &&
  !isStreetType(last) &&
  before.some(isStreetEnd);

/** Before a state, `Co` is no state itself: `150 Main St Boston Suffolk Co MA` names a county. */
const withCountySpelled = (body: Tokens): Tokens =>
  body.at(-1) === STATE_OR_COUNTY ? [...body.slice(0, -1), 'COUNTY'] : body;

/** Whether a `Ct` at the end can only be a court, since a comma sets another state apart: `Boston, MA, 150 Elm Ct`. */
const isCourt = (last: string, before: Tokens): boolean =>
  isStreetEnd(last) && splitAtCommas(before).some((part) => isState(part.join(' ')));

/** `CT` is a court, too. */
const CONNECTICUT = '09';

/** House number, street, ZIP, and the four further digits of that. */
const LEAST_WITH_PLUS_FOUR = 4;
/** House number, street, a comma or the city, state, and the digits behind it. */
const LEAST_WITH_DIGITS = 5;

/**
 * Takes the ZIP off an address that ends with it: `02118`, `02118-1234`, `02118 1234`, `02118-12` where figures were lost,
 * or `2118` where its zero was.
 */
function takeZip(address: Tokens): Pick<Ending, 'body' | 'zip'> {
  const tokens = withoutPlusFour(address);
  const last = tokens.at(-1) ?? '';
  const zip = isZip(last) ? last.slice(0, ZIP_LENGTH) : (zipBeforeFigures(tokens) ?? zipWithoutZero(tokens));
  return zip === undefined || tokens.length < 2
    ? { body: withoutBrokenZip(tokens), zip: undefined }
    : { body: withoutCommas(tokens.slice(0, -1)), zip: Number(zip) };
}

/** `150 Main St 02118 1234` without its last token; other texts as they are. */
function withoutPlusFour(tokens: Tokens): Tokens {
  const hasPlusFour = isPlusFour(tokens.at(-1) ?? '') && isZip(tokens.at(-2) ?? '');
  return hasPlusFour && tokens.length >= LEAST_WITH_PLUS_FOUR ? tokens.slice(0, -1) : tokens;
}

const ZIP_BEFORE_FIGURES = /^(\d{5})-(?:\d{1,3}|\d{5,})$/;

/** The ZIP behind a state if its further digits are not four: `MA 02118-12` was cut off, `MA 02118-0` lost its zeros. */
function zipBeforeFigures(tokens: Tokens): string | undefined {
  const [, zip] = ZIP_BEFORE_FIGURES.exec(tokens.at(-1) ?? '') ?? [];
  return zip !== undefined && stateAtEnd(withoutCommas(tokens.slice(0, -1))) ? zip : undefined;
}

/** Spreadsheets drop the zero that ZIPs in the Northeast begin with, also of those with nine digits. */
const ZIP_WITHOUT_ZERO = /^(\d{4})(?:-\d{1,4}|\d{4})?$/;
/** The states with such ZIPs: Connecticut, Maine, Massachusetts, New Hampshire, New Jersey, Rhode Island, Vermont. */
const STATES_OF_ZERO = new Set(['09', '23', '25', '33', '34', '44', '50']);

/** The ZIP at the end if it lost its zero: `2118` of `150 Main St, Boston, MA 2118`. Undefined behind other states. */
function zipWithoutZero(tokens: Tokens): string | undefined {
  const [, zip] = ZIP_WITHOUT_ZERO.exec(tokens.at(-1) ?? '') ?? [];
  if (zip === undefined || tokens.length < LEAST_WITH_DIGITS) return undefined;
  const before = withoutCommas(tokens.slice(0, -1));
  const isOfZero = (words: number): boolean => STATES_OF_ZERO.has(stateFipsOf(before.slice(-words).join(' ')) ?? '');
  return isOfZero(1) || isOfZero(2) ? zip : undefined;
}

/** With figures missing, with more than a ZIP has, or with a letter in the place of one or behind all. */
const BROKEN_ZIP = /^(?:\d{3,4}|\d{6,8}|\d{10,}|\d{4,5}[A-Z])$/;

/** Drops what is no ZIP behind a state, since it says nothing: `150 Main St, Boston, MA 021181`, `… MA 0211A`. */
function withoutBrokenZip(tokens: Tokens): Tokens {
  if (tokens.length < LEAST_WITH_DIGITS || !BROKEN_ZIP.test(tokens.at(-1) ?? '')) return tokens;
  const before = withoutCommas(tokens.slice(0, -1));
  return isState(before.at(-1) ?? '') ? before : tokens;
}
