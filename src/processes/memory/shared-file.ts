import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { libc } from '../../platform/libc.js';

/** Memory where there is such a directory, so that nothing is ever written to a disk; Linux has it. */
const MEMORY_DIR = '/dev/shm';
const CHUNK = new Uint8Array(1 << 20);

/**
 * Makes a file of zeros that has no name any more: it is there for who has the descriptor, or inherits it, and is gone with
 * the last of them however they end. Throws what the file system says.
 */
export function createSharedFile(sizeBytes: number): number {
  const fd = openNameless(MEMORY_DIR) ?? openNameless(tmpdir());
  if (fd === undefined) throw new Error(`no file can be made in ${MEMORY_DIR} or ${tmpdir()}`);
  extendSharedFile(fd, 0, sizeBytes);
  return fd;
}

/**
 * Adds zeros to a file. They are written rather than left out: a page that a full file system cannot give when it is first
 * touched ends the process, while a write that fails is an error that can be handled. Throws what the file system says.
 */
export function extendSharedFile(fd: number, fromBytes: number, toBytes: number): void {
  for (let at = fromBytes; at < toBytes; ) at += writeSync(fd, CHUNK, 0, Math.min(CHUNK.length, toBytes - at), at);
}

/** The file's bytes, shared with every process that maps it; for good. See `Libc.mapShared` for what is behind its end. */
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
