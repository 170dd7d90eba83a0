import { cityKey } from '../../core/streets/street-name.js';
import type { AddressFiles } from '../../format/addresses/address-files.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import type { Whereabouts } from '../parse/readings.js';
import { MAX_CITY_WORDS } from './known-cities.js';
import { COST } from './scores.js';

/** A state to search. */
export interface ShardChoice {
  readonly shard: AddressShard;
  /** The address's ZIP; undefined if it has none, or if its state is trusted instead. */
  readonly zip: number | undefined;
  /** What it costs to assume that. */
  readonly cost: number;
}

/**
 * The states that an address can lie in: those of its ZIP, else the one that it names, else those with a city of its
 * name. If it names a state that does not have its ZIP, one of the two is wrong: both states are searched, and the city
 * decides. None for an address without any of these: a street alone may be anywhere.
 */
export function shardsFor(
  files: AddressFiles,
  { zip, stateFips, city }: Whereabouts,
  words: readonly string[],
): ShardChoice[] {
  const named = stateFips === undefined ? undefined : files.shardOf(stateFips);
  if (zip !== undefined) {
    const ofZip = files.shardsOfZip(zip);
    if (named && ofZip.includes(named)) return [{ shard: named, zip, cost: 0 }];
    if (ofZip.length > 0) {
      const byZip = ofZip.map((shard) => ({ shard, zip, cost: stateFips === undefined ? 0 : COST.stateOther }));
      // Going by the state alone costs `stateOnly` anyway: with nothing else to tell them apart, both are equally good.
      return named ? [...byZip, { shard: named, zip: undefined, cost: COST.stateOther - COST.stateOnly }] : byZip;
    }
  }
  if (stateFips !== undefined) return named ? [{ shard: named, zip, cost: 0 }] : [];
  if (zip !== undefined) return [];
  // Without commas, the city is the last words.
  const endings =
    city.length > 0 ? [city] : Array.from({ length: MAX_CITY_WORDS }, (_, count) => words.slice(-1 - count));
  const keys = endings.map(cityKey);
  return files.shards
    .filter(({ zips }) => keys.some((key) => zips.findCity(key) >= 0))
    .map((shard) => ({ shard, zip, cost: 0 }));
}
