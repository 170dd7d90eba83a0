import { isDigitAt } from '../../core/digits.js';
import { isStreetType } from '../../core/streets/street-types.js';
import { mayBeHouseNumber } from './houses.js';
import { figuresOf, lettersOf, lettersOfStreet, ordinalEnding, ordinalOf, zipFiguresOf } from './misread.js';
import { GLUED_HIGHWAY, GLUED_UNIT, splitGlued } from './split-glued.js';
import { isState } from './state-names.js';
import type { Tokens } from './tokens.js';
import { hasDigit, isInDigits } from './words.js';
import { ZIP_LENGTH } from './zip.js';

/** A token with those beside it. */
interface Placed {
  readonly token: string;
  /** The tokens before it, as mended. */
  readonly before: Tokens;
  /** The last of these; a comma if the token is the first. */
  readonly last: string;
  /** The token behind it, as written; a comma if it is the last. */
  readonly next: string;
}

/** What becomes of tokens that are written otherwise than they are meant. */
interface Mending {
  /** The tokens that are meant, perhaps none; undefined if the token is not one for this mending. */
  readonly meant: (placed: Placed) => Tokens | undefined;
  /** Whether they replace the token before it, too. */
  readonly takesLast?: true;
}

/** The first that fits decides. None is tried unless {@link isDoubtful} has the shape of its tokens. */
const MENDINGS: readonly Mending[] = Object.values<Mending>({
  /** `150 Main St & 12 Oak St` holds two addresses. */
  andBetweenAddresses: { meant: (placed) => (isBetweenAddresses(placed) ? [','] : undefined) },
  /** `150 43 rd Ave` is on 43rd Avenue. */
  ordinalInTwo: {
    meant: (placed) => (isEndOfOrdinal(placed) ? [placed.last + placed.token] : undefined),
    takesLast: true,
  },
  /** `150 Hwy #12`, `150 Hwy No. 12`, `150 County Rd #12` */
  signOfHighway: { meant: (placed) => (isSignOfHighway(placed) ? [] : undefined) },
  /** `150 Main St, Austin, TX 7B7O1` */
  zipMisread: { meant: ({ token, last }) => listOf(isState(last) ? zipFiguresOf(token) : undefined) },
  /** `2O7 Main St` is number 207. */
  figureMisread: { meant: ({ token }) => listOf(isDigitAtBothEnds(token) ? figuresOf(token) : undefined) },
  /** `150 E lst St` is on 1st Street, `150 1Oth Ave` on 10th Avenue; `150 STH 45` is on a highway. */
  ordinalMisread: { meant: ({ token, next }) => listOf(isStreetType(next) ? ordinalOf(token) : undefined) },
  /** `150 H0LLY Ln` is on Holly Lane, `150 8REWER St` on Brewer Street. */
  letterMisread: {
    meant: ({ token, last }) => listOf(isInDigits(last) ? lettersOfStreet(token) : lettersOf(token)),
  },
  /** `150 1-st Ave` is on 1st Avenue; where a part begins, `1-ST` may be a house number. */
  hyphenInOrdinal: { meant: ({ token, last }) => (last === ',' ? undefined : listOf(ordinalOfHyphened(token))) },
  /** `150Main St`, `MA02118`, and more. */
  glued: {
    meant: ({ token, last, next }) => splitGlued(token, { isAtBeginOfPart: last === ',', isAtEndOfPart: next === ',' }),
  },
});

const listOf = (token: string | undefined): Tokens | undefined => (token === undefined ? undefined : [token]);

/**
 * Joins what people write apart, and separates what they write together: `43 rd Ave`, `MA02445`, `150-1/2 Main St`,
 * `150Main St`, `Hwy #12`. Puts digits for letters that were misread, and vice versa: `2O7 H0lly Ln`. O(tokens).
 */
export function mend(tokens: Tokens): Tokens {
  let mended: string[] | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    if (!mended && !isDoubtful(token, tokens[at - 1] ?? '')) continue;
    mended ??= tokens.slice(0, at);
    add(mended, token, tokens[at + 1] ?? ',');
  }
  return mended ?? tokens;
}

/** Appends a token, as it is meant, to those before it; `next` is a comma if the token is the last. */
function add(before: string[], token: string, next: string): void {
  const placed = { token, before, last: before.at(-1) ?? ',', next };
  for (const { meant, takesLast } of MENDINGS) {
    const tokens = meant(placed);
    if (!tokens) continue;
    if (takesLast) before.pop();
    before.push(...tokens);
    return;
  }
  before.push(token);
}

/** Shorter tokens that end with digits are no state and ZIP: `MA02445`. */
const STATE_AND_ZIP_MIN = 7;
/** The length of `4TH`: so short a token is an ordinal, perhaps misread as `LST`, and not a number and a name. */
const LONGEST_ORDINAL = 3;
const ORDINAL_ENDINGS = new Set(['ST', 'ND', 'RD', 'TH']);
const HIGHWAYS = new Set('CR CSAH HIGHWAY HWY ROUTE RTE SR'.split(' '));
const ROADS = new Set(['RD', 'ROAD']);

/** Whether a token may need mending, by its shape and the token before it, as written; hardly any does. */
function isDoubtful(token: string, before: string): boolean {
  if (token.length === 1) return token === '#' || token === '&';
  if (token === 'NO') return HIGHWAYS.has(before) || ROADS.has(before);
  if (token.length === 2) return isDigitAt(before, before.length - 1) && ORDINAL_ENDINGS.has(token);
  const beginsWithDigit = isDigitAt(token, 0);
  const endsWithDigit = isDigitAt(token, token.length - 1);
  // `2O7`, `150-1/2`, `7B701`
  if (beginsWithDigit && endsWithDigit)
    return token.includes('/') || figuresOf(token) !== undefined || isZipMisread(token, before);
  // `0AK`, `1-ST`, `150MAIN`
  if (beginsWithDigit)
    return token.length > LONGEST_ORDINAL || (token.length === LONGEST_ORDINAL && token.startsWith('0'));
  // `HWY89`, `APT4`, `MA02118`, `787O1`
  if (endsWithDigit) {
    const isGlued = token.length >= STATE_AND_ZIP_MIN || GLUED_HIGHWAY.test(token) || GLUED_UNIT.test(token);
    return isGlued || isZipMisread(token, before);
  }
  // `LST`
  if (!hasDigit(token)) return token.length === LONGEST_ORDINAL && ordinalOf(token) !== undefined;
  // `APT4B`, `H0LLY`, `L1TH`, `S302B`
  const isMisread = lettersOf(token) !== undefined || ordinalOf(token) !== undefined || isZipMisread(token, before);
  return GLUED_UNIT.test(token) || isMisread;
}

/** Whether an `&` joins two addresses: `150 Main St & 12 Oak St`, but not `Main St & 8 Mile Rd` or `12 & 14 Main St`. */
function isBetweenAddresses({ token, before, last, next }: Placed): boolean {
  if (token !== '&' || !isStreetType(last) || !mayBeHouseNumber(next)) return false;
  return mayBeHouseNumber(before[before.lastIndexOf(',') + 1] ?? '');
}

/**
 * Whether an ending belongs to the number before it: `43 rd Ave` after the house number, but not `43 Rd` or `1 St Marys
 * Rd`.
 */
function isEndOfOrdinal({ token, before, last, next }: Placed): boolean {
  if (!ORDINAL_ENDINGS.has(token) || !isInDigits(last)) return false;
  const isBehindHouseNumber = before.length > 1 && before.at(-2) !== ',';
  const isOfLast = ordinalEnding(Number(last)) === token;
  return isBehindHouseNumber && isOfLast && (isStreetType(next) || (token === 'TH' && next === ','));
}

const NUMBERED_ROADS = new Set('CO COUNTY FOREST RANCH STATE TOWNSHIP'.split(' '));
const SIGNS = new Set(['#', 'NO']);

/** Whether a sign says only that a highway's number follows: `Hwy #12`, `Hwy No. 12`, `County Rd #12`. */
function isSignOfHighway({ token, before, last, next }: Placed): boolean {
  if (!SIGNS.has(token) || !isInDigits(next)) return false;
  return HIGHWAYS.has(last) || (ROADS.has(last) && NUMBERED_ROADS.has(before.at(-2) ?? ''));
}

const isDigitAtBothEnds = (token: string): boolean => isDigitAt(token, 0) && isDigitAt(token, token.length - 1);

const isZipMisread = (token: string, before: string): boolean =>
  token.length === ZIP_LENGTH && zipFiguresOf(token) !== undefined && isState(before);

const HYPHENED_ORDINAL = /^(\d+)-(ST|ND|RD|TH)$/;

/** `1-st` as `1st`; undefined for other words. */
function ordinalOfHyphened(token: string): string | undefined {
  const [, figures = '', ending] = HYPHENED_ORDINAL.exec(token) ?? [];
  return ending === undefined ? undefined : figures + ending;
}
