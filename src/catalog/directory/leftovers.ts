import { rmSync } from 'node:fs';
import { isFileSystemError } from '../../platform/file-system-error.js';

/**
 * Removes a file or directory that nothing needs any more. One that cannot be removed, such as that of another user, stays
 * until the next attempt: it only takes up space, and must not keep everyone from publishing and rolling back.
 */
export function removeLeftover(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!isFileSystemError(error)) throw error;
  }
}
