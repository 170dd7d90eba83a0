import { isHighwayQualifier, readHighway } from '../../core/streets/highways.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { cityKey, isLettered, type StreetName } from '../../core/streets/street-name.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import { isAbbreviation } from '../parse/state-names.js';
import { isInDigits } from '../parse/words.js';
import { CityFit } from './city-fit.js';
import { hasKnownCity, isTypeAndKnownCity, knownCityLength } from './known-cities.js';
import { FREE, NO_CITY, type RestCost, restCost } from './rest-cost.js';

/** A street, and what may follow it. */
export interface Divided {
  readonly street: StreetName;
  /** The street's words. */
  readonly words: readonly string[];
  /** The words after the street. */
  readonly rest: readonly string[];
  /** The city that a comma sets apart from all of these words; empty if none does. */
  readonly cityApart: readonly string[];
  readonly zip: number | undefined;
}

/** How the rest is understood. */
export interface RestFit {
  /** The address's city: the rest, the end of the rest, or the city apart. */
  readonly city: CityFit;
  /** Whether the whole rest is the city: then it costs nothing in a ZIP that this city is known to use. */
  readonly isCity: boolean;
  /** What the rest costs anywhere else. */
  readonly cost: RestCost;
}

/**
 * Understands the rest by the first rule that applies. In the examples, the street ends at the bar, the rest at the comma,
 * and behind that is the city apart.
 */
export function fitRest({ street, words, rest, cityApart, zip }: Divided, shard: AddressShard): RestFit {
  // `150 Main St |, Boston`: there is no rest.
  if (rest.length === 0) return inCity(cityApart, FREE);
  const known = knownCityLength(rest, shard);
  // `150 Main St | Boston MA, Boston`: the city is there twice, as where columns are joined of which the first has it all.
  if (known === 0 && isCityAgain(rest, cityApart)) return inCity(cityApart, FREE);
  // `150 Main St | Boston MA`: another reading of the address takes the state off.
  if (known === 0 && endsWithState(rest) && !(isFloor(rest) && cityApart.length > 0)) return inCity(rest, NO_CITY);
  const isHighway = readHighway(words) !== undefined;
  // `150 US Hwy 20 | Business, Boston`: the business route runs through the town, US Highway 20 around it.
  if (isHighway && known < rest.length && beginsWithQualifier(rest)) return inCity(cityApart, NO_CITY);
  const isComplete = isHighway || street.type !== '' || street.after > 0 || isLettered(words);
  // `150 Main St | Rear Boston`: only the end of the rest is a city.
  if (known > 0 && known < rest.length) {
    const leftOver = rest.slice(0, -known);
    return inCity(rest.slice(-known), restCost(leftOver, isComplete, false));
  }
  // `150 Main St | Rear, Boston`: the rest is no known city, and there is a city apart.
  if (known === 0 && cityApart.length > 0) return inCity(cityApart, restCost(rest, isComplete, false));
  // `150 Main St | Boston`: the whole rest is the city, known or not.
  const city = new CityFit(shard, rest, zip);
  const mayBeCity = cityApart.length === 0 && (isComplete || !isUnknownAmongKnown(rest, city, shard, zip));
  return { city, isCity: true, cost: restCost(rest, isComplete, mayBeCity) };

  function inCity(city: readonly string[], cost: RestCost): RestFit {
    return { city: new CityFit(shard, city, zip), isCity: false, cost };
  }
}

/** Whether the rest is the city apart, with a state after it or without. */
const isCityAgain = (rest: readonly string[], cityApart: readonly string[]): boolean =>
  cityApart.length > 0 && cityKey(endsWithState(rest) ? rest.slice(0, -1) : rest) === cityKey(cityApart);

/**
 * Whether the last of several words is a state's abbreviation. `Ct` may be a street's type, too, but then all these words
 * are the street's, in another split.
 */
const endsWithState = (rest: readonly string[]): boolean => rest.length > 1 && isAbbreviation(rest.at(-1) ?? '');

/** `150 Main St | 2 Fl, Boston` is on the second floor, and not in Florida. */
const isFloor = ([number = '', floor = '', ...more]: readonly string[]): boolean =>
  more.length === 0 && floor === 'FL' && isInDigits(number);

/**
 * Whether the words after a highway say which one of its number it is: `Business`, or `Old` as in `Hwy 20 Old N`; but `Old`
 * before another word begins a city, such as Old Saybrook.
 */
const beginsWithQualifier = ([next = '', afterNext = '']: readonly string[]): boolean =>
  isHighwayQualifier(next) && (next !== 'OLD' || afterNext === '' || isDirection(afterNext));

/**
 * Whether a city is unknown where cities are known, and not even one typo away from one: `150 River Overlook` is on no River
 * Drive in an unknown Overlook. `150 Main StBoston` only lacks a space.
 */
const isUnknownAmongKnown = (
  rest: readonly string[],
  city: CityFit,
  shard: AddressShard,
  zip: number | undefined,
): boolean => hasKnownCity(shard, zip) && city.zips().length === 0 && !isTypeAndKnownCity(rest, shard);
