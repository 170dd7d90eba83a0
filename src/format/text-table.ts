import type { ContainerReader } from './container-reader.js';
import { numbers, opaque, type SectionContent } from './container-writer.js';

/** Texts of any length by row, stored one behind the other with their offsets. */
export interface TextTable {
  /** The bytes of a row's text, in place. */
  bytes(row: number): Uint8Array;
  text(row: number): string;
}

/** The sections `<name>/offset` and `<name>/bytes` of a table of UTF-8 texts. */
export function textSections(name: string, texts: readonly Uint8Array[]): SectionContent[] {
  const offsets = new Uint32Array(texts.length + 1);
  let end = 0;
  texts.forEach((text, row) => {
    end += text.byteLength;
    offsets[row + 1] = end;
  });
  if (end > 0xffff_ffff) throw new RangeError(`${name} holds ${end} bytes; 4 GiB is the most`);
  return [numbers(`${name}/offset`, offsets), opaque(`${name}/bytes`, texts)];
}

/** Opens the sections that {@link textSections} made, in place. */
export function openTextTable(reader: ContainerReader, name: string, rows: number): TextTable {
  const offsets = reader.uint32(`${name}/offset`, rows + 1);
  const bytes = reader.bytes(`${name}/bytes`);
  const at = (row: number): Uint8Array => bytes.subarray(offsets[row], offsets[row + 1]);
  return { bytes: at, text: (row) => Buffer.from(at(row)).toString('utf8') };
}
