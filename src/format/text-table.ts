import { type ByteText, byteTextOf } from '../core/byte-text.js';
import type { ContainerReader } from './container-reader.js';
import { numbers, opaque, type SectionContent } from './container-writer.js';
import { requireCopyable } from './copy-text.js';

/** Texts of any length by row, stored consecutively with their offsets. */
export interface TextTable {
  /** A row's text as its UTF-8 bytes. */
  byteText(row: number): ByteText;
  text(row: number): string;
}

/** Makes the sections `<name>/offset` and `<name>/bytes` of a table of UTF-8 texts. */
export function textSections(name: string, texts: readonly Uint8Array[]): SectionContent[] {
  const offsets = new Uint32Array(texts.length + 1);
  let end = 0;
  texts.forEach((text, row) => {
    end += text.byteLength;
    offsets[row + 1] = end;
  });
  requireCopyable(`the section ${name}/bytes`, end);
  return [numbers(`${name}/offset`, offsets), opaque(`${name}/bytes`, texts)];
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

/** Like {@link textSections}, for packed texts. */
export function packedSections(name: string, { offsets, chunks }: PackedTexts): SectionContent[] {
  return [numbers(`${name}/offset`, offsets), opaque(`${name}/bytes`, chunks)];
}

/** Opens the sections made by {@link textSections} or {@link packedSections} in place. */
export function openTextTable(reader: ContainerReader, name: string, rows: number): TextTable {
  const offsets = reader.uint32(`${name}/offset`, rows + 1);
  const { buffer, byteOffset, byteLength } = reader.bytes(`${name}/bytes`);
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return {
    byteText: (row) => byteTextOf(bytes, offsets[row] ?? 0, offsets[row + 1] ?? 0),
    text: (row) => bytes.toString('utf8', offsets[row], offsets[row + 1]),
  };
}
