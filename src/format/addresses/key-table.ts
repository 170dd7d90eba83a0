import type { ContainerReader } from '../container-reader.js';

/** Texts by row, compared in place: creating a view of each would cost more than the comparison. */
export interface KeyTable {
  readonly count: number;
  text(row: number): string;
  /** Whether a row's text equals an ASCII text. */
  has(row: number, text: string): boolean;
  /** Compares a row's text with an ASCII text byte by byte: negative if the row's comes first, 0 if they are equal. */
  compare(row: number, text: string): number;
}

/** Opens the sections `<name>/offset` and `<name>/bytes` of a table of UTF-8 texts. */
export function openKeyTable(container: ContainerReader, name: string, rows?: number): KeyTable {
  const offsets = container.uint32(`${name}/offset`, rows === undefined ? undefined : rows + 1);
  const bytes = container.bytes(`${name}/bytes`);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const compare = (row: number, text: string): number => {
    const begin = offsets[row] ?? 0;
    const length = (offsets[row + 1] ?? 0) - begin;
    const common = Math.min(length, text.length);
    for (let at = 0; at < common; at++) {
      const difference = (buffer[begin + at] ?? 0) - text.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return length - text.length;
  };
  return {
    count: offsets.length - 1,
    text: (row) => buffer.toString('utf8', offsets[row] ?? 0, offsets[row + 1] ?? 0),
    has: (row, text) => (offsets[row + 1] ?? 0) - (offsets[row] ?? 0) === text.length && compare(row, text) === 0,
    compare,
  };
}
