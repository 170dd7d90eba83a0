import { join } from 'node:path';
import type { LatLng } from '../core/coordinates.js';
import { addressFileNames, addressFilesOf } from '../format/addresses/address-files.js';
import { openAddressShard } from '../format/addresses/shard-reader.js';
import { mapFile } from '../format/byte-source.js';
import { isMatch } from './geocoder.js';
import { matchAddress } from './match/match-address.js';
import type { Locate } from './match/position.js';

/** A provider's practice address, as far as it is known. */
interface Practice {
  readonly practiceAddress: string | null;
  readonly practiceCity: string | null;
  /** Two letters. */
  readonly practiceState: string | null;
  readonly practiceZip: string | null;
}

/**
 * Opens a directory's address ranges before they are published, to locate practices by them. Throws FormatError. Nothing
 * may be located after `release`.
 */
export function openAddressLocator(
  directory: string,
  { locate }: { readonly locate: Locate },
): { readonly locate: (practice: Practice) => LatLng | undefined; release(): void } {
  const shards = addressFileNames(directory).map((name) => openAddressShard(mapFile(join(directory, name))));
  const files = addressFilesOf(shards);
  return {
    locate: ({ practiceAddress, practiceCity, practiceState, practiceZip }) => {
      if (practiceAddress === null) return undefined;
      const ending = [practiceState ?? '', practiceZip?.slice(0, 5) ?? ''].join(' ');
      const found = matchAddress(files, locate, [practiceAddress, practiceCity ?? '', ending].join(', '));
      return isMatch(found) ? { lat: found.lat, lng: found.lng } : undefined;
    },
    release: () => {
      for (const { container } of shards) container.release();
    },
  };
}
