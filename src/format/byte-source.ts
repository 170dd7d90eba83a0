import { closeSync, fstatSync, openSync } from 'node:fs';
import { libc } from '../libc.js';
import { FormatError } from './format-error.js';

/** A file's bytes, however they are reached. */
export interface ByteSource {
  /** The file's name as errors show it. */
  readonly label: string;
  readonly sizeBytes: number;
  /** The bytes in place, without a copy. The caller keeps within the size. */
  view(offset: number, sizeBytes: number): Uint8Array;
  /** Gives the memory back. No view of it may be touched afterwards: the process would die. */
  release(): void;
}

/** Maps a file read-only. All threads and processes that map it share its pages. Throws {@link FormatError}. */
export function mapFile(path: string): ByteSource {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    throw new FormatError('cannot-open', path, error instanceof Error ? error.message : String(error));
  }
  try {
    const sizeBytes = fstatSync(fd).size;
    if (sizeBytes === 0) throw new FormatError('wrong-length', path, 'the file is empty');
    const address = libc().mapReadOnly(fd, sizeBytes);
    return {
      label: path,
      sizeBytes,
      view: (offset, length) =>
        length === 0 ? new Uint8Array(0) : new Uint8Array(libc().view(address + BigInt(offset), length)),
      release: () => libc().unmap(address, sizeBytes),
    };
  } finally {
    closeSync(fd);
  }
}

/** Bytes that are in memory already, at any offset of their buffer. */
export function bytesInMemory(label: string, bytes: Uint8Array): ByteSource {
  return {
    label,
    sizeBytes: bytes.byteLength,
    view: (offset, length) => bytes.subarray(offset, offset + length),
    release: () => {},
  };
}
