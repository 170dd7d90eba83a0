import { onTestFinished } from 'vitest';
import type { AddressFiles } from '../../src/format/addresses/address-files.js';
import { type AddressShardBuilder, createShardBuilder } from '../../src/format/addresses/shard-builder.js';
import { matchAddress } from '../../src/geocode/match/match-address.js';
import { openBuilt } from './street-files.js';

/** A ZIP of a state, its city, and its streets: each in a tract of its own, with the numbers 1 to 1999. */
export interface ZipOfStreets {
  readonly zip: string;
  readonly city: string;
  readonly streets: readonly string[];
}

/** Without a directory, the files go with the test; else they are to be released. */
export function openZips(state: string, zips: readonly ZipOfStreets[], directory?: string): AddressFiles {
  const builder = createShardBuilder(state);
  let tract = 0;
  for (const { zip, city, streets } of zips) {
    for (const street of streets) {
      const y = 45_000_000 + tract * 3000;
      const edge = builder.addEdge(Int32Array.of(-75_010_000, y, -75_000_000, y));
      builder.addRange({ street, zip, prefix: '', from: 1, to: 1999, mixed: true, side: 'left', edge, tract });
      tract++;
    }
    builder.addCity(zip, city);
  }
  return directory === undefined ? openedForTest(state, builder) : openBuilt(state, builder, directory);
}

/** {@link openZips} of one. */
export function streetsOf(
  state: string,
  zip: string,
  city: string,
  streets: readonly string[],
  directory?: string,
): AddressFiles {
  return openZips(state, [{ zip, city, streets }], directory);
}

type Block = Pick<Parameters<AddressShardBuilder['addRange']>[0], 'street' | 'zip' | 'prefix' | 'from' | 'to'>;

/** Stretches of streets of New York, each in a tract of its own; the files go with the test. */
export function openBlocks(blocks: readonly Block[]): AddressFiles {
  const builder = createShardBuilder('36');
  blocks.forEach((block, tract) => {
    const edge = builder.addEdge(Int32Array.of(-75_010_000, 45_000_000 + tract, -75_000_000, 45_000_000 + tract));
    builder.addRange({ ...block, mixed: true, side: 'left', edge, tract });
  });
  return openedForTest('36', builder);
}

export function release({ shards }: AddressFiles): void {
  for (const { container } of shards) container.release();
}

/** The house and street that an address is matched to, or why there is none. */
export function streetOf(files: AddressFiles, address: string): string {
  return matchedIn(files, address).split(', ')[0] ?? '';
}

/** The whole address that an address is matched to, or why there is none. */
export function matchedIn(files: AddressFiles, address: string): string {
  const found = matchAddress(files, () => -1, address);
  return 'noMatch' in found ? found.noMatch : found.matchedAddress;
}

function openedForTest(state: string, builder: AddressShardBuilder): AddressFiles {
  const files = openBuilt(state, builder);
  onTestFinished(() => release(files));
  return files;
}
