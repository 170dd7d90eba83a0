import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AddressFiles, addressFilesOf } from '../../src/format/addresses/address-files.js';
import { addressesFileName } from '../../src/format/addresses/shard.js';
import { createShardBuilder } from '../../src/format/addresses/shard-builder.js';
import { openAddressShard } from '../../src/format/addresses/shard-reader.js';
import { writeAddressShard } from '../../src/format/addresses/shard-writer.js';
import { mapFile } from '../../src/format/byte-source.js';
import { tractBeside } from '../../src/load/outlines/side-tract.js';
import { createRandom, type Random } from '../../src/load/synthetic/random.js';
import { streetName } from '../../src/load/synthetic/street-names.js';
import { gridTract } from './official-shards.js';

/** Made-up address ranges, as many as in a large state. */
export interface MillionRanges {
  readonly files: AddressFiles;
  readonly sizeBytes: number;
  /** Addresses as people write them, shuffled, each in one of the ranges. */
  readonly addresses: readonly string[];
}

const STATE = '48';
const FIRST_ZIP = 75_000;
const ZIPS_PER_ROW = 20;
/** The distance between neighbouring ZIPs, some 11 km. */
const ZIP_DEGREES = 0.1;
const ZIPS = 400;
const STREETS_PER_ZIP = 125;
const BLOCKS_PER_STREET = 10;
/** The length of a block in micro-degrees, about 110 metres. */
const BLOCK = 1000;
const BENDS = 4;
const ADDRESSES = 100_000;
/** One in 10 addresses lacks the ZIP, one in 10 is in lower case without commas, and one in 20 has a typo. */
const WITHOUT_ZIP_EVERY = 10;
const SLIP_EVERY = 20;

/** Makes a million ranges (400 ZIPs, 50,000 streets of ten blocks, two sides each) and compiles them. */
export function makeMillion(directory: string, seed: number): MillionRanges {
  const random = createRandom(seed, 'million ranges');
  const builder = createShardBuilder(STATE);
  const asked: string[] = [];
  for (let zip = 0; zip < ZIPS; zip++) {
    const code = String(FIRST_ZIP + zip);
    const city = `Sampletown ${streetName(zip, 7).split(' ').at(-2)}`;
    builder.addCity(code, city);
    const west = Math.round((-100 + (zip % ZIPS_PER_ROW) * ZIP_DEGREES) * 1e6);
    const south = Math.round((30 + Math.floor(zip / ZIPS_PER_ROW) * ZIP_DEGREES) * 1e6);
    for (let street = 0; street < STREETS_PER_ZIP; street++) {
      const name = streetName(zip * STREETS_PER_ZIP + street, street);
      for (let block = 0; block < BLOCKS_PER_STREET; block++) {
        addBlock(
          builder,
          { name, code, x: west + block * BLOCK, y: south + street * 700, first: 100 * (block + 1) },
          random,
        );
      }
      asked.push(
        addressOf(100 * (1 + Math.floor(random.next() * BLOCKS_PER_STREET)), name, city, code, asked.length, random),
      );
      asked.push(
        addressOf(100 * (1 + Math.floor(random.next() * BLOCKS_PER_STREET)), name, city, code, asked.length, random),
      );
    }
  }
  mkdirSync(directory, { recursive: true });
  const path = join(directory, addressesFileName(STATE));
  writeAddressShard(path, builder.content());
  const shard = openAddressShard(mapFile(path));
  return {
    files: addressFilesOf([shard]),
    sizeBytes: shard.container.sizeBytes,
    addresses: shuffled(asked, random).slice(0, ADDRESSES),
  };
}

interface Block {
  readonly name: string;
  readonly code: string;
  readonly x: number;
  readonly y: number;
  readonly first: number;
}

function addBlock(
  builder: ReturnType<typeof createShardBuilder>,
  { name, code, x, y, first }: Block,
  random: Random,
): void {
  const line = new Int32Array((BENDS + 1) * 2);
  for (let bend = 0; bend <= BENDS; bend++) {
    line.set([x + (bend * BLOCK) / BENDS, y + Math.round(random.next() * 50)], bend * 2);
  }
  const edge = builder.addEdge(line);
  for (const [side, from] of [
    ['left', first + 1],
    ['right', first],
  ] as const) {
    const tract = tractBeside(line, side, gridTract);
    builder.addRange({ street: name, zip: code, prefix: '', from, to: from + 98, mixed: false, side, edge, tract });
  }
}

function addressOf(first: number, name: string, city: string, zip: string, index: number, random: Random): string {
  const number = first + Math.floor(random.next() * 99);
  if (index % WITHOUT_ZIP_EVERY === 1) return `${number} ${name}, ${city}, TX`;
  if (index % WITHOUT_ZIP_EVERY === 2) return `${number} ${name} ${city} TX ${zip}`.toLowerCase();
  if (index % SLIP_EVERY === 3) return `${number} ${name.slice(0, 4)}${name.slice(5)}, ${city}, TX ${zip}`;
  return `${number} ${name}, ${city}, TX ${zip}`;
}

function shuffled(items: string[], random: Random): string[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random.next() * (last + 1));
    [items[last], items[other]] = [items[other] ?? '', items[last] ?? ''];
  }
  return items;
}
