import { readdirSync } from 'node:fs';
import { type AddressShard, stateOfFileName } from './shard.js';

/** The address ranges of all loaded states. */
export interface AddressFiles {
  /** By state FIPS, ascending. */
  readonly shards: readonly AddressShard[];
  readonly rangeCount: number;
  shardOf(stateFips: string): AddressShard | undefined;
  /** The states that have ranges in a ZIP, mostly one. */
  shardsOfZip(zip: number): readonly AddressShard[];
}

/** The names of a generation's files of address ranges, in order. */
export function addressFileNames(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => stateOfFileName(name) !== undefined)
    .sort();
}

const NONE: readonly AddressShard[] = [];

/** Of opened files, in order. */
export function addressFilesOf(shards: readonly AddressShard[]): AddressFiles {
  const byState = new Map(shards.map((shard) => [shard.stateFips, shard]));
  // Made at the first address: an open reads nothing but headers.
  let byZip: Map<number, AddressShard[]> | undefined;
  return {
    shards,
    rangeCount: shards.reduce((sum, { rangeCount }) => sum + rangeCount, 0),
    shardOf: (stateFips) => byState.get(stateFips),
    shardsOfZip: (zip) => {
      byZip ??= groupByZip(shards);
      return byZip.get(zip) ?? NONE;
    },
  };
}

function groupByZip(shards: readonly AddressShard[]): Map<number, AddressShard[]> {
  const byZip = new Map<number, AddressShard[]>();
  for (const shard of shards) {
    for (const code of shard.zips.codes) {
      const known = byZip.get(code);
      if (known) known.push(shard);
      else byZip.set(code, [shard]);
    }
  }
  return byZip;
}
