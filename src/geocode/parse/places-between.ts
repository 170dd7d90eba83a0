import { cityKey } from '../../core/streets/street-name.js';
import type { Whereabouts } from './readings.js';
import { isAbbreviation, STATE_OR_COUNTY, stateAtEnd, stateFipsOf } from './state-names.js';
import { splitHyphens, type Tokens } from './tokens.js';
import { cityOf } from './units.js';
import { aroundBox } from './unplaceable.js';
import { isZip, ZIP_LENGTH } from './zip.js';

const NONE: readonly Whereabouts[] = [];
/** Fewer words do not hold two cities and a state: `HERTFORD NC CHARLOTTE`. */
const LEAST_OF_TWO = 3;

/** How many words a city at the end of a street's may have, the likeliest meant first. */
const CITY_LENGTHS = [4, 3, 2, 1];

/**
 * What may be places before an address's city, which is the last part behind the street: `150 Main St, Hertford, NC; PO Box
 * 12, Charlotte, NC 28202`. The first may be `behindUnit`, or at the end of the `street`: `150 Main St Hertford, NC; …`.
 * Which of them are cities is for others to tell.
 */
export function placesBetween(
  street: Tokens,
  behindUnit: Tokens,
  others: readonly string[][],
  stateFips: string | undefined,
): readonly Whereabouts[] {
  const [first, ...more] = others;
  if (!first || (more.length + behindUnit.length === 0 && first.length < LEAST_OF_TWO)) return NONE;
  const parts = others.flatMap(aroundBox).flatMap((part) => cutBehindState(part, stateFips));
  const last = cityKey(splitHyphens(cityOf(parts)));
  const places = [behindUnit, ...parts.slice(0, -1)].map((part, at, before) => placeOf(part, before[at + 1] ?? []));
  const [ofUnit] = places;
  if (ofUnit?.city.length === 0 && ofUnit.stateFips !== undefined) places.unshift(...placesAtEnd(street, ofUnit));
  return places.filter(({ city }) => city.length > 0 && cityKey(city) !== last);
}

/** The places that a street's last words may be, with a state and perhaps a ZIP behind them. */
const placesAtEnd = (street: Tokens, behind: Whereabouts): Whereabouts[] =>
  CITY_LENGTHS.filter((length) => length < street.length).map((length) => ({ ...behind, city: street.slice(-length) }));

/**
 * A part in two where the address's state is within it, since a place ends there: `HERTFORD NC | MAILING ADDRESS`. Only where
 * the state is abbreviated: its name may begin a city's, such as `Iowa City`.
 */
function cutBehindState(part: string[], stateFips: string | undefined): string[][] {
  if (stateFips === undefined) return [part];
  const state = part.findIndex(
    (word) => isAbbreviation(word) && word !== STATE_OR_COUNTY && stateFipsOf(word) === stateFips,
  );
  const end = state < 0 ? part.length : state + (isZip(part[state + 1] ?? '') ? 2 : 1);
  return end < part.length ? [part.slice(0, end), part.slice(end)] : [part];
}

/** The place that a part names, whose state and ZIP may be the next part: `HERTFORD | NC 27944`. */
function placeOf(part: Tokens, next: Tokens): Whereabouts {
  const { words, zip } = takeZip(part);
  const own = words.at(-1) === STATE_OR_COUNTY ? undefined : stateAtEnd(words);
  if (own) return { city: words.slice(0, -own.length), stateFips: own.fips, zip };
  const behind = takeZip(next);
  const stateFips = stateFipsOf(behind.words.join(' '));
  return { city: words, stateFips, zip: stateFips === undefined ? zip : (zip ?? behind.zip) };
}

/** A part without the ZIP at its end, if there is one. */
function takeZip(part: Tokens): { readonly words: Tokens; readonly zip: number | undefined } {
  const last = part.at(-1) ?? '';
  const zip = isZip(last) ? Number(last.slice(0, ZIP_LENGTH)) : undefined;
  return { words: splitHyphens(zip === undefined ? part : part.slice(0, -1)), zip };
}
