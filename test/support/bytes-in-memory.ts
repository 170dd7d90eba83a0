import type { ByteSource } from '../../src/format/byte-source.js';

/** A byte source over bytes in memory, which may begin at any offset of their buffer. */
export function bytesInMemory(label: string, bytes: Uint8Array): ByteSource {
  return {
    label,
    sizeBytes: bytes.byteLength,
    view: (offset, length) => bytes.subarray(offset, offset + length),
    pieces: (offset, length) => [bytes.subarray(offset, offset + length)],
    buffer: (offset, length) => Uint8Array.from(bytes.subarray(offset, offset + length)).buffer,
    release: () => {},
  };
}
