import { haveOtherLetters, isOneSlipAway } from '../../core/slips.js';
import { stateByFips } from '../../core/states.js';
import { plainWords } from '../../core/streets/fold-text.js';
import { parseHouseNumber } from '../../core/streets/house-number.js';
import { similarHighways } from '../../core/streets/other-highways.js';
import { otherReadings } from '../../core/streets/other-readings.js';
import { cityKey, parseStreetName, parseStreetText, type StreetName } from '../../core/streets/street-name.js';
import { isStreetType } from '../../core/streets/street-types.js';
import { packDirections } from '../../format/addresses/packed-columns.js';
import { COST, nameCost, slipCost } from '../match/scores.js';
import { isSameSectionalCenter } from '../match/zip-neighbours.js';
import type { AddressReading } from '../parse/readings.js';

/** A house as a geocoder describes it. */
export interface AnsweredHouse {
  /** One or several: `5;7;9`. */
  readonly number: string;
  readonly road: string;
  /** Places that contain the house: city, town, suburb and the like. */
  readonly places: readonly string[];
  /** Two letters. */
  readonly state: string | undefined;
  readonly postcode: string | undefined;
}

/** A typo or another street type passes if nothing else is wrong; another direction does not. */
const MOST_DIFFERENCES = COST.slipInShortName;

/**
 * Whether a house that a geocoder found is the one that an address means, by number, street, and ZIP or city and state. A
 * geocoder that ignores what it does not know may answer with a house on another street, or in another town.
 */
export function isSameHouse(readings: readonly AddressReading[], house: AnsweredHouse): boolean {
  const road = parseStreetText(house.road);
  if (!road) return false;
  const numbers = house.number
    .toUpperCase()
    .split(/[;,]/)
    .map((number) => parseHouseNumber(number.trim()));
  return readings.some((reading) => {
    const { prefix, value } = reading.number;
    const hasNumber = numbers.some((number) => number?.prefix === prefix && number.value === value);
    return hasNumber && isInState(reading, house) && isOnRoad(reading, road, house);
  });
}

function isInState({ stateFips }: AddressReading, { state }: AnsweredHouse): boolean {
  const asked = stateFips === undefined ? undefined : stateByFips(stateFips)?.abbreviation;
  return asked === undefined || state === undefined || asked === state;
}

/** Whether leading words are the road, and the words after them, or after the comma, a place that contains the house. */
function isOnRoad({ words, city, zip }: AddressReading, road: StreetName, house: AnsweredHouse): boolean {
  return words.some((_, last) => {
    const [street, rest] = [words.slice(0, last + 1), words.slice(last + 1)];
    const asked = parseStreetName(street);
    if (!asked || ![asked, ...otherReadings(street, asked)].some((name) => isRoad(name, road))) return false;
    const place = city.length > 0 ? city : rest;
    const isThere = place.length === 0 ? undefined : isPlaceOf(house, place);
    // What follows half of a street's name may be its other half.
    const isRestUnknown = rest.length > 0 && (city.length > 0 || isThere === false);
    return (!isRestUnknown || isWhole(asked, rest)) && isInArea(zip, isThere, house);
  });
}

function isRoad(asked: StreetName, road: StreetName): boolean {
  const differences = nameCost(asked, road.type, packDirections(road.before, road.after));
  if (asked.key === road.key) return differences <= MOST_DIFFERENCES;
  if (similarHighways(asked.key).includes(road.key)) return differences + COST.highwayKind <= MOST_DIFFERENCES;
  const isSlip = isOneSlipAway(asked.key, road.key) && !haveOtherLetters(asked.key, road.key);
  return isSlip && differences + slipCost(asked.key) <= MOST_DIFFERENCES;
}

const isWhole = ({ type, after }: StreetName, rest: readonly string[]): boolean =>
  (type !== '' || after > 0) && !isStreetType(rest.at(-1) ?? '');

function isPlaceOf({ places }: AnsweredHouse, words: readonly string[]): boolean {
  const asked = cityKey(words);
  return places.some((place) => {
    const key = cityKey(plainWords(place));
    return key === asked || isOneSlipAway(key, asked);
  });
}

/**
 * Compares by ZIP if both have one, and by city as well if the ZIPs are only neighbours. By city alone if the house has no
 * ZIP, or one that cannot be read; and if the address has none, in which case it may name no city, either.
 */
function isInArea(zip: number | undefined, isThere: boolean | undefined, { postcode }: AnsweredHouse): boolean {
  const [, figures] = /^(\d{5})(?:-\d{4})?$/.exec(postcode ?? '') ?? [];
  if (zip === undefined) return isThere !== false;
  if (figures === undefined) return isThere === true;
  return Number(figures) === zip || (isSameSectionalCenter(Number(figures), zip) && isThere === true);
}
