import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Whether something is mounted on a directory, such as a container's volume: then it can be neither renamed nor removed.
 * Known on Linux only; false elsewhere.
 */
export function isMountPoint(directory: string): boolean {
  const path = resolve(directory);
  try {
    // Where the directory itself is a link, the link can be renamed.
    const real = join(realpathSync(dirname(path)), basename(path));
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return mounts.some((mount) => decoded(mount.split(' ')[4] ?? '') === real);
  } catch {
    return false;
  }
}

/** The kernel writes blanks and backslashes as three octal digits. */
function decoded(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
