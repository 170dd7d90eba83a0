import { onTestFinished } from 'vitest';
import type { AddressFiles } from '../../src/format/addresses/address-files.js';
import { type AddressShardBuilder, createShardBuilder } from '../../src/format/addresses/shard-builder.js';
import { matchAddress } from '../../src/geocode/match/match-address.js';
import { openBuilt } from './street-files.js';

/** A ZIP, its city, and its streets, each of which has the numbers 1 to 1999 and lies in its own tract. */
export interface ZipOfStreets {
  readonly zip: string;
  readonly city: string;
  readonly streets: readonly string[];
}

/** Opens files of these streets: until the test ends or, if a directory is given, until the caller releases them. */
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

/** {@link openZips} for a single ZIP. */
export function streetsOf(
  state: string,
  zip: string,
  city: string,
  streets: readonly string[],
  directory?: string,
): AddressFiles {
  return openZips(state, [{ zip, city, streets }], directory);
}

/** {@link streetsOf} for Sampleton, TX 78701, where most tests of addresses are at home. */
export const inTexas = (streets: readonly string[]): AddressFiles => streetsOf('48', '78701', 'Sampleton', streets);

type Range = Parameters<AddressShardBuilder['addRange']>[0];
type Block = Pick<Range, 'street' | 'zip' | 'prefix' | 'from' | 'to'> & Partial<Pick<Range, 'tract'>>;

/** Opens a file of stretches of streets in New York until the test ends, each in its own tract unless that is given. */
export function openBlocks(blocks: readonly Block[]): AddressFiles {
  const builder = createShardBuilder('36');
  blocks.forEach((block, tract) => {
    const edge = builder.addEdge(Int32Array.of(-75_010_000, 45_000_000 + tract, -75_000_000, 45_000_000 + tract));
    builder.addRange({ tract, ...block, mixed: true, side: 'left', edge });
  });
  return openedForTest('36', builder);
}

export function release({ shards }: AddressFiles): void {
  for (const { container } of shards) container.release();
}

/** The house number and street that an address is matched to, or the reason for no match. */
export function streetOf(files: AddressFiles, address: string): string {
  return matchedIn(files, address).split(', ')[0] ?? '';
}

/** The whole address that an address is matched to, or the reason for no match. */
export function matchedIn(files: AddressFiles, address: string): string {
  const found = matchAddress(files, () => -1, address);
  return 'noMatch' in found ? found.noMatch : found.matchedAddress;
}

function openedForTest(state: string, builder: AddressShardBuilder): AddressFiles {
  const files = openBuilt(state, builder);
  onTestFinished(() => release(files));
  return files;
}
