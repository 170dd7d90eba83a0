import { cityKey } from '../../core/streets/street-name.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import { hasKnownCity, knownCityLike } from './known-cities.js';
import { COST } from './scores.js';
import { isNeighbour } from './zip-neighbours.js';

const NO_ZIPS = new Uint32Array();

/**
 * How well the city that an address names fits the ZIPs of a state. Without a ZIP in the address, a known city decides: the
 * ranges in its ZIPs are meant. With a ZIP it decides next to nothing, since towns share ZIPs and go by several names. Where
 * no cities are loaded, it decides nothing.
 *
 * Everything is computed on demand: most streets that are tried do not exist, and their city is never asked about.
 */
export class CityFit {
  /** Whether the address names a city, known or not. */
  readonly isWritten: boolean;
  readonly #shard: AddressShard;
  readonly #words: readonly string[];
  readonly #writtenZip: number | undefined;
  /** Whether the address names a city that may be known. */
  readonly #isNamed: boolean;
  #key: string | undefined;
  #known: number | undefined;
  /** The ZIP that was asked about last, and the answers: the ranges of one ZIP are adjacent, and each asks several times. */
  #lastZip = -1;
  #lastCost = 0;
  #lastCity = -1;

  /** `words` are the city's, and `writtenZip` is the ZIP that the address names. */
  constructor(shard: AddressShard, words: readonly string[], writtenZip: number | undefined) {
    this.#shard = shard;
    this.#words = words;
    this.#writtenZip = writtenZip;
    this.isWritten = words.length > 0;
    this.#isNamed = this.isWritten && shard.zips.cityCount > 0;
  }

  /** The cost of a range in a ZIP (0: unknown). */
  cost(zip: number): number {
    this.#look(zip);
    return this.#lastCost;
  }

  /** The city's position if it uses the ZIP, or −1. */
  cityIn(zip: number): number {
    this.#look(zip);
    return this.#lastCity;
  }

  /** Whether a ZIP is used by the city, or by the only known city that is one typo away from it. */
  isOf(zip: number): boolean {
    if (this.cityIn(zip) >= 0) return true;
    const { zips } = this.#shard;
    const city = this.#city();
    return city >= 0 && zips.findCityOf(zips.find(zip), zips.cityKey(city)) >= 0;
  }

  /** Positions of the city's ZIPs; none if the address names no known city. */
  zips(): Uint32Array {
    const city = this.#city();
    return city >= 0 ? this.#shard.zips.zipsOf(city) : NO_ZIPS;
  }

  /** Positions of the only ZIPs that can be meant; undefined if the city decides nothing. */
  decidingZips(): Uint32Array | undefined {
    const isDeciding = this.#writtenZip === undefined && this.#city() >= 0;
    return isDeciding ? this.zips() : undefined;
  }

  /**
   * Whether the city, spelled exactly as written, has no ZIP at or near the written one, so that one of the two is mistaken:
   * `150 Main St, Boston, MA 01201`, which is Pittsfield's ZIP.
   */
  isFarFromZip(): boolean {
    const zip = this.#writtenZip;
    if (zip === undefined) return false;
    const { zips } = this.#shard;
    // Without correcting typos: searching for them takes longer than all the rest of a correctly written address.
    const exact = zips.findCity(this.#cityKey());
    if (exact < 0 || !hasKnownCity(this.#shard, zip)) return false;
    return zips.zipsOf(exact).every((at) => !isNeighbour(this.#shard, zip, zips.codes[at] ?? 0));
  }

  /** Looks up a ZIP unless it was the last one. */
  #look(zip: number): void {
    if (this.#lastZip === zip) return;
    const { zips } = this.#shard;
    const at = this.#isNamed ? zips.find(zip) : -1;
    const isKnownThere = at >= 0 && zips.mainCityOf(at) >= 0;
    this.#lastZip = zip;
    this.#lastCity = at < 0 ? -1 : zips.findCityOf(at, this.#keyMeant());
    this.#lastCost =
      this.#writtenZip === undefined ? this.#costWithoutZip(isKnownThere) : this.#costWithZip(isKnownThere);
  }

  /** The cost in the ZIP just looked up where the address has a ZIP. `isKnownThere`: whether a city is known to use it. */
  #costWithZip(isKnownThere: boolean): number {
    const isOther = this.#isNamed && this.#lastCity < 0 && isKnownThere;
    return isOther ? COST.cityOther : 0;
  }

  /** The same where the address has none, as `150 Main St, Boston, MA`. */
  #costWithoutZip(isKnownThere: boolean): number {
    if (!this.#isNamed) return COST.stateOnly;
    if (this.#city() < 0) return isKnownThere ? COST.cityUnknownElsewhere : COST.cityUnknown;
    if (this.#lastCity >= 0) return COST.cityOnly;
    return isKnownThere ? COST.cityElsewhere : COST.stateOnly;
  }

  /** The key of the city that is looked for in a ZIP. Without a ZIP in the address, a misspelled city means the known one. */
  #keyMeant(): string {
    const isCorrected = this.#writtenZip === undefined && this.#city() >= 0;
    return isCorrected ? this.#shard.zips.cityKey(this.#city()) : this.#cityKey();
  }

  /** The position of the known city with this name or, if there is none, one typo away; −1 if there is none. */
  #city(): number {
    this.#known ??= this.#isNamed ? knownCityLike(this.#cityKey(), this.#shard) : -1;
    return this.#known;
  }

  #cityKey(): string {
    this.#key ??= cityKey(this.#words);
    return this.#key;
  }
}
