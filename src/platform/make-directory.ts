import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** What may be done in the directories that are made. */
const USUAL_MODE = 0o777;

/**
 * Makes a directory and those above it, and gives the first that was made; undefined where it is there. Throws what the
 * file system throws. Node's own recursion never ends where the system will not make one (`/proc/x`).
 */
export function makeDirectory(path: string, mode: number = USUAL_MODE): string | undefined {
  if (existsSync(path)) return undefined;
  const above = dirname(path) === path ? undefined : makeDirectory(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it.
    if (!existsSync(path)) throw error;
  }
  return above ?? path;
}
