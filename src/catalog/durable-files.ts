import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
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

/** Makes renames within a directory durable. */
export function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
