import { closeSync } from 'node:fs';
import { libc } from '../platform/libc.js';
import { cannotOpen, FormatError } from './format-error.js';
import { openFile } from './open-file.js';

/** Access to a file's bytes, mapped or read. */
export interface ByteSource {
  /** The file's path, for error messages. */
  readonly label: string;
  readonly sizeBytes: number;
  /** The bytes of a mapped file in place, without a copy. The caller must stay within the file's size. */
  view(offset: number, sizeBytes: number): Uint8Array;
  /** The same bytes as a buffer that holds nothing else, for callers that cannot use part of a buffer. */
  buffer(offset: number, sizeBytes: number): ArrayBuffer;
  /** Frees the memory. Views of it must not be accessed afterwards: the process would crash. */
  release(): void;
}

/** Where a mapped file lies in the process's memory; valid in all of its threads. */
export interface Mapping {
  readonly path: string;
  readonly address: bigint;
  readonly sizeBytes: number;
}

/** The bytes of a file that this thread has mapped. */
export interface MappedFile extends ByteSource {
  readonly mapping: Mapping;
}

/** Maps a file read-only. All processes that map it share its pages. Throws {@link FormatError}. */
export function mapFile(path: string): MappedFile {
  const { fd, sizeBytes } = openFile(path);
  try {
    if (sizeBytes === 0) throw new FormatError('wrong-length', path, 'the file is empty');
    const mapping = { path, address: mapReadOnly(path, fd, sizeBytes), sizeBytes };
    return {
      ...attachMapping(mapping),
      mapping,
      release: () => libc().unmap(mapping.address, sizeBytes),
    };
  } finally {
    closeSync(fd);
  }
}

function mapReadOnly(path: string, fd: number, sizeBytes: number): bigint {
  try {
    return libc().mapReadOnly(fd, sizeBytes);
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

/** A larger file gets a buffer per view instead of one for the whole file: the V8 of Node 20 limits buffers to 4 GiB. */
const ONE_BUFFER_MAX_BYTES = 2 ** 31;

/** The bytes of a file that another thread of this process has mapped; it must not release them before this one is done. */
export function attachMapping({ path, address, sizeBytes }: Mapping): ByteSource {
  const buffer = (offset: number, length: number): ArrayBuffer =>
    length === 0 ? new ArrayBuffer(0) : libc().view(address + BigInt(offset), length);
  // One buffer for all views: V8 accounts for each mapped buffer as external memory, which may trigger garbage collections.
  let whole: ArrayBuffer | undefined;
  return {
    label: path,
    sizeBytes,
    view: (offset, length) => {
      if (sizeBytes > ONE_BUFFER_MAX_BYTES) return new Uint8Array(buffer(offset, length));
      whole ??= buffer(0, sizeBytes);
      return new Uint8Array(whole, offset, length);
    },
    buffer,
    release: () => {},
  };
}
