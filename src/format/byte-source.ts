import { closeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { mapFileMemory } from '../platform/file-memory.js';
import { libc } from '../platform/libc.js';
import type { Steps } from '../platform/steps.js';
import { cannotOpen, FormatError } from './format-error.js';
import { openFile } from './open-file.js';

/** Access to a file's bytes, mapped or read. */
export interface ByteSource {
  /** The file's path, for error messages. */
  readonly label: string;
  readonly sizeBytes: number;
  /** The bytes of a mapped file in place, without a copy. The caller must stay within the file's size. */
  view(offset: number, sizeBytes: number): Uint8Array;
  /** The same bytes in pieces of at most a megabyte, each of which is valid only until another piece is asked for. */
  pieces(offset: number, sizeBytes: number): Iterable<Uint8Array>;
  /** The same bytes as a buffer that holds nothing else, for callers that cannot use part of a buffer. */
  buffer(offset: number, sizeBytes: number): ArrayBuffer;
  /** Frees the memory. Views and buffers of it must not be accessed afterwards: they may hold anything. */
  release(): void;
}

/** A mapped file in the process's memory; all of its threads can attach to it. */
export interface Mapping {
  readonly path: string;
  /** The file's bytes, or where they begin: see {@link mapMemory}. */
  readonly memory: Uint8Array<SharedArrayBuffer> | bigint;
  readonly sizeBytes: number;
}

/** The bytes of a file that this thread has mapped. */
export interface MappedFile extends ByteSource {
  readonly mapping: Mapping;
  /**
   * Takes the file's pages out of the process's memory, some at a time, so that its release takes no time. They return when
   * they are read again.
   */
  evict(): Steps<void>;
}

/** Large enough for few calls, small enough for the processor's cache. */
const PIECE_BYTES = 2 ** 20;

/** Calls `read` for one piece of a range after the other. */
export function* inPieces(
  offset: number,
  sizeBytes: number,
  read: (offset: number, sizeBytes: number) => Uint8Array,
): Iterable<Uint8Array> {
  for (let done = 0; done < sizeBytes; done += PIECE_BYTES) {
    yield read(offset + done, Math.min(PIECE_BYTES, sizeBytes - done));
  }
}

/** A larger file gets a buffer per view instead of one for the whole file: the V8 of Node 20 limits buffers to 4 GiB. */
const ONE_BUFFER_MAX_BYTES = 2 ** 31;

/** Maps a file read-only. All processes that map it share its pages. Throws {@link FormatError}. */
export function mapFile(path: string): MappedFile {
  const { fd, sizeBytes } = openFile(path);
  try {
    if (sizeBytes === 0) throw new FormatError('wrong-length', path, 'the file is empty');
    const { memory, release } = mapMemory(path, fd, sizeBytes);
    const mapping = { path, memory, sizeBytes };
    return { ...attachMapping(mapping), mapping, evict: () => evict(mapping), release };
  } finally {
    closeSync(fd);
  }
}

/** About half a millisecond's worth of pages. */
const EVICT_BYTES = 2 ** 25;

function* evict({ memory, sizeBytes }: Mapping): Steps<void> {
  for (let offset = 0; offset < sizeBytes; offset += EVICT_BYTES) {
    const place = typeof memory === 'bigint' ? memory + BigInt(offset) : memory.subarray(offset);
    libc().evict(place, Math.min(EVICT_BYTES, sizeBytes - offset));
    yield;
  }
}

type MappedMemory = Pick<Mapping, 'memory'> & Pick<MappedFile, 'release'>;

function mapMemory(path: string, fd: number, sizeBytes: number): MappedMemory {
  try {
    return mapOverBuffer(fd, sizeBytes) ?? mapAnywhere(fd, sizeBytes);
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

/** Undefined if that cannot be done. */
function mapOverBuffer(fd: number, sizeBytes: number): MappedMemory | undefined {
  if (!isMainThread || sizeBytes > ONE_BUFFER_MAX_BYTES) return undefined;
  try {
    const { bytes, release } = mapFileMemory(fd, sizeBytes);
    return { memory: bytes, release };
  } catch {
    // A limit may apply to a buffer's memory that does not apply to a mapped file: `ulimit -d`, for one.
    return undefined;
  }
}

function mapAnywhere(fd: number, sizeBytes: number): MappedMemory {
  const memory = libc().mapReadOnly(fd, sizeBytes);
  return { memory, release: () => libc().unmap(memory, sizeBytes) };
}

/** The bytes of a file that another thread of this process has mapped; it must not release them before this one is done. */
export function attachMapping({ path, memory, sizeBytes }: Mapping): ByteSource {
  const buffer = (offset: number, length: number): ArrayBuffer => {
    if (length === 0) return new ArrayBuffer(0);
    const address = typeof memory === 'bigint' ? memory : libc().addressOf(memory);
    return libc().view(address + BigInt(offset), length);
  };
  let whole: Uint8Array | undefined = typeof memory === 'bigint' ? undefined : memory;
  const view = (offset: number, length: number): Uint8Array => {
    if (sizeBytes > ONE_BUFFER_MAX_BYTES) return new Uint8Array(buffer(offset, length));
    whole ??= new Uint8Array(buffer(0, sizeBytes));
    return new Uint8Array(whole.buffer, whole.byteOffset + offset, length);
  };
  return {
    label: path,
    sizeBytes,
    view,
    pieces: (offset, length) => inPieces(offset, length, view),
    buffer,
    release: () => {},
  };
}
