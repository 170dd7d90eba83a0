import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ByteBuffer } from 'flatbuffers';
import { describe, expect, it } from 'vitest';
import { checksum } from '../../../src/format/checksum.js';
import { encodeHeader, type SectionEntry } from '../../../src/format/container-header.js';
import { type ContainerReader, openContainer } from '../../../src/format/container-reader.js';
import { numbers, opaque, writeContainer } from '../../../src/format/container-writer.js';
import { FormatError } from '../../../src/format/format-error.js';
import { Container } from '../../../src/format/generated/container/container.js';
import { ElementType } from '../../../src/format/generated/container/element-type.js';
import { FORMAT_VERSION, MAGIC, PREAMBLE, PREAMBLE_BYTES } from '../../../src/format/layout.js';
import { bytesInMemory } from '../../support/bytes-in-memory.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const open = (bytes: Uint8Array): ContainerReader => openContainer(bytesInMemory('x.tctx', bytes), 'sample');

/** A good file with two sections, as bytes to be broken. */
function goodFile(): { bytes: Buffer; sections: SectionEntry[] } {
  const path = join(temporaryDirectory(), 'good');
  const sections = writeContainer(path, 'sample', [
    numbers('first', Float64Array.of(1, 2, 3)),
    opaque('second', Uint8Array.of(1, 2, 3, 4, 5)),
  ]);
  return { bytes: readFileSync(path), sections };
}

/** The good file with another table of contents, its checksum put right: what only a wrong writer would make. */
function withSections(change: (sections: SectionEntry[]) => SectionEntry[]): Buffer {
  const { bytes, sections } = goodFile();
  const header = encodeHeader('sample', change(sections));
  bytes.set(header, PREAMBLE_BYTES);
  bytes.writeUInt32LE(header.byteLength, PREAMBLE.headerBytes);
  bytes.writeBigUInt64LE(checksum(header), PREAMBLE.headerXxh3);
  return bytes;
}

/** Where the table of a header's fields tells of its sections. */
const SECTIONS_FIELD = 6;

const alter = (name: string, change: Partial<SectionEntry>): Buffer =>
  withSections((sections) => sections.map((section) => (section.name === name ? { ...section, ...change } : section)));

function errorOf(work: () => unknown): FormatError {
  try {
    work();
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a broken file', () => {
  it.each([0, 1, PREAMBLE_BYTES - 1])('cut off after %i bytes, within its header, has the wrong length', (length) => {
    expect(errorOf(() => open(goodFile().bytes.subarray(0, length))).code).toBe('wrong-length');
  });

  it('cut off by one byte at its end has the wrong length', () => {
    const { bytes } = goodFile();
    const error = errorOf(() => open(bytes.subarray(0, -1)));
    expect(error.code).toBe('wrong-length');
    expect(error.message).toBe(`x.tctx: has ${bytes.length - 1} bytes, but ${bytes.length} were written`);
  });

  it('with a byte too many has the wrong length', () => {
    expect(errorOf(() => open(Buffer.concat([goodFile().bytes, Buffer.alloc(1)]))).code).toBe('wrong-length');
  });

  it.each([...MAGIC].map((_, index) => index))(
    'with a flipped bit in byte %i of its magic is not a compiled file',
    (index) => {
      const { bytes } = goodFile();
      bytes[index] = (bytes[index] ?? 0) ^ 1;
      expect(errorOf(() => open(bytes)).code).toBe('bad-magic');
    },
  );

  it('of another version names both versions', () => {
    const { bytes } = goodFile();
    bytes.writeUInt32LE(FORMAT_VERSION - 1, PREAMBLE.version);
    const error = errorOf(() => open(bytes));
    expect(error.code).toBe('unsupported-version');
    expect(error.message).toContain(
      'has format version 1, but this program reads version 2; compile the dataset again',
    );
  });

  it('with any flipped byte in its header is refused by its checksum', () => {
    const { bytes } = goodFile();
    const headerBytes = bytes.readUInt32LE(PREAMBLE.headerBytes);
    for (let at = PREAMBLE_BYTES; at < PREAMBLE_BYTES + headerBytes; at++) {
      const broken = Buffer.from(bytes);
      broken[at] = (broken[at] ?? 0) ^ 0x40;
      expect(errorOf(() => open(broken)).code).toBe('bad-header');
    }
  });

  it('whose header would end behind the file is refused', () => {
    const { bytes } = goodFile();
    bytes.writeUInt32LE(bytes.length, PREAMBLE.headerBytes);
    expect(errorOf(() => open(bytes)).code).toBe('bad-header');
  });

  it('whose header counts more sections than it has room for is refused, since all would be read until memory is full', () => {
    const { bytes } = goodFile();
    const header = bytes.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + bytes.readUInt32LE(PREAMBLE.headerBytes));
    const buffer = new ByteBuffer(header);
    const { bb_pos: root } = Container.getRootAsContainer(buffer);
    const countAt = buffer.__vector(root + buffer.__offset(root, SECTIONS_FIELD)) - 4;
    header.writeUInt32LE(2 ** 16, countAt);
    bytes.writeBigUInt64LE(checksum(header), PREAMBLE.headerXxh3);
    expect(errorOf(() => open(bytes))).toMatchObject({
      code: 'bad-header',
      message: 'x.tctx: the header has no room for 65536 sections',
    });
  });

  it('of another kind names both kinds', () => {
    const error = errorOf(() => openContainer(bytesInMemory('x.tctx', goodFile().bytes), 'tracts'));
    expect(error.code).toBe('wrong-kind');
    expect(error.message).toBe('x.tctx: holds sample, not tracts');
  });

  it.each([
    ['a size', { sizeBytes: 1 << 20 }],
    ['an offset', { offset: 1 << 20 }],
    ['an offset beyond whole numbers', { offset: Number.MAX_SAFE_INTEGER }],
  ])('with a section out of bounds by %s names the section', (_, change) => {
    const error = errorOf(() => open(alter('second', change)));
    expect(error.code).toBe('section-out-of-bounds');
    expect(error.message).toMatch(/^x\.tctx, section second: ends at/);
  });

  it('with a section that is too large for a view is refused, even where the file is as large', () => {
    const bytes = alter('second', { sizeBytes: 2 ** 32 });
    const sizeBytes = 2 ** 33;
    bytes.writeBigUInt64LE(BigInt(sizeBytes), PREAMBLE.fileBytes);
    const error = errorOf(() => openContainer({ ...bytesInMemory('x.tctx', bytes), sizeBytes }, 'sample'));
    expect(error).toMatchObject({ code: 'section-out-of-bounds', section: 'second' });
    expect(error.message).toContain('is 4294967296 bytes long; 4294967295 is the most');
  });

  it.each([
    ['its offset is not', { offset: 8 }],
    ['its length is not', { sizeBytes: 7 }],
    ['its kind is unknown', { element: 99 as ElementType }],
  ])('with a section that is not aligned because %s names the section', (_, change) => {
    const error = errorOf(() => open(alter('first', change)));
    expect(error).toMatchObject({ code: 'section-misaligned', section: 'first' });
  });

  it('without a section names it when it is requested', () => {
    const reader = open(withSections((sections) => sections.slice(0, 1)));
    expect(errorOf(() => reader.bytes('second'))).toMatchObject({
      code: 'section-missing',
      section: 'second',
      message: expect.stringContaining('compile the dataset again'),
    });
  });

  it('with a section of another length or kind names the section, and both lengths and kinds', () => {
    const reader = open(goodFile().bytes);
    const error = errorOf(() => reader.float64('first', 4));
    expect(error).toMatchObject({ code: 'section-wrong-size', section: 'first' });
    expect(error.message).toContain('is Float64, 24 bytes, not Float64, 32 bytes');
    expect(errorOf(() => reader.uint32('first')).code).toBe('section-wrong-size');
    expect(errorOf(() => reader.bytes('first')).code).toBe('section-wrong-size');
  });

  it('with any flipped byte in a section opens, and verifying it names file and section', () => {
    const { bytes, sections } = goodFile();
    for (const section of sections) {
      for (let at = section.offset; at < section.offset + section.sizeBytes; at++) {
        const broken = Buffer.from(bytes);
        broken[at] = (broken[at] ?? 0) ^ 1;
        const reader = open(broken);
        const message = `x.tctx, section ${section.name}: its checksum does not match: the file was changed or damaged`;
        expect(reader.damage()).toEqual([
          expect.objectContaining({ code: 'checksum-mismatch', section: section.name, message }),
        ]);
      }
    }
  });

  it('with several damaged sections names each of them', () => {
    const { bytes, sections } = goodFile();
    for (const { offset } of sections) bytes[offset] = (bytes[offset] ?? 0) ^ 1;
    expect(
      open(bytes)
        .damage()
        .map(({ section }) => section),
    ).toEqual(['first', 'second']);
  });

  it('has a header whose length does not depend on its numbers', () => {
    const { sections } = goodFile();
    const larger = sections.map((section) => ({
      ...section,
      offset: 2 ** 40,
      sizeBytes: 2 ** 40,
      xxh3: 2n ** 64n - 1n,
    }));
    const blank = sections.map((section) => ({
      ...section,
      offset: 0,
      sizeBytes: 0,
      xxh3: 0n,
      element: ElementType.Bytes,
    }));
    expect(encodeHeader('sample', larger)).toHaveLength(encodeHeader('sample', blank).length);
  });
});
