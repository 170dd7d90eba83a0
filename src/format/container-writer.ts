import { closeSync, fsyncSync, ftruncateSync, openSync } from 'node:fs';
import { writeFully } from '../platform/durable-files.js';
import { checksum, createChecksum } from './checksum.js';
import { encodeHeader, type SectionEntry } from './container-header.js';
import { ElementType } from './generated/container/element-type.js';
import { alignUp, FORMAT_VERSION, MAGIC, PREAMBLE, PREAMBLE_BYTES, type SectionArray } from './layout.js';

/** Small pieces are joined into writes of up to this size. */
const JOINED_BYTES = 256 * 1024;

/** A section to write: all at once, or piece by piece so that it never has to be in memory as a whole. */
export interface SectionContent {
  readonly name: string;
  readonly element: ElementType;
  readonly data: SectionArray | Iterable<SectionArray>;
}

/** A section of numbers, of the array's element type; a Uint8Array is `UInt8`. */
export function numbers(name: string, data: SectionArray): SectionContent {
  return { name, element: elementOf(data), data };
}

/** A section of bytes with a layout of their own. */
export function opaque(name: string, data: Uint8Array | Iterable<Uint8Array>): SectionContent {
  return { name, element: ElementType.Bytes, data };
}

/**
 * Writes a compiled file and syncs it to disk. Equal contents give equal bytes. Throws any error of the file system, such
 * as a full disk; the file is then incomplete and its directory must not be published.
 */
export function writeContainer(path: string, kind: string, contents: readonly SectionContent[]): SectionEntry[] {
  const blank = contents.map((content) => ({ ...content, offset: 0, sizeBytes: 0, xxh3: 0n }));
  const headerBytes = encodeHeader(kind, blank).byteLength;
  const fd = openSync(path, 'wx');
  try {
    let position = alignUp(PREAMBLE_BYTES + headerBytes);
    const sections = contents.map((content): SectionEntry => {
      const offset = position;
      const hash = createChecksum();
      for (const bytes of isArray(content.data) ? [bytesOf(content.data)] : inLargePieces(content.data)) {
        hash.update(bytes);
        position = writeFully(fd, bytes, position);
      }
      const sizeBytes = position - offset;
      position = alignUp(position);
      return { name: content.name, element: content.element, offset, sizeBytes, xxh3: hash.digest() };
    });
    const last = sections.at(-1);
    const fileBytes = last ? last.offset + last.sizeBytes : position;
    const header = encodeHeader(kind, sections);
    writeFully(fd, header, PREAMBLE_BYTES);
    writeFully(fd, encodePreamble(header, fileBytes), 0);
    // Empty sections at the end write nothing, so the file may still be too short.
    ftruncateSync(fd, fileBytes);
    fsyncSync(fd);
    return sections;
  } finally {
    closeSync(fd);
  }
}

function encodePreamble(header: Uint8Array, fileBytes: number): Uint8Array {
  const preamble = Buffer.alloc(PREAMBLE_BYTES);
  preamble.write(MAGIC, PREAMBLE.magic, 'latin1');
  preamble.writeUInt32LE(FORMAT_VERSION, PREAMBLE.version);
  preamble.writeUInt32LE(header.byteLength, PREAMBLE.headerBytes);
  preamble.writeBigUInt64LE(BigInt(fileBytes), PREAMBLE.fileBytes);
  preamble.writeBigUInt64LE(checksum(header), PREAMBLE.headerXxh3);
  return preamble;
}

/**
 * Joins small pieces into larger ones, since a write call costs more than the few bytes of a short text. A piece is valid
 * until the next one is taken.
 */
function* inLargePieces(pieces: Iterable<SectionArray>): Generator<Uint8Array> {
  const joined = new Uint8Array(JOINED_BYTES);
  let used = 0;
  for (const piece of pieces) {
    const bytes = bytesOf(piece);
    const { byteLength } = bytes;
    if (used > 0 && used + byteLength > JOINED_BYTES) {
      yield joined.subarray(0, used);
      used = 0;
    }
    if (byteLength > JOINED_BYTES) yield bytes;
    else {
      joined.set(bytes, used);
      used += byteLength;
    }
  }
  if (used > 0) yield joined.subarray(0, used);
}

function bytesOf({ buffer, byteOffset, byteLength }: SectionArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function isArray(data: SectionArray | Iterable<SectionArray>): data is SectionArray {
  return ArrayBuffer.isView(data);
}

function elementOf(data: SectionArray): ElementType {
  if (data instanceof Uint16Array) return ElementType.UInt16;
  if (data instanceof Uint32Array) return ElementType.UInt32;
  if (data instanceof Int32Array) return ElementType.Int32;
  if (data instanceof Float64Array) return ElementType.Float64;
  return ElementType.UInt8;
}
