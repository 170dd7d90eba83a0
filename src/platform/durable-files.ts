import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** The name of a new file until it replaces the one at `path`. */
export const temporaryPath = (path: string): string => `${path}.new`;

/** Replaces a file by one rename: after a crash, either the old file or the new one is there, complete. */
export function replaceFile(path: string, text: string): void {
  const temporary = temporaryPath(path);
  // Made anew: a link in its place is not followed, as it might lead to any file of the one who runs this.
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { flush: true, flag: 'wx' });
  renameSync(temporary, path);
  syncDirectory(dirname(path));
}

/** Makes the entries of a directory durable, such as a file's new name. */
export function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Writes all bytes at the offset, and returns the offset at which they end. After a short write, it goes on until all is
 * written or a write fails.
 */
export function writeFully(fd: number, bytes: Uint8Array, offset: number): number {
  let written = 0;
  while (written < bytes.byteLength) {
    written += writeSync(fd, bytes, written, bytes.byteLength - written, offset + written);
  }
  return offset + written;
}
