import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { cannotOpen } from '../format-error.js';
import { type AddressShard, stateOfFileName } from './shard.js';

/** The address ranges of all loaded states. */
export interface AddressFiles {
  /** By state FIPS, ascending. */
  readonly shards: readonly AddressShard[];
  readonly rangeCount: number;
  shardOf(stateFips: string): AddressShard | undefined;
  /** The states that have ranges in a ZIP, mostly one. */
  shardsOfZip(zip: number): readonly AddressShard[];
  /**
   * Looks into the files, one after the other, so that the first address need not; not any more when the signal has aborted.
   * Rejects with FormatError.
   */
  prepare(signal?: AbortSignal): Promise<void>;
}

/** The names of a generation's files of address ranges, in order. Throws {@link FormatError} where they cannot be listed. */
export function addressFileNames(directory: string): string[] {
  return namesIn(directory)
    .filter((name) => stateOfFileName(name) !== undefined)
    .sort();
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    throw cannotOpen(directory, error);
  }
}

const NONE: readonly AddressShard[] = [];

/** Of opened files, in order. */
export function addressFilesOf(shards: readonly AddressShard[]): AddressFiles {
  return addressFilesWhenUsed(shards.map((shard) => () => shard));
}

/**
 * The same of files that are looked into at the first address, or by `prepare` before it, so that an open reads nothing but
 * headers.
 */
export function addressFilesWhenUsed(files: readonly (() => AddressShard)[]): AddressFiles {
  const shards: AddressShard[] = [];
  const byState = new Map<string, AddressShard>();
  const byZip = new Map<number, AddressShard[]>();
  const isDone = (): boolean => shards.length === files.length;
  const takeNext = (): void => {
    const shard = files[shards.length]?.();
    if (!shard) return;
    shards.push(shard);
    byState.set(shard.stateFips, shard);
    for (const code of shard.zips.codes) {
      const known = byZip.get(code);
      if (known) known.push(shard);
      else byZip.set(code, [shard]);
    }
  };
  const all = (): readonly AddressShard[] => {
    while (!isDone()) takeNext();
    return shards;
  };
  return {
    get shards() {
      return all();
    },
    get rangeCount() {
      return all().reduce((sum, { rangeCount }) => sum + rangeCount, 0);
    },
    shardOf: (stateFips) => {
      all();
      return byState.get(stateFips);
    },
    shardsOfZip: (zip) => {
      all();
      return byZip.get(zip) ?? NONE;
    },
    prepare: async (signal) => {
      while (!isDone() && !signal?.aborted) {
        takeNext();
        // Requests go on meanwhile.
        await setImmediate();
      }
    },
  };
}
