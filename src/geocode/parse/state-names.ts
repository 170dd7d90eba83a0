import { STATES } from '../../core/states.js';
import { foldText } from '../../core/streets/fold-text.js';

/**
 * State abbreviations from before 1963 that are still used, without those that are words of names (`Miss`, `Del`,
 * `Penn`).
 */
const TRADITIONAL =
  `AL ALA|AZ ARIZ|AR ARK|CA CALIF|CO COLO|CT CONN|FL FLA|IL ILL|KS KANS|MA MASS|MI MICH|MN MINN|MT MONT|NE NEBR
NV NEV|NH N HAMPSHIRE|NJ N JERSEY|NM N MEXICO|NC N CAROLINA|ND N DAKOTA|OK OKLA|OR OREG|PA PENNA|SC S CAROLINA|SD S DAKOTA
TN TENN|TX TEX|WA WASH|WV W VA|WV W VIRGINIA|WI WIS|WI WISC|WY WYO`
    .split(/[|\n]/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3)] as const);

/** The two-digit FIPS code of each state by everything it is called: `MASSACHUSETTS`, `MA` and `MASS` are `25`. */
const FIPS_BY_NAME: ReadonlyMap<string, string> = new Map(
  STATES.flatMap(({ fips, abbreviation, name }) => {
    const traditional = TRADITIONAL.flatMap(([of, text]) => (of === abbreviation ? [text] : []));
    return [abbreviation, foldText(name), ...traditional].map((text) => [text, fips] as const);
  }),
);

/** The FIPS code of the state that a text is the name or an abbreviation of; undefined if it is none. */
export const stateFipsOf = (text: string): string | undefined => FIPS_BY_NAME.get(text);

/** Whether a text is a state's name or abbreviation: `MA`, `MASS`, `NEW YORK`. */
export const isState = (text: string): boolean => FIPS_BY_NAME.has(text);

/** Whether a word is a state's abbreviation of two letters: `MA`. */
export const isAbbreviation = (word: string): boolean => word.length === 2 && isState(word);

/** Colorado, or a county: `Denver, CO` and `Sample Co`. */
export const STATE_OR_COUNTY = 'CO';

/** A state that words end with. */
export interface StateAtEnd {
  readonly fips: string;
  /** How many words its name has. */
  readonly length: number;
}

/** The last words of state names that have several: `YORK`, `DAKOTA`. */
const ENDS_OF_LONG_NAMES = new Set(
  [...FIPS_BY_NAME.keys()].flatMap((name) => (name.includes(' ') ? [name.split(' ').at(-1)] : [])),
);
/** `DISTRICT OF COLUMBIA`, `US VIRGIN ISLANDS` */
const LONGEST_NAME = 3;

/**
 * The state that words end with: West Virginia rather than Virginia in `MAIN ST CHARLESTON WEST VIRGINIA`. Undefined if
 * there is none, or if it is all there is.
 */
export function stateAtEnd(words: readonly string[]): StateAtEnd | undefined {
  const last = words.at(-1) ?? '';
  const longest = ENDS_OF_LONG_NAMES.has(last) ? LONGEST_NAME : 1;
  for (let length = Math.min(longest, words.length - 1); length > 0; length--) {
    const fips = stateFipsOf(length === 1 ? last : words.slice(-length).join(' '));
    if (fips !== undefined) return { fips, length };
  }
  return undefined;
}
