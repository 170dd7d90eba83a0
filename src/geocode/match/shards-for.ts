import { cityKey } from '../../core/street-name.js';
import type { AddressFiles } from '../../format/addresses/address-files.js';
import type { AddressShard } from '../../format/addresses/shard.js';
import type { Whereabouts } from '../parse/parse-address.js';
import { COST } from './scores.js';

/** A state to look in, and what it costs that the address may say another. */
export interface ShardChoice {
  readonly shard: AddressShard;
  readonly cost: number;
}

/**
 * The states that an address can lie in: those of its ZIP, else the one that it names, else those with a city of its name.
 * None for an address without any of these: a street alone may be anywhere.
 */
export function shardsFor(
  files: AddressFiles,
  { zip, stateFips, city }: Whereabouts,
  words: readonly string[],
): ShardChoice[] {
  const named = stateFips === undefined ? undefined : files.shardOf(stateFips);
  if (zip !== undefined) {
    const ofZip = files.shardsOfZip(zip);
    if (named && ofZip.includes(named)) return [{ shard: named, cost: 0 }];
    if (ofZip.length > 0)
      return ofZip.map((shard) => ({ shard, cost: stateFips === undefined ? 0 : COST.zipNeighbouring }));
  }
  if (stateFips !== undefined) return named ? [{ shard: named, cost: 0 }] : [];
  if (zip !== undefined) return [];
  // Without commas the city is what the words end with.
  const endings = city.length > 0 ? [city] : [1, 2, 3].map((count) => words.slice(-count));
  const keys = endings.filter((ending) => ending.length > 0).map(cityKey);
  return files.shards
    .filter(({ zips }) => keys.some((key) => zips.findCity(key) >= 0))
    .map((shard) => ({ shard, cost: 0 }));
}
