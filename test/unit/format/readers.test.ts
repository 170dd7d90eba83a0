import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ByteBuffer } from 'flatbuffers';
import { describe, expect, it } from 'vitest';
import { generationPath } from '../../../src/catalog/directory/generations.js';
import { METRICS } from '../../../src/core/metrics.js';
import { mapFile } from '../../../src/format/byte-source.js';
import { findDamage, openDataset } from '../../../src/format/dataset.js';
import { type DatasetDescription, decodeDescription, encodeDescription } from '../../../src/format/description.js';
import { Description } from '../../../src/format/generated/description/description.js';
import { OUTLINES_FILE, openOutlinesFile, writeOutlinesFile } from '../../../src/format/outlines-file.js';
import { buildRTree, openRTree } from '../../../src/format/rtree.js';
import { openTractsFile, TRACTS_FILE } from '../../../src/format/tracts-file.js';
import { atOffset64 } from '../../support/at-offset.js';
import { bytesInMemory } from '../../support/bytes-in-memory.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { publishTinyDataset, TINY_TRACTS, tinyRecord } from '../../support/tiny-dataset.js';

function tinyGeneration(): string {
  const datasetsDir = temporaryDirectory();
  return generationPath(datasetsDir, publishTinyDataset(datasetsDir));
}

const embedded = (path: string): Uint8Array => atOffset64(readFileSync(path));

describe('tracts.tctx', () => {
  it('is read the same at offset 64 of a larger buffer as from its mapping', () => {
    const directory = tinyGeneration();
    const dataset = openDataset(directory);
    const bytes = embedded(join(directory, TRACTS_FILE));
    const tracts = openTractsFile(bytesInMemory(TRACTS_FILE, bytes));
    expect(tracts.description).toEqual(dataset.tracts.description);
    expect(tracts.geoids).toEqual(dataset.tracts.geoids);
    expect(tracts.values).toEqual(dataset.tracts.values);
    expect(tracts.pointIndex.range(-95, 45, -94.9, 45.1)).toEqual(
      dataset.tracts.pointIndex.range(-95, 45, -94.9, 45.1),
    );
    for (const [row, tract] of TINY_TRACTS.entries()) {
      expect(tracts.names.text(row)).toBe(tract.name);
      expect(JSON.parse(tracts.records.text(row))).toEqual(tinyRecord(tract));
    }
    dataset.release();
  });

  it('holds every value of every metric in its column', () => {
    const dataset = openDataset(tinyGeneration());
    for (const [column] of METRICS.entries()) {
      expect([...(dataset.tracts.values[column] ?? [])]).toEqual(TINY_TRACTS.map((tract) => tract.values[column]));
    }
    dataset.release();
  });
});

describe('outlines.tctx', () => {
  it('locates the same at offset 64 of a larger buffer as from its mapping', () => {
    const directory = tinyGeneration();
    const bytes = embedded(join(directory, OUTLINES_FILE));
    const outlines = openOutlinesFile(bytesInMemory(OUTLINES_FILE, bytes), TINY_TRACTS.length);
    expect(TINY_TRACTS.map((tract) => outlines.locate(tract))).toEqual(TINY_TRACTS.map((_, row) => row));
    expect(outlines.locate({ lat: 44.9, lng: -95 })).toBe(-1);
    expect(outlines.rings(3).map((ring) => ring.length)).toEqual([10]);
  });

  it('without a single outline opens, locates nothing, and has no rings', () => {
    const path = join(temporaryDirectory(), OUTLINES_FILE);
    writeOutlinesFile(path, [[], [], []]);
    const outlines = openOutlinesFile(mapFile(path), 3);
    expect(outlines.outlineCount).toBe(0);
    expect(outlines.rings(1)).toEqual([]);
    expect(outlines.locate({ lat: 40, lng: -100 })).toBe(-1);
    expect(outlines.locate({ lat: 90, lng: 180 })).toBe(-1);
    expect(outlines.container.damage()).toEqual([]);
    outlines.container.release();
  });

  it('keeps rows without an outline apart from their neighbours, first and last row too', () => {
    const path = join(temporaryDirectory(), OUTLINES_FILE);
    const ring = Int32Array.of(0, 0, 9, 0, 9, 9, 0, 0);
    writeOutlinesFile(path, [[], [ring], [], [ring.map((value) => value + 20)], []]);
    const outlines = openOutlinesFile(mapFile(path), 5);
    expect([0, 1, 2, 3, 4].map((row) => outlines.rings(row).length)).toEqual([0, 1, 0, 1, 0]);
    expect(outlines.outlineCount).toBe(2);
    outlines.container.release();
  });

  it('for another number of rows is refused', () => {
    const path = join(temporaryDirectory(), OUTLINES_FILE);
    writeOutlinesFile(path, [[]]);
    expect(() => openOutlinesFile(mapFile(path), 2)).toThrow(
      expect.objectContaining({ code: 'section-wrong-size', section: 'row/first-ring' }),
    );
  });
});

describe('R-tree', () => {
  it('finds at offset 64 what a scan finds, borders included, for one item up to several levels', () => {
    for (const count of [1, 2, 16, 17, 300, 5000]) {
      const boxes = Int32Array.from({ length: count * 4 }, (_, at) => {
        const item = at >> 2;
        const [x, y] = [(item * 7919) % 1000, (item * 104729) % 1000];
        return [x, y, x + (item % 90), y + (item % 70)][at & 3] ?? 0;
      });
      const tree = openRTree(atOffset64(buildRTree(boxes)));
      for (let probe = 0; probe < 60; probe++) {
        const item = (probe * 37) % count;
        const [x, y] = [boxes[item * 4 + (probe & 2)] ?? 0, boxes[item * 4 + 1 + (probe & 2)] ?? 0];
        const found: number[] = [];
        tree.forEachIn(x, y, x, y, (hit) => found.push(hit));
        expect(found.sort((a, b) => a - b)).toEqual(scan(boxes, x, y));
      }
    }
  });

  it('without items finds none', () => {
    openRTree(buildRTree(new Int32Array(0))).forEachIn(0, 0, 0, 0, () => expect.unreachable());
  });
});

function scan(boxes: Int32Array, x: number, y: number): number[] {
  const found: number[] = [];
  for (let item = 0; item < boxes.length / 4; item++) {
    const [minX = 0, minY = 0, maxX = 0, maxY = 0] = boxes.subarray(item * 4, item * 4 + 4);
    if (x >= minX && x <= maxX && y >= minY && y <= maxY) found.push(item);
  }
  return found;
}

const DESCRIPTION: DatasetDescription = {
  synthetic: true,
  states: [{ fips: '35', name: 'New Mexico', firstRow: 0, tractCount: 2 }],
  counties: [{ fips: '35013', name: 'Doña Ana County', firstRow: 0, tractCount: 2 }],
  metrics: ['total_population', 'epa_data.pm25'],
  comparedMetrics: ['total_population'],
  trendMetrics: [],
  provenance: [
    {
      stateFips: '35',
      section: 'epa_data',
      metrics: ['epa_data.pm25'],
      source: 'ejscreen',
      label: 'EPA EJScreen 2023',
      year: 2023,
      tractVintage: 2020,
      stateRanked: true,
      tractCount: 2,
    },
  ],
  loadedSources: [
    { source: 'ejscreen', vintage: '2023', fetched: '2026-01-02' },
    { source: 'hrsa', vintage: null, fetched: null },
  ],
  namesEdition: 7,
};

/** Where the table of a description's fields tells of its metrics. */
const METRICS_FIELD = 10;

describe('description', () => {
  it('is decoded completely at offset 64 of a larger buffer', () => {
    expect(decodeDescription(atOffset64(encodeDescription(DESCRIPTION)), 'x')).toEqual(DESCRIPTION);
  });

  it('is decoded with empty lists and an empty county name', () => {
    const bare = {
      ...DESCRIPTION,
      synthetic: false,
      counties: [{ fips: '35013', name: '', firstRow: 0, tractCount: 1 }],
      states: [],
      metrics: [],
      provenance: [],
      loadedSources: [],
      namesEdition: 0,
    };
    expect(decodeDescription(encodeDescription(bare), 'x')).toEqual(bare);
  });

  it('without its identifier is refused with file and section', () => {
    for (const bytes of [new Uint8Array(0), new Uint8Array(64)]) {
      expect(() => decodeDescription(bytes, 'tracts.tctx')).toThrow('tracts.tctx, section description');
    }
  });

  it('with a list longer than itself is refused, since all of it would be read until memory is full', () => {
    const bytes = encodeDescription(DESCRIPTION);
    const buffer = new ByteBuffer(bytes);
    const { bb_pos: root } = Description.getRootAsDescription(buffer);
    buffer.writeUint32(buffer.__vector(root + buffer.__offset(root, METRICS_FIELD)) - 4, 2 ** 16);
    expect(() => decodeDescription(bytes, 'tracts.tctx')).toThrow(
      'tracts.tctx, section description: has no room for a list of 65536 entries',
    );
  });
});

describe('damage', () => {
  it('is found in every section of both files, named where it is, whatever the section means', () => {
    const directory = tinyGeneration();
    const dataset = openDataset(directory);
    const files = [dataset.tracts.container, dataset.outlines.container];
    const layout = files.map(({ label, sections }) => ({ label, sections: [...sections] }));
    dataset.release();
    expect(findDamage(directory)).toEqual([]);
    for (const { label, sections } of layout) {
      const good = readFileSync(label);
      for (const { name, offset, sizeBytes } of sections) {
        if (sizeBytes === 0) continue;
        const broken = Buffer.from(good);
        broken[offset + (sizeBytes >> 1)] = ~(broken[offset + (sizeBytes >> 1)] ?? 0) & 0xff;
        writeFileSync(label, broken);
        expect(findDamage(directory).map(({ message }) => message)).toEqual([
          `${label}, section ${name}: its checksum does not match: the file was changed or damaged`,
        ]);
      }
      writeFileSync(label, good);
    }
  });
});
