import type { ByteSource } from './byte-source.js';
import { checksum, createChecksum } from './checksum.js';
import { decodeHeader, type SectionEntry } from './container-header.js';
import { viewOf } from './copy-text.js';
import { FormatError } from './format-error.js';
import { ElementType } from './generated/container/element-type.js';
import {
  ELEMENT_ARRAYS,
  FORMAT_VERSION,
  MAGIC,
  PREAMBLE,
  PREAMBLE_BYTES,
  SECTION_ALIGNMENT,
  SECTION_MAX_BYTES,
  type SectionArray,
} from './layout.js';

/** An opened compiled file: gives access to its sections as typed arrays in place. */
export interface ContainerReader {
  readonly label: string;
  readonly sizeBytes: number;
  readonly sections: readonly SectionEntry[];
  /** A section without a copy. Throws {@link FormatError} if it is missing or of another kind. */
  bytes(name: string): Uint8Array;
  /** Like `bytes`, after verifying the checksum, which reads the whole section: for content that is unsafe if damaged. */
  intactBytes(name: string): Uint8Array;
  /** Like `bytes`, as a buffer that holds nothing else. */
  buffer(name: string): ArrayBuffer;
  /**
   * A section of numbers as the typed array of its kind; without a copy if its memory is aligned, as in mapped files. `count`
   * is the number of elements that it must have. Throws {@link FormatError} if it is missing or of another kind or length.
   */
  uint8(name: string, count?: number): Uint8Array;
  uint16(name: string, count?: number): Uint16Array;
  uint32(name: string, count?: number): Uint32Array;
  int32(name: string, count?: number): Int32Array;
  float64(name: string, count?: number): Float64Array;
  /** Verifies every section's checksum and returns an error for each that differs; reads the whole file. */
  damage(): FormatError[];
  release(): void;
}

/**
 * Opens a compiled file of the given kind. Checks magic, version, length, the header's checksum, and that every section
 * lies within the file and is aligned; the cost does not depend on the file's size.
 */
export function openContainer(source: ByteSource, expectedKind: string): ContainerReader {
  const { kind, sections } = readHeader(source);
  if (kind !== expectedKind) throw new FormatError('wrong-kind', source.label, `holds ${kind}, not ${expectedKind}`);
  for (const section of sections) checkExtent(section, source);
  const byName = new Map(sections.map((section) => [section.name, section]));

  const find = (name: string, element: ElementType, count?: number): SectionEntry => {
    const section = byName.get(name);
    // The header, which lists all sections, is intact: the file was written so.
    if (!section) throw new FormatError('section-missing', source.label, MISSING, name);
    const expectedBytes = count === undefined ? section.sizeBytes : count * ELEMENT_ARRAYS[element].BYTES_PER_ELEMENT;
    if (section.element !== element || section.sizeBytes !== expectedBytes) {
      const found = `${ElementType[section.element]}, ${section.sizeBytes} bytes`;
      const wanted = `${ElementType[element]}, ${expectedBytes} bytes`;
      throw new FormatError('section-wrong-size', source.label, `is ${found}, not ${wanted}`, name);
    }
    return section;
  };
  const view = (section: SectionEntry): Uint8Array => source.view(section.offset, section.sizeBytes);
  const isIntact = ({ offset, sizeBytes, xxh3 }: SectionEntry): boolean => {
    const hash = createChecksum();
    for (const piece of source.pieces(offset, sizeBytes)) hash.update(piece);
    return hash.digest() === xxh3;
  };
  const mismatch = (section: SectionEntry): FormatError =>
    new FormatError(
      'checksum-mismatch',
      source.label,
      'its checksum does not match: the file was changed or damaged',
      section.name,
    );

  return {
    label: source.label,
    sizeBytes: source.sizeBytes,
    sections,
    bytes: (name) => view(find(name, ElementType.Bytes)),
    intactBytes: (name) => {
      const section = find(name, ElementType.Bytes);
      if (!isIntact(section)) throw mismatch(section);
      return view(section);
    },
    buffer: (name) => {
      const { offset, sizeBytes } = find(name, ElementType.Bytes);
      return source.buffer(offset, sizeBytes);
    },
    uint8: (name, count) => inPlace(Uint8Array, view(find(name, ElementType.UInt8, count))),
    uint16: (name, count) => inPlace(Uint16Array, view(find(name, ElementType.UInt16, count))),
    uint32: (name, count) => inPlace(Uint32Array, view(find(name, ElementType.UInt32, count))),
    int32: (name, count) => inPlace(Int32Array, view(find(name, ElementType.Int32, count))),
    float64: (name, count) => inPlace(Float64Array, view(find(name, ElementType.Float64, count))),
    damage: () => sections.filter((section) => !isIntact(section)).map(mismatch),
    release: source.release,
  };
}

const MISSING = 'the file has no such section, as another version of this program wrote it; compile the dataset again';

function readHeader(source: ByteSource): { kind: string; sections: SectionEntry[] } {
  const fail = (
    code: 'bad-magic' | 'unsupported-version' | 'wrong-length' | 'bad-header',
    detail: string,
  ): FormatError => new FormatError(code, source.label, detail);
  if (source.sizeBytes < PREAMBLE_BYTES)
    throw fail('wrong-length', `${source.sizeBytes} bytes are too few for a header`);
  const preambleBytes = source.view(0, PREAMBLE_BYTES);
  const preamble = viewOf(preambleBytes);
  if (Buffer.from(preambleBytes.subarray(0, MAGIC.length)).toString('latin1') !== MAGIC) {
    throw fail('bad-magic', 'not a compiled tract-context file');
  }
  const version = preamble.getUint32(PREAMBLE.version, true);
  if (version !== FORMAT_VERSION) {
    throw fail(
      'unsupported-version',
      `has format version ${version}, but this program reads version ${FORMAT_VERSION}; compile the dataset again`,
    );
  }
  const writtenBytes = Number(preamble.getBigUint64(PREAMBLE.fileBytes, true));
  if (writtenBytes !== source.sizeBytes) {
    throw fail('wrong-length', `has ${source.sizeBytes} bytes, but ${writtenBytes} were written`);
  }
  const headerBytes = preamble.getUint32(PREAMBLE.headerBytes, true);
  if (PREAMBLE_BYTES + headerBytes > source.sizeBytes)
    throw fail('bad-header', 'the header does not fit into the file');
  const header = source.view(PREAMBLE_BYTES, headerBytes);
  if (checksum(header) !== preamble.getBigUint64(PREAMBLE.headerXxh3, true)) {
    throw fail('bad-header', 'the header does not match its checksum');
  }
  return decodeHeader(header, source.label);
}

function checkExtent(section: SectionEntry, source: ByteSource): void {
  const end = section.offset + section.sizeBytes;
  if (!Number.isSafeInteger(end) || end > source.sizeBytes) {
    throw new FormatError(
      'section-out-of-bounds',
      source.label,
      `ends at ${end} of ${source.sizeBytes} bytes`,
      section.name,
    );
  }
  if (section.sizeBytes > SECTION_MAX_BYTES) {
    throw new FormatError(
      'section-out-of-bounds',
      source.label,
      `is ${section.sizeBytes} bytes long; ${SECTION_MAX_BYTES} is the most`,
      section.name,
    );
  }
  const elements = ELEMENT_ARRAYS[section.element];
  if (
    elements === undefined ||
    section.offset % SECTION_ALIGNMENT !== 0 ||
    section.sizeBytes % elements.BYTES_PER_ELEMENT !== 0
  ) {
    throw new FormatError(
      'section-misaligned',
      source.label,
      `offset ${section.offset}, ${section.sizeBytes} bytes`,
      section.name,
    );
  }
}

/** The bytes as a typed array: in place if the memory is aligned for it, as in mapped files, else copied. */
function inPlace<T extends SectionArray>(
  Elements: { new (buffer: ArrayBufferLike, offset: number, length: number): T; readonly BYTES_PER_ELEMENT: number },
  bytes: Uint8Array,
): T {
  const size = Elements.BYTES_PER_ELEMENT;
  const aligned = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return new Elements(aligned.buffer, aligned.byteOffset, aligned.byteLength / size);
}
