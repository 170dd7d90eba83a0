import { join } from 'node:path';
import type { WrittenFile } from '../../src/catalog/directory/generation-name.js';
import { type AddressFiles, addressFilesOf } from '../../src/format/addresses/address-files.js';
import { addressesFileName } from '../../src/format/addresses/shard.js';
import { type AddressShardBuilder, createShardBuilder } from '../../src/format/addresses/shard-builder.js';
import { openAddressShard } from '../../src/format/addresses/shard-reader.js';
import { writeAddressShard } from '../../src/format/addresses/shard-writer.js';
import { mapFile } from '../../src/format/byte-source.js';
import type { StreetSegment } from '../../src/load/intake/street-segment.js';
import type { Locate } from '../../src/load/outlines/side-tract.js';
import { addSegment } from '../../src/load/write/write-addresses.js';
import { temporaryDirectory } from './temporary-directory.js';

/** Writes the segments' files, one per state. */
export function writeStreets(directory: string, segments: readonly StreetSegment[], locate: Locate): WrittenFile[] {
  return [...new Set(segments.map(({ stateFips }) => stateFips))].sort().map((state) => {
    const builder = createShardBuilder(state);
    for (const segment of segments) if (segment.stateFips === state) addSegment(segment, builder, locate);
    return write(directory, state, builder);
  });
}

/** Writes a builder's content to a compiled file and opens it. */
export function openBuilt(
  state: string,
  builder: AddressShardBuilder,
  directory: string = temporaryDirectory(),
): AddressFiles {
  return openWritten(directory, [write(directory, state, builder)]);
}

const openWritten = (directory: string, files: readonly WrittenFile[]): AddressFiles =>
  addressFilesOf(files.map(({ name }) => openAddressShard(mapFile(join(directory, name)))));

function write(directory: string, state: string, builder: AddressShardBuilder): WrittenFile {
  const name = addressesFileName(state);
  return { name, sections: writeAddressShard(join(directory, name), builder.content()) };
}
