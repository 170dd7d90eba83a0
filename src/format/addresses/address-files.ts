import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { obtain } from '../../core/obtain.js';
import { cannotOpen } from '../format-error.js';
import { type AddressShard, stateOfFileName } from './shard.js';

/** The address ranges of all loaded states. */
export interface AddressFiles {
  /** By state FIPS, ascending. */
  readonly shards: readonly AddressShard[];
  readonly rangeCount: number;
  shardOf(stateFips: string): AddressShard | undefined;
  /** The shards of the states that have ranges in a ZIP, usually one. */
  shardsOfZip(zip: number): readonly AddressShard[];
  /**
   * Reads the files' tables ahead, one file after the other, so that the first address does not have to wait for it. Stops
   * early when the signal aborts. Rejects with FormatError.
   */
  prepare(signal?: AbortSignal): Promise<void>;
}

/** The sorted names of a generation's address range files. Throws FormatError if they cannot be listed. */
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

/** Combines opened shards, given in ascending order of state FIPS. */
export function addressFilesOf(shards: readonly AddressShard[]): AddressFiles {
  return addressFilesWhenUsed(shards.map((shard) => () => shard));
}

/**
 * Like {@link addressFilesOf}, with shards that are opened at the first use or by `prepare`, so that opening a generation
 * reads nothing but headers.
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
    for (const code of shard.zips.codes) obtain(byZip, code, () => []).push(shard);
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
        // Lets requests run between two files.
        await setImmediate();
      }
    },
  };
}
