import { readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFileSystemError } from '../../platform/file-system-error.js';
import { GENERATIONS_DIR } from './generations.js';

/** The paths of what lies beside the generations under a name that begins so. */
export function besideGenerations(datasetsDir: string, prefix: string): string[] {
  const generationsDir = join(datasetsDir, GENERATIONS_DIR);
  const names = readdirSync(generationsDir).filter((name) => name.startsWith(prefix));
  return names.map((name) => join(generationsDir, name));
}

/**
 * Removes a file or directory that nothing needs any more. One that cannot be removed, such as that of another user, stays
 * until the next attempt: it only takes up space, and must not keep everyone from publishing and rolling back.
 */
export function removeLeftover(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    ignoreFileSystem(error);
  }
}

/** The same, but not by this thread: the system takes some tenths of a second for the files of the nation. */
export async function removeLeftoverBeside(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(ignoreFileSystem);
}

function ignoreFileSystem(error: unknown): void {
  if (!isFileSystemError(error)) throw error;
}
