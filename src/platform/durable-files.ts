import { closeSync, fsyncSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a file is called until it has taken the place of the one before. */
export const temporaryPath = (path: string): string => `${path}.new`;

/** Puts a file in the place of the one before, by one rename: after a crash it is the old one or the new one. */
export function replaceFile(path: string, text: string): void {
  const temporary = temporaryPath(path);
  writeFileSync(temporary, text, { flush: true });
  renameSync(temporary, path);
  syncDirectory(dirname(path));
}

/** Makes the names in a directory durable. */
export function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Writes all bytes at the offset, and gives where they end; a write that the system cuts short goes on until it is done
 * or fails.
 */
export function writeFully(fd: number, bytes: Uint8Array, offset: number): number {
  let written = 0;
  while (written < bytes.byteLength) {
    written += writeSync(fd, bytes, written, bytes.byteLength - written, offset + written);
  }
  return offset + written;
}
