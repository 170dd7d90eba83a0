import { isBesideHighway, isHighwayQualifier, readHighway } from '../../core/streets/highways.js';
import { directionCode } from '../../core/streets/street-directions.js';
import { cityKey, MAX_STREET_WORDS, parseStreetName, type StreetName } from '../../core/streets/street-name.js';
import { isPlainType, isRoad, streetType } from '../../core/streets/street-types.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import type { AddressReading } from '../parse/readings.js';
import { isState } from '../parse/state-names.js';
import { type CityFit, fitCity } from './city-fit.js';
import { COST } from './scores.js';

/** One way to divide an address into street and city. */
export interface Split {
  readonly street: StreetName;
  readonly words: readonly string[];
  readonly city: CityFit;
  /** Whether nothing follows the street. */
  readonly isAll: boolean;
  /**
   * The cost of the words after the street, unless they are known to be the ZIP's city: less if the existing street has
   * no type, so that the name may be complete as written.
   */
  restCost(zip: number, hasType: boolean): number;
  /** Whether the direction at the street's end may belong to the city after it: `150 Main St East Hartford`. */
  endsWithDirectionOfCity(): boolean;
}

type Divided = Pick<AddressReading, 'words' | 'zip' | 'city'>;

/** The ways to divide the words into street and city, the longest street first; at most {@link MAX_STREET_WORDS}. */
export function* splitsOf(reading: Divided, shard: AddressShard): Generator<Split> {
  const longest = Math.min(reading.words.length, MAX_STREET_WORDS);
  for (let count = longest; count > 0; count--) {
    const street = parseStreetName(reading.words.slice(0, count));
    if (street) yield new DividedAddress(street, reading, count, shard);
  }
}

/** Examines the words after the street only on demand: most names that are tried belong to no street. */
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

/** How the words after a street are interpreted. */
interface RestFit {
  readonly city: CityFit;
  readonly cost: number;
  /** The same if the existing street has no type. */
  readonly costUntyped: number;
  /** Whether these words are the city, and cost nothing if it is known to use a ZIP. */
  readonly isCity: boolean;
}

/** The city is what follows the street, or the end of that, if it is known; else what a comma sets apart. */
function fitRest(
  { street, words }: Pick<Split, 'street' | 'words'>,
  { words: all, city: apart, zip }: Divided,
  shard: AddressShard,
): RestFit {
  const rest = all.slice(words.length);
  if (rest.length === 0) return { city: fitCity(shard, apart, zip), cost: 0, costUntyped: 0, isCity: false };
  const length = cityLength(rest, shard);
  // `150 Main St Sampleton TX, Sampleton, TX`, joined from columns of which the first has it all. `Ct` may also be a
  // street's type, but nothing would follow it.
  const last = rest.at(-1) ?? '';
  const endsWithState = length === 0 && rest.length > 1 && last.length === 2 && isState(last);
  const isCityTwice =
    length === 0 && apart.length > 0 && cityKey(endsWithState ? rest.slice(0, -1) : rest) === cityKey(apart);
  if (isCityTwice) return { city: fitCity(shard, apart, zip), cost: 0, costUntyped: 0, isCity: false };
  // These words are a city and its state, and another reading takes the state off.
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
    const city = fitCity(shard, rest, zip);
    // `River Overlook` is no River Drive in an unknown Overlook where the cities are known.
    const isNoCity = !isWhole && knowsCities(shard, zip) && city.zips().length === 0 && !isTypeAndCity(rest, shard);
    return { city, ...unverifiedCosts(isWhole, rest, isNoCity || apart.length > 0), isCity: true };
  }
  const city = fitCity(shard, length > 0 ? rest.slice(-length) : apart, zip);
  return { city, ...unverifiedCosts(isWhole, rest.slice(0, rest.length - length), true), isCity: false };
}

const knowsCities = ({ zips }: AddressShard, zip: number | undefined): boolean =>
  zip !== undefined && zips.mainCityOf(zips.find(zip)) >= 0;

/** Whether words are a known city with a street type before it that lacks a space: `STSAMPLETON` behind `MAIN`. */
function isTypeAndCity([first = '', ...more]: readonly string[], { zips }: AddressShard): boolean {
  for (let end = 2; end < first.length; end++) {
    const isType = isPlainType(streetType(first.slice(0, end)) ?? '');
    if (isType && zips.findCity(cityKey([first.slice(end), ...more])) >= 0) return true;
  }
  return false;
}

/** Whether the words after a highway say which one it is; `Old` also begins cities, such as Old Saybrook. */
function isQualified([next = '', afterNext = '']: readonly string[]): boolean {
  return isHighwayQualifier(next) && (next !== 'OLD' || afterNext === '' || directionCode(afterNext) > 0);
}

/** The longest name of a city: `LAKE IN THE HILLS`. */
export const MAX_CITY_WORDS = 4;

/** How many of the last words are a known city; 0 if none are. */
function cityLength(words: readonly string[], { zips }: AddressShard): number {
  for (let count = Math.min(words.length, MAX_CITY_WORDS); count > 0; count--) {
    if (zips.findCity(cityKey(words.slice(-count))) >= 0) return count;
  }
  return 0;
}

/**
 * Anything may follow a street that is complete; but an incomplete one is not followed by a city called `Hill Rd`, nor
 * `Forest` by one called `Service Rd 211`.
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
  // `Wood Hill` may be complete, but not if `Rd` follows it; nor is `SE` or `SE Sampleton` the city of `1st Ave`.
  const isDirected = directionCode(next) > 0 && (rest.length === 1 || next.length === 2 || cityApart);
  // `St` begins cities, but `St SW` ends streets.
  const endsStreet = rest.some((word, at) => streetType(word) !== undefined && directionCode(rest[at + 1] ?? '') > 0);
  // `N River` is not the street of `N River Circel W`: a direction that is no city's is the street's.
  const endsDirected = cityApart && rest.length > 1 && isShortDirection(rest.at(-1) ?? '');
  if (isRoad(next) || isDirected || endsStreet || endsDirected || BRANCHES.has(next)) return COST.restNoCity;
  if (!isWhole) return cityApart || isStreet || rest.some(isOfStreet) ? COST.restNoCity : 2 * COST.restUnverified;
  // `I-35 Frontage` is the highway itself only where no street is called so.
  if (!isStreet && isBesideHighway(next)) return COST.restDoubtful;
  if (!isStreet) return cityApart ? COST.restLeftOver : COST.restUnverified;
  return cityApart ? COST.restNoCity : COST.restDoubtful;
}

const isShortDirection = (word: string): boolean => word.length <= 2 && directionCode(word) > 0;

/** `Main St Connector` is another street than Main Street. */
const BRANCHES = new Set(['CONNECTOR', 'CONN', 'CUTOFF']);

/** Whether a word after a street is part of a street: `Blossom Pl Belvidere` is no city, but `St Paul` may be one. */
const isOfStreet = (word: string, at: number): boolean =>
  isRoad(word) || (at > 0 && isPlainType(streetType(word) ?? '')) || /\d/.test(word);
