import { isHighwayQualifier, readHighway } from '../../core/highways.js';
import { directionCode } from '../../core/street-directions.js';
import { cityKey, MAX_STREET_WORDS, parseStreetName, type StreetName } from '../../core/street-name.js';
import { isPlainType, isRoad, streetType } from '../../core/street-types.js';
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
  /** Whether nothing is behind the street. */
  readonly isAll: boolean;
  /**
   * What the words behind the street cost, as far as they are not known to be the city of a ZIP: less where the street
   * that is there has no kind, and is whole as it is written.
   */
  restCost(zip: number, hasType: boolean): number;
  /** Whether the direction that the street ends with may be the city's that is behind it: `150 Main St East Hartford`. */
  endsWithDirectionOfCity(): boolean;
}

type Divided = Pick<AddressReading, 'words' | 'zip' | 'city'>;

/** The ways to divide the words into street and city, the longest street first. Bounded by the longest street. */
export function* splitsOf(reading: Divided, shard: AddressShard): Generator<Split> {
  const longest = Math.min(reading.words.length, MAX_STREET_WORDS);
  for (let count = longest; count > 0; count--) {
    const street = parseStreetName(reading.words.slice(0, count));
    if (street) yield new DividedAddress(street, reading, count, shard);
  }
}

/** Looks at what is behind the street only when it is asked for: most names that are tried are no street's. */
class DividedAddress implements Split {
  readonly words: readonly string[];
  readonly #reading: Divided;
  readonly #shard: AddressShard;
  #rest: RestFit | undefined;

  constructor(
    readonly street: StreetName,
    reading: Divided,
    count: number,
    shard: AddressShard,
  ) {
    this.words = reading.words.slice(0, count);
    this.#reading = reading;
    this.#shard = shard;
  }

  get city(): CityFit {
    return this.#fitted().city;
  }

  get isAll(): boolean {
    return this.words.length === this.#reading.words.length;
  }

  restCost(zip: number, hasType: boolean): number {
    const { city, cost, costUntyped, isCity } = this.#fitted();
    if (isCity && city.cityIn(zip) >= 0) return 0;
    return hasType ? cost : costUntyped;
  }

  endsWithDirectionOfCity(): boolean {
    const { words, zip } = this.#reading;
    const count = this.words.length;
    const isDirected =
      zip === undefined && count > 1 && count < words.length && directionCode(this.words.at(-1) ?? '') > 0;
    return isDirected && this.#shard.zips.findCity(cityKey(words.slice(count - 1))) >= 0;
  }

  #fitted(): RestFit {
    this.#rest ??= fitRest(this, this.#reading, this.#shard);
    return this.#rest;
  }
}

/** What the words behind a street come to. */
interface RestFit {
  readonly city: CityFit;
  readonly cost: number;
  /** The same where the street that is there has no kind. */
  readonly costUntyped: number;
  /** Whether these words are the city, and cost nothing where it is known to use a ZIP. */
  readonly isCity: boolean;
}

/** The city is what is behind the street, or the end of that, where it is known; else what is set apart. */
function fitRest(
  { street, words }: Pick<Split, 'street' | 'words'>,
  { words: all, city: apart, zip }: Divided,
  shard: AddressShard,
): RestFit {
  const rest = all.slice(words.length);
  if (rest.length === 0) return { city: fitCity(shard, apart, zip), cost: 0, costUntyped: 0, isCity: false };
  const length = cityLength(rest, shard);
  // Who writes a state behind the city means the state: `Ct` may be a street's, behind which nothing is.
  const last = rest.at(-1) ?? '';
  const endsWithState = length === 0 && rest.length > 1 && last.length === 2 && isState(last);
  if (endsWithState) {
    return { city: fitCity(shard, rest, zip), cost: COST.restNoCity, costUntyped: COST.restNoCity, isCity: false };
  }
  const isHighway = readHighway(words) !== undefined;
  // `US Hwy 20 Business` runs through the town, US Highway 20 around it.
  const isOtherHighway = isHighway && length < rest.length && isQualified(rest);
  if (isOtherHighway) {
    return { city: fitCity(shard, apart, zip), cost: COST.restNoCity, costUntyped: COST.restNoCity, isCity: false };
  }
  const isWhole = isHighway || street.type !== '' || street.after > 0;
  if (length === rest.length || (length === 0 && apart.length === 0)) {
    return { city: fitCity(shard, rest, zip), ...unverifiedCosts(isWhole, rest, apart.length > 0), isCity: true };
  }
  const city = fitCity(shard, length > 0 ? rest.slice(-length) : apart, zip);
  return { city, ...unverifiedCosts(isWhole, rest.slice(0, rest.length - length), true), isCity: false };
}

/** Whether words behind a highway say which one it is; `Old` begins cities, such as Old Saybrook. */
function isQualified([next = '', afterNext = '']: readonly string[]): boolean {
  return isHighwayQualifier(next) && (next !== 'OLD' || afterNext === '' || directionCode(afterNext) > 0);
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
 * A street that is whole by itself may be followed by anything; half of one is not followed by a city `Hill Rd`, nor
 * `Forest` by one that is called `Service Rd 211`.
 */
function unverifiedCosts(
  isWhole: boolean,
  rest: readonly string[],
  cityApart: boolean,
): Pick<RestFit, 'cost' | 'costUntyped'> {
  const cost = unverifiedCost(isWhole, rest, cityApart);
  const isOnlyHalf = !isWhole && cityApart && cost === COST.restNoCity && !rest.some(isOfStreet);
  return {
    cost,
    costUntyped: isOnlyHalf && unverifiedCost(true, rest, true) < COST.restDoubtful ? COST.restDoubtful : cost,
  };
}

function unverifiedCost(isWhole: boolean, rest: readonly string[], cityApart: boolean): number {
  const isStreet = rest.length > 0 && streetType(rest.at(-1) ?? '') !== undefined;
  const [next = ''] = rest;
  // `Wood Hill` may be whole, but not where `Rd` follows it; nor is `SE` the city of `1st Ave`, or `SE Sampleton`.
  const isDirected = directionCode(next) > 0 && (rest.length === 1 || next.length === 2 || cityApart);
  // `St` begins cities, but `St SW` ends streets.
  const endsStreet = rest.some((word, at) => streetType(word) !== undefined && directionCode(rest[at + 1] ?? '') > 0);
  if (isRoad(next) || isDirected || endsStreet || BRANCHES.has(next)) return COST.restNoCity;
  if (!isWhole) return cityApart || isStreet || rest.some(isOfStreet) ? COST.restNoCity : 2 * COST.restUnverified;
  if (!isStreet) return cityApart ? COST.restLeftOver : COST.restUnverified;
  return cityApart ? COST.restNoCity : COST.restDoubtful;
}

/** `Main St Connector` is another street. */
const BRANCHES = new Set(['CONNECTOR', 'CONN', 'CUTOFF']);

/** `Blossom Pl Belvidere` is no city, but `St Paul` may be one. */
const isOfStreet = (word: string, at: number): boolean =>
  isRoad(word) || (at > 0 && isPlainType(streetType(word) ?? '')) || /\d/.test(word);
