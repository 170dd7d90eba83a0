import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { openAddressShard } from '../../../src/format/addresses/shard-reader.js';
import type { ByteSource } from '../../../src/format/byte-source.js';
import type { SectionEntry } from '../../../src/format/container-header.js';
import { type ContainerReader, openContainer } from '../../../src/format/container-reader.js';
import { opaque, writeContainer } from '../../../src/format/container-writer.js';
import { FormatError } from '../../../src/format/format-error.js';
import { openOutlinesFile } from '../../../src/format/outlines-file.js';
import { buildPointIndex, readPointIndex } from '../../../src/format/point-index.js';
import { openProvidersFile } from '../../../src/format/providers-file.js';
import { buildRTree, readRTree } from '../../../src/format/rtree.js';
import { openTractsFile } from '../../../src/format/tracts-file.js';
import { bytesInMemory } from '../../support/bytes-in-memory.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset, TINY_TRACTS } from '../../support/tiny-dataset.js';

const ROWS = TINY_TRACTS.length;

type Opener = (source: ByteSource) => { readonly container: ContainerReader };

/** Opens each kind of file, and searches where a search could go in circles. */
const OPENERS: readonly (readonly [string, Opener])[] = [
  ['tracts.tctx', openTractsFile],
  [
    'outlines.tctx',
    (source) => {
      const outlines = openOutlinesFile(source, ROWS);
      outlines.rowsInBox(-(2 ** 31), -(2 ** 31), 2 ** 31, 2 ** 31);
      return outlines;
    },
  ],
  ['providers.tctx', (source) => openProvidersFile(source, ROWS)],
  ['addresses-27.tctx', openAddressShard],
];

const BLOCK_BYTES = 64;
const BLOCKS_A_SECTION = 8;

/** Blocks of a section, its first and its last one among them. */
function blocksOf({ offset, sizeBytes }: SectionEntry): { start: number; end: number }[] {
  const count = Math.min(BLOCKS_A_SECTION, Math.ceil(sizeBytes / BLOCK_BYTES));
  const last = Math.max(0, sizeBytes - BLOCK_BYTES);
  return Array.from({ length: count }, (_, at) => {
    const start = offset + (count === 1 ? 0 : Math.floor((last * at) / (count - 1)));
    return { start, end: Math.min(start + BLOCK_BYTES, offset + sizeBytes) };
  });
}

/** Why a file is refused; undefined where it opens. What is no FormatError is thrown on. */
function refusal(open: () => unknown): FormatError | undefined {
  try {
    open();
    return undefined;
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
}

function generation(): string {
  const datasetsDir = temporaryDirectory();
  return generationPath(datasetsDir, publishTinyDataset(datasetsDir));
}

describe('a file whose header is sound and whose sections are not', () => {
  it('is tested for every file of a dataset', () => {
    const names = readdirSync(generation()).filter((name) => name.endsWith('.tctx') && !/^addresses-(?!27)/.test(name));
    expect(names.toSorted()).toEqual(OPENERS.map(([name]) => name).toSorted());
  });

  it.each(OPENERS)('opens or is refused with a FormatError: %s', (name, open) => {
    const bytes = readFileSync(join(generation(), name));
    const { sections } = open(bytesInMemory(name, bytes)).container;
    const refused = new Set<string>();
    for (const section of sections) {
      for (const { start, end } of blocksOf(section)) {
        const good = Buffer.from(bytes.subarray(start, end));
        for (const byte of [0x00, 0xff]) {
          bytes.fill(byte, start, end);
          const error = refusal(() => open(bytesInMemory(name, bytes)));
          if (error?.section !== undefined) refused.add(error.section);
        }
        bytes.set(good, start);
      }
    }
    const believed = sections.filter(({ name, sizeBytes }) => sizeBytes > 0 && /^description$|tree$/.test(name));
    expect([...refused]).toEqual(expect.arrayContaining(believed.map((section) => section.name)));
  });
});

describe('positions that descend, or exceed their table, are refused', () => {
  const sections: Readonly<Record<string, readonly string[]>> = {
    'tracts.tctx': ['name/offset', 'record/offset', 'summary/offset'],
    'outlines.tctx': ['row/first-ring', 'ring/first-vertex', 'part/first-chunk', 'square/start'],
    'providers.tctx': ['by-tract/first'],
    'addresses-27.tctx': ['name/key/offset', 'street/name/offset', 'city/name/offset', 'city/first-zip'],
  };
  it.each(OPENERS.flatMap(([file, open]) => (sections[file] ?? []).map((name) => [name, file, open] as const)))(
    '%s of %s',
    (section, file, open) => {
      const bytes = readFileSync(join(generation(), file));
      const { container } = open(bytesInMemory(file, bytes));
      const { offset = 0 } = container.sections.find(({ name }) => name === section) ?? {};
      const positions = container.uint32(section).slice();
      for (const [at, value] of [
        [1, 2 ** 31],
        [0, 2 ** 31],
        [positions.length - 2, (positions.at(-1) ?? 0) + 1],
      ] as const) {
        bytes.writeUInt32LE(value, offset + at * 4);
        expect(refusal(() => open(bytesInMemory(file, bytes)))).toMatchObject({ code: 'bad-index', section });
        bytes.writeUInt32LE(positions[at] ?? 0, offset + at * 4);
      }
    },
  );
});

/** A section of those bytes in a file of its own. */
function fileWith(section: string, bytes: Uint8Array): ContainerReader {
  const path = join(temporaryDirectory(), 'x.tctx');
  writeContainer(path, 'sample', [opaque(section, bytes)]);
  return openContainer(bytesInMemory('x.tctx', readFileSync(path)), 'sample');
}

describe('an R-tree', () => {
  const boxes = (count: number): Int32Array => new Int32Array(count * 4);
  const read = (bytes: Uint8Array, items: number) => readRTree(fileWith('part/r-tree', bytes), 'part/r-tree', items);

  it('of zeros is refused with the number of items that it has', () => {
    const bytes = buildRTree(boxes(3)).fill(0);
    expect(refusal(() => read(bytes, 3))).toMatchObject({
      code: 'bad-index',
      message: 'x.tctx, section part/r-tree: is an R-tree over 0 items, not 3',
    });
  });

  it('whose length does not fit its number of items is refused', () => {
    const tree = buildRTree(boxes(20));
    expect(refusal(() => read(tree, 20))).toBeUndefined();
    expect(refusal(() => read(new Uint8Array(0), 0))).toBeUndefined();
    for (const [bytes, items] of [
      [tree.subarray(0, -4), 20],
      [tree, 21],
      [tree, 0],
      [new Uint8Array(0), 1],
    ] as const) {
      expect(refusal(() => read(bytes, items))).toMatchObject({ code: 'bad-index', section: 'part/r-tree' });
    }
  });

  it('whose root is its own child does not make a search endless', () => {
    const bytes = buildRTree(boxes(20));
    const root = 20 + 2;
    new DataView(bytes.buffer).setUint16(bytes.byteLength - 2, root << 2, true);
    read(bytes, 20).forEachIn(0, 0, 0, 0, () => expect.unreachable());
  });
});

describe('a KD-tree', () => {
  const read = (bytes: Uint8Array, points: number) => readPointIndex(fileWith('kd-tree', bytes), 'kd-tree', points);
  const tree = buildPointIndex(Float64Array.of(1, 2, 3), Float64Array.of(4, 5, 6));

  it('that is not one is refused with what is wrong', () => {
    expect(refusal(() => read(new Uint8Array(tree.byteLength), 3))).toMatchObject({
      code: 'bad-index',
      message: 'x.tctx, section kd-tree: is no KD-tree: Data does not appear to be in a KDBush format.',
    });
    expect(refusal(() => read(tree.subarray(0, -8), 3))).toMatchObject({ code: 'bad-index', section: 'kd-tree' });
    expect(refusal(() => read(new Uint8Array(0), 0))).toMatchObject({ code: 'bad-index', section: 'kd-tree' });
  });

  it('over fewer points than the table has is refused, since a search would leave out the others', () => {
    const bytes = tree.slice();
    new DataView(bytes.buffer).setUint32(4, 0, true);
    expect(refusal(() => read(bytes, 3))?.message).toBe('x.tctx, section kd-tree: is a KD-tree over 0 points, not 3');
  });
});
