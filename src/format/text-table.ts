import { type ByteText, byteTextOf } from '../core/byte-text.js';
import type { ContainerReader } from './container-reader.js';
import { numbers, opaque, type SectionContent } from './container-writer.js';
import { requireCopyable } from './copy-text.js';
import { requireAscending } from './require-ascending.js';

/** Texts of any length by row, stored consecutively with their offsets. */
export interface TextTable {
  /** A row's text as its UTF-8 bytes. */
  byteText(row: number): ByteText;
  text(row: number): string;
  /** Whether a row's text equals an ASCII text. */
  has(row: number, text: string): boolean;
  /** Compares a row's text with an ASCII text byte by byte: negative if the row's comes first, 0 if they are equal. */
  compare(row: number, text: string): number;
}

const CHUNK_BYTES = 2 ** 20;

/** Texts encoded consecutively: for many small texts this takes far less memory and fewer writes than an array each. */
export interface PackedTexts {
  /** Where each text begins; one more entry for the end. */
  readonly offsets: Uint32Array;
  readonly chunks: readonly Uint8Array[];
}

/** Packs the texts of rows 0 to `count` − 1. */
export function packTexts(count: number, textOf: (row: number) => string): PackedTexts {
  const offsets = new Uint32Array(count + 1);
  const chunks: Uint8Array[] = [];
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let [used, end] = [0, 0];
  for (let row = 0; row < count; row++) {
    const text = textOf(row);
    // UTF-8 takes at most three bytes per UTF-16 code unit.
    if (used + text.length * 3 > chunk.byteLength) {
      chunks.push(chunk.subarray(0, used));
      chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, text.length * 3));
      used = 0;
    }
    const written = chunk.write(text, used, 'utf8');
    used += written;
    end += written;
    offsets[row + 1] = end;
  }
  requireCopyable(`the texts of ${count} rows`, end);
  return { offsets, chunks: [...chunks, chunk.subarray(0, used)] };
}

/** The bytes of each text, in place. */
export function* packedBytes({ offsets, chunks }: PackedTexts): Generator<Uint8Array> {
  let row = 0;
  let chunkStart = 0;
  for (const chunk of chunks) {
    const chunkEnd = chunkStart + chunk.byteLength;
    for (; row + 1 < offsets.length && (offsets[row + 1] ?? 0) <= chunkEnd; row++) {
      yield chunk.subarray((offsets[row] ?? 0) - chunkStart, (offsets[row + 1] ?? 0) - chunkStart);
    }
    chunkStart = chunkEnd;
  }
}

/** The sections `<name>/offset` and `<name>/bytes` of a table of packed texts. */
export function packedSections(name: string, { offsets, chunks }: PackedTexts): SectionContent[] {
  return [numbers(`${name}/offset`, offsets), opaque(`${name}/bytes`, chunks)];
}

/** The same sections for texts that are not packed yet. */
export function textSections(name: string, texts: readonly string[]): SectionContent[] {
  return packedSections(
    name,
    packTexts(texts.length, (row) => texts[row] ?? ''),
  );
}

/** Opens the sections made by {@link packedSections} in place. Throws FormatError if a text's position is damaged. */
export function openTextTable(container: ContainerReader, name: string, rows: number): TextTable {
  const offsets = container.uint32(`${name}/offset`, rows + 1);
  const { buffer, byteOffset, byteLength } = container.bytes(`${name}/bytes`);
  requireAscending(container, `${name}/offset`, offsets, byteLength);
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  // In place: to create a view of each text would cost more than the comparison.
  const compare = (row: number, text: string): number => {
    const begin = offsets[row] ?? 0;
    const length = (offsets[row + 1] ?? 0) - begin;
    const common = Math.min(length, text.length);
    for (let at = 0; at < common; at++) {
      const difference = (bytes[begin + at] ?? 0) - text.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return length - text.length;
  };
  return {
    byteText: (row) => byteTextOf(bytes, offsets[row] ?? 0, offsets[row + 1] ?? 0),
    text: (row) => bytes.toString('utf8', offsets[row] ?? 0, offsets[row + 1] ?? 0),
    has: (row, text) => (offsets[row + 1] ?? 0) - (offsets[row] ?? 0) === text.length && compare(row, text) === 0,
    compare,
  };
}
