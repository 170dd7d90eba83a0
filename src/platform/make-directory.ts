import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** The default of mkdir(2): all permissions, restricted by the umask. */
const USUAL_MODE = 0o777;

/**
 * Makes a directory and its missing ancestors, and returns the topmost that was made; undefined if the directory exists.
 * Throws the file system's error. (Node's own recursive mkdir never returns if the system refuses, as for `/proc/x`.)
 */
export function makeDirectory(path: string, mode: number = USUAL_MODE): string | undefined {
  if (existsSync(path)) return undefined;
  const above = dirname(path) === path ? undefined : makeDirectory(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
  return above ?? path;
}
