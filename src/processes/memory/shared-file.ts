import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { libc } from '../../platform/libc.js';

/** An in-memory file system (on Linux), so that nothing is ever written to a disk. */
const MEMORY_DIR = '/dev/shm';
const CHUNK = new Uint8Array(1 << 20);

/**
 * Creates a file of zeros whose name is already removed: only processes that have or inherit the descriptor can use it, and
 * it disappears with the last of them, however they end. Throws the file system's error.
 */
export function createSharedFile(sizeBytes: number): number {
  const fd = openNameless(MEMORY_DIR) ?? openNameless(tmpdir());
  if (fd === undefined) throw new Error(`no file can be made in ${MEMORY_DIR} or ${tmpdir()}`);
  extendSharedFile(fd, 0, sizeBytes);
  return fd;
}

/**
 * Adds zeros to a file. They are written, not left as a hole: if the file system is full, touching a page of a hole would
 * kill the process, while a failed write is an error that can be handled. Throws the file system's error.
 */
export function extendSharedFile(fd: number, fromBytes: number, toBytes: number): void {
  for (let at = fromBytes; at < toBytes; ) at += writeSync(fd, CHUNK, 0, Math.min(CHUNK.length, toBytes - at), at);
}

/** Maps the file's bytes, shared with all processes that map it, and never unmaps them. See also `Libc.mapShared`. */
export function mapSharedFile(fd: number, maxBytes: number): ArrayBuffer {
  return libc().view(libc().mapShared(fd, maxBytes), maxBytes);
}

function openNameless(parent: string): number | undefined {
  try {
    const directory = mkdtempSync(join(parent, 'tract-context-'));
    try {
      return openSync(join(directory, 'shared'), 'wx+', 0o600);
    } finally {
      rmSync(directory, { recursive: true });
    }
  } catch {
    return undefined;
  }
}
