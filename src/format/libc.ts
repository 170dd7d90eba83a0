import koffi from 'koffi';

/** The four calls of the C library that Node has no words for. Linux and macOS. */
export interface Libc {
  /** Maps a file read-only and shared; gives the address. Throws with errno's text. */
  mapReadOnly(fd: number, sizeBytes: number): bigint;
  unmap(address: bigint, sizeBytes: number): void;
  /** Takes an exclusive advisory lock on an open file; false where another process holds it. The kernel drops it with the process. */
  tryLock(fd: number): boolean;
  /** The bytes at an address as an ArrayBuffer, without a copy. */
  view(address: bigint, sizeBytes: number): ArrayBuffer;
}

const PROT_READ = 1;
const MAP_SHARED = 1;
const MAP_FAILED = 0xffff_ffff_ffff_ffffn;
const LOCK_EX_NB = 2 | 4;

let loaded: Libc | undefined;

/** The C library's functions, loaded on first use. */
export function libc(): Libc {
  loaded ??= load();
  return loaded;
}

function load(): Libc {
  const library = koffi.load(null);
  const mmap = library.func('void *mmap(void *addr, size_t length, int prot, int flags, int fd, int64_t offset)');
  const munmap = library.func('int munmap(void *addr, size_t length)');
  const flock = library.func('int flock(int fd, int operation)');
  return {
    mapReadOnly: (fd, sizeBytes) => {
      const address: bigint = mmap(null, sizeBytes, PROT_READ, MAP_SHARED, fd, 0);
      if (address === MAP_FAILED) throw new Error(`mmap failed, errno ${koffi.errno()}`);
      return address;
    },
    unmap: (address, sizeBytes) => {
      munmap(address, sizeBytes);
    },
    tryLock: (fd) => flock(fd, LOCK_EX_NB) === 0,
    view: (address, sizeBytes) => koffi.view(address, sizeBytes),
  };
}
