import { isBesideHighway, isNumberOfHighway } from '../../core/streets/highways.js';
import { isDirection } from '../../core/streets/street-directions.js';
import { MAX_STREET_WORDS, parseStreetName, type StreetName } from '../../core/streets/street-name.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import type { AddressReading } from '../parse/readings.js';
import { isInDigits } from '../parse/words.js';
import type { CityFit } from './city-fit.js';
import { areCitiesKnown, isKnownCity } from './known-cities.js';
import { fitRest, type RestFit } from './rest-fit.js';

/** The parts of a reading that are divided, or help to tell where the street ends. */
type Undivided = Pick<AddressReading, 'words' | 'zip' | 'city'>;

/**
 * The ways to divide a reading's words into a street and the rest, the longest street first: `MAIN ST BOSTON`, then
 * `MAIN ST` with the rest `BOSTON`, then `MAIN` with `ST BOSTON`. At most {@link MAX_STREET_WORDS}.
 */
export function* splitsOf(reading: Undivided, shard: AddressShard): Generator<Split> {
  const longest = Math.min(reading.words.length, MAX_STREET_WORDS);
  for (let count = longest; count > 0; count--) {
    const words = reading.words.slice(0, count);
    const street = parseStreetName(words);
    if (street) yield new Split(street, words, reading, shard);
  }
}

/**
 * One way to divide a reading's words into a street and the rest. The rest is examined only when it is asked about: most
 * streets that are tried do not exist.
 */
export class Split {
  readonly #reading: Undivided;
  readonly #shard: AddressShard;
  #fit: RestFit | undefined;

  constructor(
    readonly street: StreetName,
    /** The street's words. */
    readonly words: readonly string[],
    reading: Undivided,
    shard: AddressShard,
  ) {
    this.#reading = reading;
    this.#shard = shard;
  }

  /** Whether there is no rest: the street is all that the reading has. */
  get isAll(): boolean {
    return this.words.length === this.#reading.words.length;
  }

  /**
   * Whether the street is a highway whose number is in the rest: `150 Township Rd | 5`, `150 2 Hwy | 360` with an apartment
   * behind the house number; see {@link isNumberOfHighway}.
   */
  lacksHighwayNumber(mayBeBare: boolean): boolean {
    const [first = ''] = this.words;
    const way = isInDigits(first) ? this.words.slice(1) : this.words;
    return isNumberOfHighway(way, this.#reading.words[this.words.length] ?? '', mayBeBare);
  }

  /** Whether the street is a highway of which the rest names a road beside it: `150 I-35 | Frontage Rd`. */
  get isBeforeRoadBeside(): boolean {
    return isBesideHighway(this.#reading.words[this.words.length] ?? '');
  }

  /** The address's city, if the street ends here. */
  get city(): CityFit {
    return this.#restFit().city;
  }

  /**
   * What the rest costs a range in a ZIP: nothing if it is a city that is known to use the ZIP. `hasType` says whether the
   * range's street has a type; see `RestCost`.
   */
  restCost(zip: number, hasType: boolean): number {
    const { city, cost, isCity } = this.#restFit();
    if (isCity && city.cityIn(zip) >= 0) return 0;
    return hasType ? cost.typed : cost.untyped;
  }

  /**
   * Whether the direction at the street's end may belong to the city after it: `150 Main St East Hartford` is on Main Street
   * in East Hartford or on Main Street East in Hartford, which nothing tells where no cities are known. Or it may be the
   * city, unless that is set apart: `150 Main St West` may be in West, Texas.
   */
  endsWithDirectionOfCity(): boolean {
    const { words, zip, city } = this.#reading;
    const last = this.words.length - 1;
    if (!isDirection(words[last] ?? '') || (this.isAll && city.length > 0)) return false;
    if (isKnownCity(words.slice(last), this.#shard)) return true;
    return !this.isAll && city.length === 0 && !areCitiesKnown(this.#shard, zip);
  }

  #restFit(): RestFit {
    this.#fit ??= this.#fitRest();
    return this.#fit;
  }

  #fitRest(): RestFit {
    const { street, words } = this;
    const { words: all, city: cityApart, zip } = this.#reading;
    return fitRest({ street, words, rest: all.slice(words.length), cityApart, zip }, this.#shard);
  }
}
