import { constants as files } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { native } from './native-gate.js';

/**
 * Calls of the C library that Node does not offer, on Linux and macOS. Errors have a `code`, like those of Node's own
 * calls.
 */
export interface Libc {
  /** Maps a file read-only and shared; returns the address. */
  mapReadOnly(fd: number, sizeBytes: number): bigint;
  /**
   * Maps a file shared and writable: writes are visible to every process that maps it. The mapping may be longer than the
   * file, but memory beyond the end of the file must not be touched before the file has grown that far.
   */
  mapShared(fd: number, sizeBytes: number): bigint;
  unmap(address: bigint, sizeBytes: number): void;
  /**
   * Maps a file read-only in place of memory that begins at a page and shares none of its pages. If that fails, the memory
   * may be gone.
   */
  mapReadOnlyOver(memory: Uint8Array, fd: number): void;
  /**
   * Takes the pages of a mapped file, given by their memory or address, out of the process's memory: they return when they
   * are read again. Ignores a refusal.
   */
  evict(place: Uint8Array | bigint, sizeBytes: number): void;
  /** Puts empty, writable memory in place of what is there. Throws if the process has too many mappings. */
  unmapOver(memory: Uint8Array): void;
  /** Makes memory that a file is mapped over writable, without a change to the file. Ignores a refusal. */
  makeWritable(memory: Uint8Array): void;
  addressOf(memory: Uint8Array): bigint;
  /**
   * Takes an advisory lock, shared or exclusive, on an open file; false if another open file has a conflicting lock. Throws
   * if the system has no lock to give. The kernel releases the lock when the process ends.
   */
  tryLock(fd: number, kind: 'shared' | 'exclusive'): boolean;
  unlock(fd: number): void;
  /** Has two paths of one file system trade places in one step, so that none is ever missing; false if the system cannot. */
  exchange(one: string, other: string): boolean;
  /** Makes a read or write of an open pipe or socket that would have to wait fail with EAGAIN. Ignores a refusal. */
  neverBlock(fd: number): void;
  /** Returns free memory of the allocator to the system. Does nothing without the GNU C library. */
  giveBackFreeMemory(): void;
  /** The memory at an address as an ArrayBuffer, without a copy. */
  view(address: bigint, sizeBytes: number): ArrayBuffer;
}

const PROT_READ = 1;
const READ_AND_WRITE = PROT_READ | 2;
const MAP_SHARED = 1;
const MAP_PRIVATE = 2;
const MAP_FIXED = 0x10;
const [MAP_ANONYMOUS, MAP_NORESERVE] = process.platform === 'darwin' ? [0x1000, 0x40] : [0x20, 0x4000];
/** Of memory that V8 has not freed yet: the system need not count on its being written to. */
const EMPTY = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
const NO_FILE = -1;
const MAP_FAILED = 0xffff_ffff_ffff_ffffn;
const MADV_DONTNEED = 4;
const LOCK_NB = 4;
const LOCK_UN = 8;
const [F_GETFL, F_SETFL] = [3, 4];
/** Paths begin where the process is. */
const AT_FDCWD = -100;
/** Linux's RENAME_EXCHANGE, and RENAME_SWAP of macOS. */
const RENAME_EXCHANGE = 2;
const LOCK_KINDS = { shared: 1, exclusive: 2 } as const;

let loaded: Libc | undefined;

/** The C library's functions, loaded on first use. */
export function libc(): Libc {
  loaded ??= native(load);
  return loaded;
}

function load(): Libc {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
  const library = koffi.load(null);
  const mmap = library.func('void *mmap(void *addr, size_t length, int prot, int flags, int fd, int64_t offset)');
  const mprotect = library.func('int mprotect(void *addr, size_t length, int prot)');
  const madvise = library.func('int madvise(void *addr, size_t length, int advice)');
  const munmap = library.func('int munmap(void *addr, size_t length)');
  const flock = library.func('int flock(int fd, int operation)');
  const fcntl = library.func('int fcntl(int fd, int command, ...)');
  const renameat2 = found(() =>
    library.func('int renameat2(int fd, const char *from, int toFd, const char *to, unsigned int flags)'),
  );
  const renamexNp = found(() => library.func('int renamex_np(const char *from, const char *to, unsigned int flags)'));
  const mallocTrim = found(() => library.func('int malloc_trim(size_t pad)'));
  const mapAt = (
    place: Uint8Array | null,
    sizeBytes: number,
    protection: number,
    flags: number,
    fd: number,
  ): bigint => {
    const address: bigint = mmap(place, sizeBytes, protection, flags, fd, 0);
    if (address === MAP_FAILED) throw systemError('mmap', koffi.errno());
    return address;
  };
  const map = (fd: number, sizeBytes: number, protection: number): bigint =>
    mapAt(null, sizeBytes, protection, MAP_SHARED, fd);
  const tryLock = (fd: number, operation: number): boolean => {
    for (;;) {
      if (flock(fd, operation | LOCK_NB) === 0) return true;
      const errno = koffi.errno();
      if (errno === constants.errno.EWOULDBLOCK) return false;
      if (errno !== constants.errno.EINTR) throw systemError('flock', errno);
    }
  };
  return {
    mapReadOnly: (fd, sizeBytes) => native(() => map(fd, sizeBytes, PROT_READ)),
    mapShared: (fd, sizeBytes) => native(() => map(fd, sizeBytes, READ_AND_WRITE)),
    unmap: (address, sizeBytes) => {
      native(() => munmap(address, sizeBytes));
    },
    mapReadOnlyOver: (memory, fd) => {
      native(() => mapAt(memory, memory.byteLength, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd));
    },
    evict: (place, sizeBytes) => {
      native(() => madvise(place, sizeBytes, MADV_DONTNEED));
    },
    unmapOver: (memory) => {
      native(() => mapAt(memory, memory.byteLength, READ_AND_WRITE, EMPTY | MAP_FIXED, NO_FILE));
    },
    makeWritable: (memory) => {
      native(() => mprotect(memory, memory.byteLength, READ_AND_WRITE));
    },
    addressOf: (memory) => native(() => koffi.address(memory)),
    tryLock: (fd, kind) => tryLock(fd, LOCK_KINDS[kind]),
    unlock: (fd) => {
      flock(fd, LOCK_UN);
    },
    exchange: (one, other) =>
      renameat2
        ? renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) === 0
        : renamexNp?.(one, other, RENAME_EXCHANGE) === 0,
    neverBlock: (fd) => {
      const flags: number = fcntl(fd, F_GETFL, 'int', 0);
      if (flags >= 0 && (flags & files.O_NONBLOCK) === 0) fcntl(fd, F_SETFL, 'int', flags | files.O_NONBLOCK);
    },
    giveBackFreeMemory: () => {
      mallocTrim?.(0);
    },
    view: (address, sizeBytes) => native(() => koffi.view(address, sizeBytes)),
  };
}

function systemError(syscall: string, errno: number): Error {
  const [code, text] = getSystemErrorMap().get(-errno) ?? [`errno ${errno}`, 'unknown error'];
  return Object.assign(new Error(`${code}: ${text}, ${syscall}`), { code, syscall });
}

/** Looks up a function that not every C library has; undefined if it is missing. */
function found<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
