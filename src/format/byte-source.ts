import { closeSync, fstatSync, openSync } from 'node:fs';
import { libc } from '../platform/libc.js';
import { cannotOpen, FormatError } from './format-error.js';

/** A file's bytes, however they are reached. */
export interface ByteSource {
  /** The file's name as errors show it. */
  readonly label: string;
  readonly sizeBytes: number;
  /** The bytes in place, without a copy. The caller keeps within the size. */
  view(offset: number, sizeBytes: number): Uint8Array;
  /** The same as a buffer that holds nothing else, for whoever takes no part of one. */
  buffer(offset: number, sizeBytes: number): ArrayBuffer;
  /** Gives the memory back. No view of it may be touched afterwards: the process would die. */
  release(): void;
}

/** Where a mapped file lies in the process's memory: the same for all of its threads. */
export interface Mapping {
  readonly path: string;
  readonly address: bigint;
  readonly sizeBytes: number;
}

/** A mapped file's bytes. */
export interface MappedFile extends ByteSource {
  readonly mapping: Mapping;
}

/** Maps a file read-only. All processes that map it share its pages. Throws {@link FormatError}. */
export function mapFile(path: string): MappedFile {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    throw cannotOpen(path, error);
  }
  try {
    const status = fstatSync(fd);
    if (!status.isFile()) throw new FormatError('cannot-open', path, 'it is no file');
    const sizeBytes = status.size;
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

/** V8 of Node 20 has no larger buffers than 4 GiB; of a larger file each view is a buffer of its own. */
const ONE_BUFFER_MAX_BYTES = 2 ** 31;

/** The bytes of a file that another thread of this process has mapped, and will not release before this one is done. */
export function attachMapping({ path, address, sizeBytes }: Mapping): ByteSource {
  const buffer = (offset: number, length: number): ArrayBuffer =>
    length === 0 ? new ArrayBuffer(0) : libc().view(address + BigInt(offset), length);
  // One for all views: to V8 a mapped buffer is memory of its own, for each of which it may stop to collect garbage.
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
