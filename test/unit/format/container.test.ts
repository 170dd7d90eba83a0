import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../../src/core/byte-text.js';
import { mapFile } from '../../../src/format/byte-source.js';
import { openContainer } from '../../../src/format/container-reader.js';
import { numbers, opaque, writeContainer } from '../../../src/format/container-writer.js';
import { SECTION_ALIGNMENT } from '../../../src/format/layout.js';
import { openTextTable, textSections } from '../../../src/format/text-table.js';
import { atOffset64 } from '../../support/at-offset.js';
import { bytesInMemory } from '../../support/bytes-in-memory.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const DOUBLES = Float64Array.of(1.5, Number.NaN, -0, 1e300);
const INTS = Int32Array.of(-1, 0, 2 ** 31 - 1);
const TEXTS = ['', 'Doña Ana County', '', 'x'];

function write(path: string): string {
  writeContainer(path, 'sample', [
    numbers('doubles', DOUBLES),
    numbers('ints', INTS),
    numbers('shorts', Uint16Array.of(1, 65535)),
    numbers('longs', Uint32Array.of(2 ** 32 - 1)),
    numbers('octets', Uint8Array.of(7)),
    opaque('pieces', [Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)]),
    ...textSections('text', TEXTS),
    numbers('empty', new Float64Array(0)),
    opaque('nothing', new Uint8Array(0)),
  ]);
  return path;
}

describe('container', () => {
  it('returns every section as it was written, in the order of writing and aligned', () => {
    const path = write(join(temporaryDirectory(), 'a.tctx'));
    const reader = openContainer(mapFile(path), 'sample');
    expect(reader.float64('doubles', 4)).toEqual(DOUBLES);
    expect(Object.is(reader.float64('doubles')[2], -0)).toBe(true);
    expect(reader.int32('ints', 3)).toEqual(INTS);
    expect(reader.uint16('shorts')).toEqual(Uint16Array.of(1, 65535));
    expect(reader.uint32('longs')).toEqual(Uint32Array.of(2 ** 32 - 1));
    expect(reader.uint8('octets')).toEqual(Uint8Array.of(7));
    expect(reader.bytes('pieces')).toEqual(Uint8Array.of(1, 2, 3));
    expect(reader.float64('empty', 0)).toHaveLength(0);
    expect(reader.bytes('nothing')).toHaveLength(0);
    expect(reader.sections.map(({ name }) => name).slice(0, 2)).toEqual(['doubles', 'ints']);
    expect(reader.sections.every(({ offset }) => offset % SECTION_ALIGNMENT === 0)).toBe(true);
    expect(reader.damage()).toEqual([]);
    reader.release();
  });

  it('is the same whether a section comes at once or in pieces of any size', () => {
    const directory = temporaryDirectory();
    const whole = Uint8Array.from({ length: 2_000_000 }, (_, at) => (at * 31) >> 3);
    const ends = [1, 7, 262_144, 262_145, 524_289, 1_100_000, 1_100_000, 1_362_144, 1_362_145, 1_990_000, whole.length];
    const pieces = ends.map((end, at) => whole.subarray(ends[at - 1] ?? 0, end));
    writeContainer(join(directory, 'whole'), 'sample', [opaque('bytes', whole), numbers('last', INTS)]);
    writeContainer(join(directory, 'pieces'), 'sample', [opaque('bytes', pieces), numbers('last', INTS)]);
    expect(readFileSync(join(directory, 'pieces')).equals(readFileSync(join(directory, 'whole')))).toBe(true);
    const reader = openContainer(mapFile(join(directory, 'pieces')), 'sample');
    expect(Buffer.from(reader.bytes('bytes')).equals(whole)).toBe(true);
    expect(reader.damage()).toEqual([]);
    reader.release();
  });

  it('is as long as its header says even where its last sections are empty', () => {
    const path = write(join(temporaryDirectory(), 'a.tctx'));
    const reader = openContainer(mapFile(path), 'sample');
    expect(reader.sizeBytes).toBe(readFileSync(path).length);
    reader.release();
  });

  it('gives equal bytes for equal contents', () => {
    const directory = temporaryDirectory();
    expect(readFileSync(write(join(directory, 'a')))).toEqual(readFileSync(write(join(directory, 'b'))));
  });

  it('does not overwrite a file', () => {
    const path = write(join(temporaryDirectory(), 'a.tctx'));
    expect(() => write(path)).toThrow('EEXIST');
  });

  it('is read the same at offset 64 of a larger buffer', () => {
    const path = write(join(temporaryDirectory(), 'a.tctx'));
    const reader = openContainer(bytesInMemory('a.tctx', atOffset64(readFileSync(path))), 'sample');
    expect(reader.damage()).toEqual([]);
    expect(reader.float64('doubles')).toEqual(DOUBLES);
    expect(reader.int32('ints')).toEqual(INTS);
  });

  it('is read the same from memory that is not aligned for its numbers', () => {
    const path = write(join(temporaryDirectory(), 'a.tctx'));
    const reader = openContainer(bytesInMemory('a.tctx', atOffset64(readFileSync(path), 3)), 'sample');
    expect(reader.float64('doubles')).toEqual(DOUBLES);
    expect(reader.uint16('shorts')).toEqual(Uint16Array.of(1, 65535));
  });
});

describe('text table', () => {
  it('gives each row’s text, empty ones too, mapped and at offset 64 of a larger buffer', () => {
    const path = write(join(temporaryDirectory(), 'a.tctx'));
    const mapped = openContainer(mapFile(path), 'sample');
    const inMemory = openContainer(bytesInMemory('a', atOffset64(readFileSync(path))), 'sample');
    for (const reader of [mapped, inMemory]) {
      const table = openTextTable(reader, 'text', 4);
      expect([0, 1, 2, 3].map((row) => table.text(row))).toEqual(TEXTS);
      expect(bytesOf(table.byteText(1)).toString()).toBe(TEXTS[1]);
    }
    mapped.release();
  });
});

describe('mapFile', () => {
  it('fails with its own code on a file that is missing or empty', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'empty'), '');
    expect(() => mapFile(join(directory, 'none'))).toThrow(expect.objectContaining({ code: 'file-missing' }));
    expect(() => mapFile(join(directory, 'empty'))).toThrow(expect.objectContaining({ code: 'wrong-length' }));
  });

  it('names the file in its error', () => {
    expect(() => mapFile('/no/such/tracts.tctx')).toThrow('/no/such/tracts.tctx: ENOENT');
  });
});
