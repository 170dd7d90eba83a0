import { directionCode } from '../../core/street-directions.js';
import { MAX_STREET_WORDS, parseStreetName, type StreetName } from '../../core/street-name.js';
import { isRoad, streetType } from '../../core/street-types.js';
import type { AddressShard } from '../../format/addresses/shard.js';
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
    const city = fitCity(shard, rest.length > 0 ? rest : reading.city, zip);
    const unverified = unverifiedCost(street, rest, reading.city.length > 0);
    yield {
      street,
      words: head,
      city,
      restCost: (code) => (rest.length === 0 || city.cityIn(code) >= 0 ? 0 : unverified),
    };
  }
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
  const isDirected = directionCode(next) > 0 && (rest.length === 1 || next.length === 2);
  // `St` begins cities, but `St SW` ends streets.
  const isStreetEnd = streetType(next) !== undefined && directionCode(afterNext) > 0;
  if (isRoad(next) || isDirected || isStreetEnd) return COST.restNoCity;
  if (!isWhole) return isStreet || rest.some(isOfStreet) ? COST.restNoCity : 2 * COST.restUnverified;
  if (!isStreet) return COST.restUnverified;
  return cityApart ? COST.restNoCity : COST.restDoubtful;
}

const isOfStreet = (word: string): boolean => isRoad(word) || /\d/.test(word);
