import { closeSync, openSync } from 'node:fs';
import { cannotOpen } from '../../format/format-error.js';
import { type FileLock, lockOrClose } from '../../platform/file-lock.js';
import { isMissing } from './generations.js';

/**
 * Tells all processes that this one has a generation open, until the hold is released or the process ends: a shared
 * flock(2) on the generation's directory. Undefined if the generation is gone or being removed. Throws FormatError if the
 * system refuses to open the directory, which may be temporary.
 */
export function holdGeneration(directory: string): FileLock | undefined {
  return lock(directory, 'shared');
}

/**
 * Holds the generation exclusively; undefined if it is gone or some process has it open. Throws as
 * {@link holdGeneration} does.
 */
export function holdAlone(directory: string): FileLock | undefined {
  return lock(directory, 'exclusive');
}

function lock(directory: string, kind: 'shared' | 'exclusive'): FileLock | undefined {
  let fd: number;
  try {
    fd = openSync(directory, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw cannotOpen(directory, error);
  }
  return lockOrClose(fd, kind) ? { release: () => closeSync(fd) } : undefined;
}
