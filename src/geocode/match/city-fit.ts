import { cityKey } from '../../core/street-name.js';
import type { AddressShard, ZipTable } from '../../format/addresses/shard.js';
import { isOneSlipAway } from '../../format/addresses/slips.js';
import { COST } from './scores.js';
import { isNeighbour } from './zip-neighbours.js';

/** How an address's city stands to the ZIPs of a state. */
export interface CityFit {
  /** Whether the address names one, known or not. */
  readonly isWritten: boolean;
  /** What a range in a ZIP (0: unknown) costs. */
  cost(zip: number): number;
  /** The city's position where it uses the ZIP, or −1. */
  cityIn(zip: number): number;
  /** Whether the city, or the only one that is a slip away from it, uses a ZIP. */
  isOf(zip: number): boolean;
  /** Positions of the city's ZIPs; none where the address names no city that is known. */
  zips(): Uint32Array;
  /** Whether none of the city's ZIPs, as it is written, is the written one, or near it: one of the two is mistaken. */
  isFarFromZip(): boolean;
  /** Positions of the ZIPs that alone can be meant; undefined where the city decides nothing. */
  decidingZips(): Uint32Array | undefined;
}

/**
 * Cities decide where they are known: without a ZIP, the range's ZIP must be one of the city's. With a ZIP they decide
 * next to nothing, since towns share ZIPs and go by several names. Where no cities are loaded they decide nothing.
 */
export function fitCity(shard: AddressShard, words: readonly string[], zip: number | undefined): CityFit {
  const { zips } = shard;
  const isNamed = words.length > 0 && zips.cityCount > 0;
  // Most names that are tried are no street's: nobody asks for their city.
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
  // The ranges of one ZIP follow each other, and are asked about several times each.
  let [lastZip, lastCost, lastCity] = [-1, 0, -1];
  const look = (code: number): void => {
    if (lastZip === code) return;
    const at = code === 0 || !isNamed ? -1 : zips.find(code);
    lastZip = code;
    // Without a ZIP the city's spelling may be mended.
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
      // Not a city that is a slip away: to look for that takes longer than all else of an address as it should be.
      const exact = zip === undefined || !isNamed ? -1 : zips.findCity(keyOf());
      if (zip === undefined || exact < 0 || zips.mainCityOf(zips.find(zip)) < 0) return false;
      return zips.zipsOf(exact).every((at) => !isNeighbour(shard, zip, zips.codes[at] ?? 0));
    },
    decidingZips: () => (zip === undefined && city() >= 0 ? zips.zipsOf(city()) : undefined),
  };
}

const NO_ZIPS = new Uint32Array();

/** Of shorter names nearly every one is a slip away from another. */
const MIN_SLIP_LENGTH = 5;

/** The city of this key, else the only one that is a slip away. */
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
