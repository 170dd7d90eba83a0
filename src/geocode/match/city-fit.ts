import { isOneSlipAway } from '../../core/slips.js';
import { cityKey } from '../../core/streets/street-name.js';
import type { AddressShard, ZipTable } from '../../format/addresses/shard.js';
import { COST } from './scores.js';
import { isNeighbour } from './zip-neighbours.js';

/** How well an address's city fits the ZIPs of a state. */
export interface CityFit {
  /** Whether the address names a city, known or not. */
  readonly isWritten: boolean;
  /** The cost of a range in a ZIP (0: unknown). */
  cost(zip: number): number;
  /** The city's position if it uses the ZIP, or −1. */
  cityIn(zip: number): number;
  /** Whether a ZIP is used by the city, or by the only known city that is one typo away from it. */
  isOf(zip: number): boolean;
  /** Positions of the city's ZIPs; none if the address names no known city. */
  zips(): Uint32Array;
  /** Whether the city, spelled exactly as written, has no ZIP at or near the written one: one of the two is mistaken. */
  isFarFromZip(): boolean;
  /** Positions of the only ZIPs that can be meant; undefined if the city decides nothing. */
  decidingZips(): Uint32Array | undefined;
}

/**
 * Known cities decide: without a ZIP, the range's ZIP must be one of the city's. With a ZIP they decide next to nothing,
 * since towns share ZIPs and go by several names. If no cities are loaded, they decide nothing.
 */
export function fitCity(shard: AddressShard, words: readonly string[], zip: number | undefined): CityFit {
  const { zips } = shard;
  const isNamed = words.length > 0 && zips.cityCount > 0;
  // Computed on demand: most names that are tried belong to no street, and their city is never needed.
  let key: string | undefined;
  let found: number | undefined;
  const keyOf = (): string => {
    key ??= cityKey(words);
    return key;
  };
  const city = (): number => {
    found ??= isNamed ? findCity(zips, keyOf()) : -1;
    return found;
  };
  // The last ZIP is memoized: the ranges of one ZIP are adjacent, and each is asked about several times.
  let [lastZip, lastCost, lastCity] = [-1, 0, -1];
  const look = (code: number): void => {
    if (lastZip === code) return;
    const at = isNamed ? zips.find(code) : -1;
    lastZip = code;
    // Without a ZIP, a misspelled city is replaced by the known one that is one typo away.
    lastCity = at < 0 ? -1 : zips.findCityOf(at, zip === undefined && city() >= 0 ? zips.cityKey(city()) : keyOf());
    lastCost = costOf(at);
  };
  const costOf = (at: number): number => {
    const knowsCities = at >= 0 && zips.mainCityOf(at) >= 0;
    if (zip !== undefined) return !isNamed || lastCity >= 0 || !knowsCities ? 0 : COST.cityOther;
    if (!isNamed) return COST.stateOnly;
    if (city() < 0) return knowsCities ? COST.cityUnknownElsewhere : COST.cityUnknown;
    if (lastCity >= 0) return COST.cityOnly;
    return knowsCities ? COST.cityElsewhere : COST.stateOnly;
  };
  return {
    isWritten: words.length > 0,
    cityIn: (code) => {
      look(code);
      return lastCity;
    },
    cost: (code) => {
      look(code);
      return lastCost;
    },
    isOf: (code) => {
      look(code);
      return lastCity >= 0 || (city() >= 0 && zips.findCityOf(zips.find(code), zips.cityKey(city())) >= 0);
    },
    zips: () => (city() >= 0 ? zips.zipsOf(city()) : NO_ZIPS),
    isFarFromZip() {
      if (zip === undefined) return false;
      // Without correcting typos: searching for them takes longer than all the rest of a correctly written address.
      const exact = zips.findCity(keyOf());
      if (exact < 0 || zips.mainCityOf(zips.find(zip)) < 0) return false;
      return zips.zipsOf(exact).every((at) => !isNeighbour(shard, zip, zips.codes[at] ?? 0));
    },
    decidingZips: () => (zip === undefined && city() >= 0 ? zips.zipsOf(city()) : undefined),
  };
}

const NO_ZIPS = new Uint32Array();

/** Nearly every shorter name is one typo away from another. */
const MIN_SLIP_LENGTH = 5;

/** The city with this key, or else the only one that is one typo away; −1 if there is none. */
function findCity(zips: ZipTable, key: string): number {
  const exact = zips.findCity(key);
  if (exact >= 0 || key.length < MIN_SLIP_LENGTH) return exact;
  let found = -1;
  for (let city = 0; city < zips.cityCount; city++) {
    if (!isOneSlipAway(key, zips.cityKey(city))) continue;
    if (found >= 0) return -1;
    found = city;
  }
  return found;
}
