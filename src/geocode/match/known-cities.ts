import { isOneSlipAway } from '../../core/slips.js';
import { cityKey } from '../../core/streets/street-name.js';
import { isPlainType, streetType } from '../../core/streets/street-types.js';
import type { AddressShard } from '../../format/addresses/shard.js';

// Which words are a city that is known to use a ZIP of a state.

/** The longest name of a city: `LAKE IN THE HILLS`. */
export const MAX_CITY_WORDS = 4;

/** Whether the words are a known city, spelled exactly so. */
export const isKnownCity = (words: readonly string[], { zips }: AddressShard): boolean =>
  zips.findCity(cityKey(words)) >= 0;

/** How many of the last words are a known city, as many as possible: 2 of `REAR SAINT PAUL`; 0 if none are. */
export function knownCityLength(words: readonly string[], shard: AddressShard): number {
  for (let count = Math.min(words.length, MAX_CITY_WORDS); count > 0; count--) {
    if (isKnownCity(words.slice(-count), shard)) return count;
  }
  return 0;
}

/** Whether any city is known to use a ZIP. If none is, that a city is unknown says nothing. */
export const hasKnownCity = ({ zips }: AddressShard, zip: number | undefined): boolean =>
  zip !== undefined && zips.mainCityOf(zips.find(zip)) >= 0;

/** Whether a city can be looked for: in the ZIP or, where the address has none, anywhere in the state. */
export const areCitiesKnown = (shard: AddressShard, zip: number | undefined): boolean =>
  zip === undefined ? shard.zips.cityCount > 0 : hasKnownCity(shard, zip);

/** Whether the words are a known city with a street type before it that lacks a space: `STBOSTON` behind `MAIN`. */
export function isTypeAndKnownCity([first = '', ...more]: readonly string[], shard: AddressShard): boolean {
  for (let end = 2; end < first.length; end++) {
    const isType = isPlainType(streetType(first.slice(0, end)) ?? '');
    if (isType && isKnownCity([first.slice(end), ...more], shard)) return true;
  }
  return false;
}

/** Nearly every shorter name is one typo away from another. */
const MIN_SLIP_LENGTH = 5;

/** The position of the city with this key, or else of the only one that is one typo away; −1 if there is none. */
export function knownCityLike(key: string, { zips }: AddressShard): number {
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
