import { cityKey } from '../../core/streets/street-name.js';
import type { Whereabouts } from './readings.js';
import { stateAtEnd, stateFipsOf } from './state-names.js';
import { splitHyphens, type Tokens } from './tokens.js';
import { cityOf } from './units.js';
import { aroundBox } from './unplaceable.js';
import { isZip, ZIP_LENGTH } from './zip.js';

const NONE: readonly Whereabouts[] = [];
/** Fewer words do not hold two cities and a state: `HERTFORD NC CHARLOTTE`. */
const LEAST_OF_TWO = 3;

/**
 * What may be places before an address's city, which is the last part behind the street: `150 Main St, Hertford, NC; PO Box
 * 12, Charlotte, NC 28202`. Which of them are cities is for others to tell.
 */
export function placesBetween(others: readonly string[][]): readonly Whereabouts[] {
  const [first, ...more] = others;
  if (!first || (more.length === 0 && first.length < LEAST_OF_TWO)) return NONE;
  const parts = others.flatMap(aroundBox);
  const last = cityKey(splitHyphens(cityOf(parts)));
  const places = parts
    .slice(0, -1)
    .map((part, at) => placeOf(part, at < parts.length - 2 ? (parts[at + 1] ?? []) : []));
  return places.filter(({ city }) => cityKey(city) !== last);
}

/** `Co` is Colorado or a county. */
const COUNTY = 'CO';

/** The place that a part names, whose state and ZIP may be the next part: `HERTFORD | NC 27944`. */
function placeOf(part: Tokens, next: Tokens): Whereabouts {
  const { words, zip } = takeZip(part);
  const own = words.at(-1) === COUNTY ? undefined : stateAtEnd(words);
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
