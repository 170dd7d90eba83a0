import { isBesideHighway } from '../../core/streets/highways.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { isPlainType, isRoad, isStreetType, streetType } from '../../core/streets/street-types.js';
import { hasDigit } from '../parse/words.js';
import { COST } from './scores.js';

/**
 * What the words after a street, the rest, cost where they are not known to be the ZIP's city. A street is complete if it
 * ends with a type or a direction, or is a numbered highway or a lettered avenue: anything may follow it. Any other, such as
 * `Main`, may go on in the rest. In the examples, the street ends at the bar, and the rest at the comma.
 */
export interface RestCost {
  /** For ranges whose street has a type: `Main` is only a part of `Main St`. */
  readonly typed: number;
  /** For ranges whose street has none: `Broadway` may be complete as written. */
  readonly untyped: number;
}

const always = (cost: number): RestCost => ({ typed: cost, untyped: cost });

/** Of a rest that is empty, or certainly the city. */
export const FREE = always(0);
/** Of a rest that is certainly not the city. */
export const NO_CITY = always(COST.restNoCity);

/** The cost of a rest by its words. `mayBeCity` says whether it may be the city, since no other words are. */
export function restCost(rest: readonly string[], isComplete: boolean, mayBeCity: boolean): RestCost {
  if (continuesStreet(rest, mayBeCity)) return NO_CITY;
  return isComplete ? behindComplete(rest, mayBeCity) : behindIncomplete(rest, mayBeCity);
}

function behindComplete(rest: readonly string[], mayBeCity: boolean): RestCost {
  // `150 Elm St | Oak Hill` may be in Oak Hill, but not where the city is another one.
  if (endsWithType(rest)) return mayBeCity || isCenter(rest) ? always(COST.restDoubtful) : NO_CITY;
  // `150 I-35 | Frontage` is on the highway itself only where no street is called so.
  if (isBesideHighway(rest[0] ?? '')) return always(COST.restDoubtful);
  // `150 Main St | West Sampleton`
  if (mayBeCity && isDirection(rest[0] ?? '')) return always(COST.restOfDirection);
  // `150 Main St | Sampleton`, and `150 Main St | Rear, Boston`
  return always(mayBeCity ? COST.restUnverified : COST.restLeftOver);
}

function behindIncomplete(rest: readonly string[], mayBeCity: boolean): RestCost {
  // `150 Blossom | Pl Boston` and `150 Forest | Service Rd 211`: the street goes on.
  const goesOn = endsWithType(rest) || rest.some(isWordOfStreet);
  // `150 Main | Sampleton`
  if (mayBeCity) return goesOn ? NO_CITY : always(COST.restUnverifiedIncomplete);
  // `150 Broadway | Rear, Boston`
  return goesOn || isBesideHighway(rest[0] ?? '') ? NO_CITY : { typed: COST.restNoCity, untyped: COST.restDoubtful };
}

/** `Main St Connector` is another street than Main Street. */
const BRANCHES = new Set(['CONNECTOR', 'CONN', 'CUTOFF']);

/** Whether the rest belongs to the street, complete or not, so that the street does not end before it. */
function continuesStreet(rest: readonly string[], mayBeCity: boolean): boolean {
  const [next = ''] = rest;
  return (
    // `150 Wood Hill | Rd`
    isRoad(next) ||
    BRANCHES.has(next) ||
    beginsWithDirection(rest, mayBeCity) ||
    rest.some(isTypeBeforeDirection) ||
    (!mayBeCity && endsWithShortDirection(rest))
  );
}

/**
 * `150 1st Ave | SE` and `150 1st Ave | SE Boston`: neither is a city. A direction in full or of one letter may begin one:
 * `150 Main St | East Hartford`.
 */
const beginsWithDirection = (rest: readonly string[], mayBeCity: boolean): boolean => {
  const [next = ''] = rest;
  return isDirection(next) && (rest.length === 1 || next.length === 2 || !mayBeCity);
};

/** `150 Main | St SW`: `St` begins cities, but `St SW` ends streets. */
const isTypeBeforeDirection = (word: string, at: number, rest: readonly string[]): boolean =>
  isStreetType(word) && isDirection(rest[at + 1] ?? '');

/** `150 N River | Circel W, Boston`: the street is not N River, since a direction that is no city's is the street's. */
function endsWithShortDirection(rest: readonly string[]): boolean {
  const last = rest.at(-1) ?? '';
  return last.length <= 2 && isDirection(last);
}

/** `150 Elm St | Sample Medical Center, Boston` */
const isCenter = (rest: readonly string[]): boolean => rest.length > 1 && streetType(rest.at(-1) ?? '') === 'CTR';

const endsWithType = (rest: readonly string[]): boolean => isStreetType(rest.at(-1) ?? '');

/** Whether a word of the rest is a street's: `Pl` of `Pl Boston`, or `211`. At the beginning, `St` may be a saint. */
const isWordOfStreet = (word: string, at: number): boolean =>
  (at > 0 && isPlainType(streetType(word) ?? '')) || hasDigit(word);
