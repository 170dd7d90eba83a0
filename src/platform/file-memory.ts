import { libc } from './libc.js';

/** A file mapped over memory of V8's. */
export interface FileMemory {
  /** The file's bytes, read-only: writing to them ends the process. Any thread can use them. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Takes the file away. The bytes must not be accessed afterwards: they are zeros, or somebody else's. */
  release(): void;
}

/** The largest page of the systems that Node runs on. */
const PAGE_MAX_BYTES = 64 * 1024;
/** Room at both ends for what the allocator writes into memory that it gets back. */
const ALLOCATOR_BYTES = 64;

/** All memory that a file is mapped over. If V8 freed it with the file, the allocator would hand out read-only memory. */
const mapped = new Set<Uint8Array>();

/**
 * Maps an open file read-only over the pages of a SharedArrayBuffer. V8 counts the bytes of any other buffer as memory that
 * a collection could free: each opening of the nation's files made it mark the heap over and over, in every thread.
 * To be called by the main thread only, as another one can be terminated, and its memory freed, at any moment.
 * Throws an error with a `code` if the file cannot be mapped, and RangeError if there is not enough address space.
 */
export function mapFileMemory(fd: number, sizeBytes: number): FileMemory {
  const bytes = allocatePages(sizeBytes);
  libc().mapReadOnlyOver(bytes, fd);
  if (mapped.size === 0) process.once('exit', unmapAll);
  mapped.add(bytes);
  return { bytes, release: () => unmap(bytes) };
}

/** Memory that begins at a page and shares none of its pages; it takes none of the machine's until it is written to. */
function allocatePages(sizeBytes: number): Uint8Array<SharedArrayBuffer> {
  const memory = new SharedArrayBuffer(ALLOCATOR_BYTES + PAGE_MAX_BYTES + sizeBytes + PAGE_MAX_BYTES + ALLOCATOR_BYTES);
  const address = libc().addressOf(new Uint8Array(memory));
  const toNextPage = Number(-(address + BigInt(ALLOCATOR_BYTES)) & BigInt(PAGE_MAX_BYTES - 1));
  return new Uint8Array(memory, ALLOCATOR_BYTES + toNextPage, sizeBytes);
}

function unmap(bytes: Uint8Array): void {
  if (!mapped.has(bytes)) return;
  libc().unmapOver(bytes);
  mapped.delete(bytes);
  if (mapped.size === 0) process.off('exit', unmapAll);
}

function unmapAll(): void {
  for (const bytes of mapped) unmap(bytes);
}
