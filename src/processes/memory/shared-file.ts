import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../core/message-of.js';
import { libc } from '../../platform/libc.js';

/** An in-memory file system (on Linux), so that nothing is ever written to a disk. */
const MEMORY_DIR = '/dev/shm';
const CHUNK = new Uint8Array(1 << 20);

/**
 * Creates a file of zeros whose name is already removed: only processes that have or inherit the descriptor can use it, and
 * it disappears with the last of them, however they end. Throws if neither memory nor disk has room for it.
 */
export function createSharedFile(sizeBytes: number): number {
  const refusals: unknown[] = [];
  for (const parent of [MEMORY_DIR, tmpdir()]) {
    try {
      return createIn(parent, sizeBytes);
    } catch (error) {
      refusals.push(error);
    }
  }
  const reasons = refusals.map(messageOf).join('; ');
  throw new Error(`cannot create a file of ${sizeBytes} bytes in ${MEMORY_DIR} or ${tmpdir()} (${reasons})`);
}

/**
 * Adds zeros to a file that has `fromBytes`. They are written, not left as a hole: if the file system is full, touching a
 * page of a hole would kill the process, while a failed write is an error that can be handled.
 *
 * Throws the file system's error. Before it writes, it looks whether there is room: what was written in vain would keep
 * others from the space. It never shortens the file, because another process may have extended it meanwhile and use that.
 */
export function extendSharedFile(fd: number, fromBytes: number, toBytes: number): void {
  const free = freeBytes(fd);
  const needed = toBytes - Math.max(fromBytes, fstatSync(fd).size);
  if (free < needed) throw new Error(`ENOSPC: ${needed} bytes are required, but only ${free} are free`);
  for (let at = fromBytes; at < toBytes; ) at += writeSync(fd, CHUNK, 0, Math.min(CHUNK.length, toBytes - at), at);
}

/** The bytes that the file system of an open file has left; Infinity if it does not tell. */
function freeBytes(fd: number): number {
  try {
    // The file has no name of its own any more.
    const { blocks, bavail, bsize } = statfsSync(`/proc/self/fd/${fd}`);
    // A file system in memory without a limit has no blocks.
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Maps the file's bytes, shared with all processes that map it, and never unmaps them. See also `Libc.mapShared`. */
export function mapSharedFile(fd: number, maxBytes: number): ArrayBuffer {
  return libc().view(libc().mapShared(fd, maxBytes), maxBytes);
}

function createIn(parent: string, sizeBytes: number): number {
  const fd = openNameless(parent);
  try {
    extendSharedFile(fd, 0, sizeBytes);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openNameless(parent: string): number {
  const directory = mkdtempSync(join(parent, 'tract-context-'));
  try {
    return openSync(join(directory, 'shared'), 'wx+', 0o600);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
