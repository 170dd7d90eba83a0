import { cityKey } from '../../core/streets/street-name.js';
import type { AddressFiles } from '../../format/addresses/address-files.js';
import { type GeocodedAddress, type MatchType, NO_MATCH, type NoMatch } from '../geocoder.js';
import { parseAddress } from '../parse/parse-address.js';
import type { AddressReading, CrossingReading, ParsedAddress, Whereabouts } from '../parse/readings.js';
import { Candidates, isAmong, isOnePlace } from './candidates.js';
import { matchCrossing } from './crossing.js';
import { isKnownCity } from './known-cities.js';
import { placesOf } from './own-place.js';
import { type Locate, positionOf } from './position.js';
import { COST, GOOD, MATCH_THRESHOLD, TIE_MARGIN } from './scores.js';
import { searchShard } from './search-shard.js';
import { shardsFor } from './shards-for.js';
import { standardAddress } from './standard-address.js';

/** A match that is good enough, with its score from `MATCH_THRESHOLD` to 100. */
export interface AddressMatch extends GeocodedAddress {
  readonly matchType: MatchType;
  readonly score: number;
}

const TIE: NoMatch = { noMatch: 'tie' };
const CANNOT_BE_PLACED: NoMatch = { noMatch: 'cannot be placed' };
const NOT_LOADED: NoMatch = { noMatch: 'not loaded' };

/**
 * Matches an address against the address ranges: number and street in its ZIP, else in its city and state. Other
 * spellings are tried if nothing fits as written; equally good places in different tracts are a tie. Microseconds;
 * O(length of the address + ranges of the street). The comment on `create-geocoder.ts` lists the steps.
 */
export function matchAddress(files: AddressFiles, locate: Locate, address: string): AddressMatch | NoMatch {
  const parsed = parseAddress(address);
  const written = matchAsWritten(files, locate, parsed);
  if (written !== NO_MATCH) return written;
  // `Mailing: PO Box 5, Physical: 150 Main St`
  const otherwise = matchOtherwise(files, locate, parsed.otherwise());
  return otherwise === NO_MATCH && parsed.kind === 'unplaceable' ? CANNOT_BE_PLACED : otherwise;
}

function matchAsWritten(files: AddressFiles, locate: Locate, parsed: ParsedAddress): AddressMatch | NoMatch {
  if (parsed.kind === 'unplaceable' || parsed.kind === 'nothing') return NO_MATCH;
  if (isElsewhere(files, parsed.readings)) return NOT_LOADED;
  return parsed.kind === 'address'
    ? matchAddresses(files, locate, parsed.readings, parsed.elsewhere)
    : matchCrossings(files, locate, parsed.readings);
}

/** Whether nothing is loaded of the states and ZIPs that an address names, in any reading. */
const isElsewhere = (files: AddressFiles, readings: readonly Whereabouts[]): boolean =>
  readings.every(
    ({ zip, stateFips }) =>
      (zip !== undefined || stateFips !== undefined) &&
      (zip === undefined || files.shardsOfZip(zip).length === 0) &&
      (stateFips === undefined || !files.shardOf(stateFips)),
  );

/**
 * What is found if the words before the street are left out, at a cost that is the same for every match. Nothing if only a
 * city follows the number: `Main 500 Sometown` is no house in Sometown Road.
 */
function matchOtherwise(
  files: AddressFiles,
  locate: Locate,
  readings: readonly AddressReading[],
): AddressMatch | NoMatch {
  if (readings.some((reading) => isCityAlone(files, reading))) return NO_MATCH;
  return chosenOf(collectReadings(files, readings), locate, COST.wordsLeftOut);
}

function isCityAlone(files: AddressFiles, reading: AddressReading): boolean {
  const { words, city } = reading;
  const key = cityKey(words);
  return city.length === 0 && shardsFor(files, reading, words).some(({ shard }) => shard.zips.findCity(key) >= 0);
}

/**
 * Matches the first number that is written, unless another one matches as well or better: then the first may be part of a
 * building's name. If both match well in different places, it is a tie, whichever is better, unless the other one decides
 * between the places that the first may mean.
 */
function matchAddresses(
  files: AddressFiles,
  locate: Locate,
  readings: readonly AddressReading[],
  elsewhere: readonly AddressReading[],
): AddressMatch | NoMatch {
  const first = collectReadings(files, readings);
  if (elsewhere.length === 0) return chosenOf(first, locate);
  const other = collectReadings(files, elsewhere);
  const areBothGood = first.best >= GOOD && other.best >= GOOD;
  const isDecided = other.best > first.best + TIE_MARGIN && isAmong(other, first);
  if (areBothGood && !isOnePlace(first, other) && !isDecided) return TIE;
  first.addAll(other);
  return chosenOf(first, locate);
}

function collectReadings(files: AddressFiles, readings: readonly AddressReading[]): Candidates {
  const candidates = new Candidates();
  readings.forEach((reading, at) => {
    if (candidates.best >= GOOD) return;
    const { own, others } = placesOf(files, reading);
    const cost = (at > 0 ? COST.readingUnlikely : 0) + (reading.isDirectionFirst ? COST.directionFirst : 0);
    collectReading(files, own, cost, candidates);
    for (const other of others) {
      const found = new Candidates();
      // Having no ZIP, it also costs `cityOnly`.
      collectReading(files, other, cost + COST.cityBetween - COST.cityOnly, found);
      // Never better than what is in the reading's own place, nor instead of it.
      const { best } = candidates;
      for (const candidate of found.kept) candidates.add({ ...candidate, score: Math.min(candidate.score, best) });
    }
  });
  return candidates;
}

function collectReading(files: AddressFiles, reading: AddressReading, ownCost: number, candidates: Candidates): void {
  const choices = shardsFor(files, reading, reading.words);
  for (const { shard, zip, cost } of choices) {
    // `Jane Sample MD 150 Main St` is not in Maryland's Jane Sample.
    if (reading.isPlaceFirst && !isKnownCity(reading.city, shard)) continue;
    // Each state separately: a match in one must not end the search in another, where there may be one as good.
    const found = choices.length > 1 ? new Candidates() : candidates;
    searchShard({ ...reading, zip }, shard, cost + ownCost, found);
    if (found !== candidates) candidates.addAll(found);
  }
}

function chosenOf(candidates: Candidates, locate: Locate, leftOutCost = 0): AddressMatch | NoMatch {
  if (candidates.best - leftOutCost < MATCH_THRESHOLD) return NO_MATCH;
  const found = candidates.decide();
  if (found === undefined) return NO_MATCH;
  if (found === 'tie') return TIE;
  const { score, type } = found;
  const { lat, lng } = positionOf(found, locate);
  return { lat, lng, matchedAddress: standardAddress(found), matchType: type, score: score - leftOutCost };
}

function matchCrossings(
  files: AddressFiles,
  locate: Locate,
  readings: readonly CrossingReading[],
): AddressMatch | NoMatch {
  for (const reading of readings) {
    const found = shardsFor(files, reading, reading.streets[1]).flatMap(
      (choice) => matchCrossing(reading, choice, locate) ?? [],
    );
    const [first, ...others] = found;
    if (first === undefined) continue;
    return first === 'tie' || others.length > 0 ? TIE : { ...first, matchType: 'street' };
  }
  return NO_MATCH;
}
