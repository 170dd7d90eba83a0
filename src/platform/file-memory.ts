import { libc } from './libc.js';

/** A file mapped over memory of V8's. */
export interface FileMemory {
  /** The file's bytes, read-only: writing to them ends the process. Any thread can use them, also while the process exits. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Takes the file away. The memory must not be accessed afterwards: it holds zeros, or somebody else's data. */
  release(): void;
}

/** The largest page of the systems that Node runs on. */
const PAGE_MAX_BYTES = 64 * 1024;
/** Room at both ends for what the allocator writes into memory that it gets back. */
const ALLOCATOR_BYTES = 64;

/**
 * More than this, the C library takes from the system each time (its DEFAULT_MMAP_THRESHOLD_MAX). Less, it may have had
 * before, and clears it first, which takes a millisecond for 1.5 MB.
 */
const UNUSED_BYTES = 32 * 1024 * 1024;
/** Worth the detour. */
const LONG_TO_CLEAR_BYTES = 1024 * 1024;

/** All memory that V8 must not free, since the allocator would hand out memory that cannot be written to. */
const kept = new Set<Uint8Array>();

/**
 * Maps an open file read-only over the pages of a SharedArrayBuffer. V8 counts the bytes of any other buffer as memory that
 * a collection could free: each opening of the nation's files made it mark the heap over and over, in every thread.
 * To be called by the main thread only, as another one can be terminated, and its memory freed, at any moment.
 * Throws an error with a `code` if the file cannot be mapped, and RangeError if the system does not grant the memory, which
 * it counts as the process's own until the file takes its place.
 */
export function mapFileMemory(fd: number, sizeBytes: number): FileMemory {
  const bytes = allocatePages(sizeBytes);
  keep(bytes);
  try {
    libc().mapReadOnlyOver(bytes, fd);
  } catch (error) {
    // The system may have taken the memory away before it found that it cannot map the file.
    giveBack(bytes);
    throw error;
  }
  return { bytes, release: () => giveBack(bytes) };
}

/** Memory that begins at a page and shares none of its pages with other memory. */
function allocatePages(sizeBytes: number): Uint8Array<SharedArrayBuffer> {
  const neededBytes = ALLOCATOR_BYTES + PAGE_MAX_BYTES + sizeBytes + PAGE_MAX_BYTES + ALLOCATOR_BYTES;
  const memory = new SharedArrayBuffer(
    neededBytes < LONG_TO_CLEAR_BYTES ? neededBytes : Math.max(neededBytes, UNUSED_BYTES + 1),
  );
  const address = libc().addressOf(new Uint8Array(memory));
  const toNextPage = Number(-(address + BigInt(ALLOCATOR_BYTES)) & BigInt(PAGE_MAX_BYTES - 1));
  return new Uint8Array(memory, ALLOCATOR_BYTES + toNextPage, sizeBytes);
}

function keep(bytes: Uint8Array): void {
  if (kept.size === 0) process.once('exit', makeAllWritable);
  kept.add(bytes);
}

/** Puts empty memory in place of what is there, and lets V8 free it. */
function giveBack(bytes: Uint8Array): void {
  if (!kept.has(bytes)) return;
  try {
    libc().unmapOver(bytes);
  } catch {
    // The process has no more mappings to give: nobody can have this memory.
    return;
  }
  kept.delete(bytes);
  if (kept.size === 0) process.off('exit', makeAllWritable);
}

/** At the exit V8 frees all memory, while other threads may still read it. */
function makeAllWritable(): void {
  for (const bytes of kept) libc().makeWritable(bytes);
}
