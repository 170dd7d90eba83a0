import * as flatbuffers from 'flatbuffers';
import { FormatError } from './format-error.js';
import { Container } from './generated/container/container.js';
import type { ElementType } from './generated/container/element-type.js';
import { Section } from './generated/container/section.js';

/** One entry of a file's table of contents. */
export interface SectionEntry {
  readonly name: string;
  readonly element: ElementType;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly xxh3: bigint;
}

/** Encodes the header as a FlatBuffer. Its length depends only on the kind and the sections' names, not on the numbers. */
export function encodeHeader(kind: string, sections: readonly SectionEntry[]): Uint8Array {
  const builder = new flatbuffers.Builder(4096);
  builder.forceDefaults(true);
  const entries = sections.map((section) => {
    const name = builder.createString(section.name);
    return Section.createSection(
      builder,
      name,
      section.element,
      BigInt(section.offset),
      BigInt(section.sizeBytes),
      section.xxh3,
    );
  });
  const kindOffset = builder.createString(kind);
  const vector = Container.createSectionsVector(builder, entries);
  Container.finishContainerBuffer(builder, Container.createContainer(builder, kindOffset, vector));
  return builder.asUint8Array();
}

/** Decodes a header whose checksum the caller has verified, so that it is known to come from {@link encodeHeader}. */
export function decodeHeader(bytes: Uint8Array, file: string): { kind: string; sections: SectionEntry[] } {
  const buffer = new flatbuffers.ByteBuffer(bytes);
  if (!Container.bufferHasIdentifier(buffer))
    throw new FormatError('bad-header', file, 'the header lacks the identifier TCTX');
  const container = Container.getRootAsContainer(buffer);
  const sections: SectionEntry[] = [];
  const count = container.sectionsLength();
  // An absurd number of entries would be read until the memory is full: those behind the header's end are read as zeros.
  if (count > bytes.byteLength)
    throw new FormatError('bad-header', file, `the header has no room for ${count} sections`);
  for (let index = 0; index < count; index++) {
    const section = container.sections(index);
    if (!section) throw new FormatError('bad-header', file, `the table of contents lacks entry ${index}`);
    sections.push({
      name: section.name(),
      element: section.element(),
      offset: Number(section.offset()),
      sizeBytes: Number(section.sizeBytes()),
      xxh3: section.xxh3(),
    });
  }
  return { kind: container.kind(), sections };
}
