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
  return addressFilesWhenUsed(() => shards);
}

/** The same of files whose parts are looked up at the first address, so that an open reads nothing but headers. */
export function addressFilesWhenUsed(open: () => readonly AddressShard[]): AddressFiles {
  let opened: ReturnType<typeof indexShards> | undefined;
  const files = () => {
    opened ??= indexShards(open());
    return opened;
  };
  return {
    get shards() {
      return files().shards;
    },
    get rangeCount() {
      return files().rangeCount;
    },
    shardOf: (stateFips) => files().byState.get(stateFips),
    shardsOfZip: (zip) => files().byZip.get(zip) ?? NONE,
  };
}

function indexShards(shards: readonly AddressShard[]) {
  return {
    shards,
    rangeCount: shards.reduce((sum, { rangeCount }) => sum + rangeCount, 0),
    byState: new Map(shards.map((shard) => [shard.stateFips, shard])),
    byZip: groupByZip(shards),
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
