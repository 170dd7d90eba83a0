import { MAX_STREET_WORDS, parseStreetName, type StreetName } from '../../core/street-name.js';
import { streetType } from '../../core/street-types.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import type { AddressReading } from '../parse/parse-address.js';
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
export function* splitsOf(reading: AddressReading, shard: AddressShard): Generator<Split> {
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

/** A street that is whole by itself may be followed by anything; half of one is not followed by a city `Hill Rd`. */
function unverifiedCost({ type, after }: StreetName, rest: readonly string[], cityApart: boolean): number {
  const endsAsStreet = rest.length > 0 && streetType(rest.at(-1) ?? '') !== undefined;
  if (endsAsStreet) return cityApart ? COST.restNoCity : COST.restDoubtful;
  return type !== '' || after > 0 ? COST.restUnverified : 2 * COST.restUnverified;
}
