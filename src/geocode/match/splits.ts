import { directionCode } from '../../core/street-directions.js';
import { cityKey, MAX_STREET_WORDS, parseStreetName, type StreetName } from '../../core/street-name.js';
import { isRoad, streetType } from '../../core/street-types.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import { isState } from '../parse/ending.js';
import type { AddressReading } from '../parse/readings.js';
import { type CityFit, fitCity } from './city-fit.js';
import { COST } from './scores.js';

/** One way to divide an address into street and city. */
export interface Split {
  readonly street: StreetName;
  readonly words: readonly string[];
  readonly city: CityFit;
  /** What the words behind the street cost, as far as they are not known to be the city of a ZIP. */
  restCost(zip: number): number;
}

/** The ways to divide the words into street and city, the longest street first. Bounded by the longest street. */
export function* splitsOf(
  reading: Pick<AddressReading, 'words' | 'zip' | 'city'>,
  shard: AddressShard,
): Generator<Split> {
  const { words, zip } = reading;
  const longest = Math.min(words.length, MAX_STREET_WORDS);
  for (let count = longest; count > 0; count--) {
    const head = words.slice(0, count);
    const rest = words.slice(count);
    const street = parseStreetName(head);
    if (!street) continue;
    yield { street, words: head, ...fitRest({ street, rest, cityApart: reading.city, zip, shard }) };
  }
}

interface Rest {
  readonly street: StreetName;
  /** The words behind it. */
  readonly rest: readonly string[];
  /** What a comma sets off. */
  readonly cityApart: readonly string[];
  readonly zip: number | undefined;
  readonly shard: AddressShard;
}

/** The city of a split: what is behind the street, or the end of that, where it is known; else what is set apart. */
function fitRest({ street, rest, cityApart, zip, shard }: Rest): Pick<Split, 'city' | 'restCost'> {
  if (rest.length === 0) return { city: fitCity(shard, cityApart, zip), restCost: () => 0 };
  const length = cityLength(rest, shard);
  // Who writes a state behind the city means the state: `Ct` may be a street's, behind which nothing is.
  const endsWithState = length === 0 && rest.length > 1 && isState(rest.at(-1) ?? '');
  if (endsWithState) return { city: fitCity(shard, rest, zip), restCost: () => COST.restNoCity };
  if (length === rest.length || (length === 0 && cityApart.length === 0)) {
    const city = fitCity(shard, rest, zip);
    const unverified = unverifiedCost(street, rest, cityApart.length > 0);
    return { city, restCost: (code) => (city.cityIn(code) >= 0 ? 0 : unverified) };
  }
  const leftOver = unverifiedCost(street, rest.slice(0, rest.length - length), true);
  return { city: fitCity(shard, length > 0 ? rest.slice(-length) : cityApart, zip), restCost: () => leftOver };
}

const MAX_CITY_WORDS = 4;

/** How many of the last words are a city that is known; 0 where none are. */
function cityLength(words: readonly string[], { zips }: AddressShard): number {
  for (let count = Math.min(words.length, MAX_CITY_WORDS); count > 0; count--) {
    if (zips.findCity(cityKey(words.slice(-count))) >= 0) return count;
  }
  return 0;
}

/**
 * A street that is whole by itself may be followed by anything; half of one is not followed by a city `Hill Rd`, nor `Forest`
 * by one that is called `Service Rd 211`.
 */
function unverifiedCost({ type, after }: StreetName, rest: readonly string[], cityApart: boolean): number {
  const isWhole = type !== '' || after > 0;
  const isStreet = rest.length > 0 && streetType(rest.at(-1) ?? '') !== undefined;
  const [next = '', afterNext = ''] = rest;
  // `Wood Hill` may be whole, but not where `Rd` follows it; nor is `SE` the city of `1st Ave`, or `SE Sampleton`.
  const isDirected = directionCode(next) > 0 && (rest.length === 1 || next.length === 2 || cityApart);
  // `St` begins cities, but `St SW` ends streets.
  const isStreetEnd = streetType(next) !== undefined && directionCode(afterNext) > 0;
  if (isRoad(next) || isDirected || isStreetEnd) return COST.restNoCity;
  if (!isWhole) return cityApart || isStreet || rest.some(isOfStreet) ? COST.restNoCity : 2 * COST.restUnverified;
  if (!isStreet) return cityApart ? COST.restLeftOver : COST.restUnverified;
  return cityApart ? COST.restNoCity : COST.restDoubtful;
}

const isOfStreet = (word: string): boolean => isRoad(word) || /\d/.test(word);
